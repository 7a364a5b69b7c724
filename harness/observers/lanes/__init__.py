"""Vector functions put to compilers: the names they make, and what the functions behind them do with each lane."""
