"""Bundles that show a deviation by themselves."""
