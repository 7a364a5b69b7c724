"""PTX and CUDA: what ptxas and the compilers before it make of calls, read from their outputs without a GPU."""
