"""What `abiprobe` promises to Python programs, and the command line is built on; `import abiprobe` has all of it."""
