"""ptxas, what it makes, and the GPU that runs it."""
