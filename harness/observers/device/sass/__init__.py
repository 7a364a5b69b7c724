"""Machine code of NVIDIA GPUs from sm_70 on, as far as calls need it: decoded by a table, followed byte by byte."""
