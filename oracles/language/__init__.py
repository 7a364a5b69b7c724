"""C, its extensions and C++ as values: types, prototypes, classes, and questions about them."""
