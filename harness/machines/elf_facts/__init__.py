"""ELF files of the targets: what their headers, relocations and sections say of the ABI, and whether two may be linked."""
