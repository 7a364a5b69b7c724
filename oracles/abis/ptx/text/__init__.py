"""PTX texts: modules as values, their grammar as far as calls need it, and the rules of chapter 7 over them."""
