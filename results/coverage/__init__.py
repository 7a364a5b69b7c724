"""Coverage: the comparisons that were made and their number, by compiler, pair, open question and clause."""
