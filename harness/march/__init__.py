"""RISC-V toolchains against the model of ISA strings, named ABIs, object headers and code models."""
