"""The public Python API of `abiprobe`, on which the command line is built; `import abiprobe` exports all of it."""
