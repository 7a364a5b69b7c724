"""What the written ABIs say of linking object files: flags, attributes and properties, and which values go together."""
