"""Declarations that are put to compilers every night; each file says for which targets."""
