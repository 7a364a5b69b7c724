"""The file that a run is kept in, line by line: write, read, check and convert it."""
