"""Languages other than C in which a question is put to a compiler: a folder each, of names and templates."""
