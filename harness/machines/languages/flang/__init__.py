"""Fortran, as the compiler of LLVM has it, with the templates of gfortran."""
