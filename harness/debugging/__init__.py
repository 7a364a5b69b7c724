"""What debuggers know of calls: the debug information of compilers, and debuggers, held against the places of the models."""
