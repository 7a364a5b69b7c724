"""Calls of device functions, and kernels, as a GPU runs them, beside what is read of their machine code."""
