"""The compilers under test: families that know command lines, subjects that users name."""
