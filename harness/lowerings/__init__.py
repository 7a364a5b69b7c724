"""Lowerings from C to LLVM IR, compared by the signatures that they give the same prototypes. No code is run.

The terms are those of LLVM's language reference, "Parameter Attributes": ABI attributes say how a value is passed and may
not be dropped; optimization attributes may.
"""
