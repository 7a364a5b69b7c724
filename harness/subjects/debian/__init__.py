"""Compilers of later Debian suites, unpacked into the cache: `names`, then `mirror`, `apt` and `tree`."""
