"""What was compared with what, and how much of it: by compiler, pair, open question and clause."""
