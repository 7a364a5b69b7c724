"""Call frame information: the rules of DWARF, and the numbers that each ABI gives its registers."""
