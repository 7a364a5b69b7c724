"""The smallest example of a deviation as the test that a compiler project's own suite takes.

A model says where a value travels, and an ordinary call of C often has other values in the same places: on RISC-V,
`struct { float a; int : 0; float b; }` goes where two `float` go. So a test can hold the function in question against one
that takes words and reals only (`plain`), in C and without assembly.
"""
