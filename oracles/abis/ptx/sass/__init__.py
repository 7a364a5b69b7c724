"""Below PTX: registers, stack and constant bank, as machine code and images show them."""
