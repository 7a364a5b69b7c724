"""D, as the compiler of GCC has it, with the templates of ldc."""
