"""Baselines: what programs depend on of a file's declarations, kept as text, to be compared with later ones.

`facts` is what is kept, `keep` makes it of declarations and what a model says of them, `compare` tells what has changed.
"""
