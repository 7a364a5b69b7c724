"""One prototype put to a compiler.

`plan` is what no compiler changes, `operations` what the image is told to do, `seen` what its records say.
"""
