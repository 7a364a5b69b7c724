"""A conformance test of ptxas: what it makes of parameters, by every rule of the PTX manual on them."""
