"""Proof that the harness finds bugs: wrong models, compilers made wrong by a flag, and what the tours reach."""
