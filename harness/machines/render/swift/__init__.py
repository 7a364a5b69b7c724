"""Calls of C++ in Swift, whose importer reads the classes and functions in C++."""
