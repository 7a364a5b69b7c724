"""Hare, compiled by harec and qbe: structs and functions are C's."""
