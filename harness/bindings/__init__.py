"""A binding of a header to another language, held against the header: `abiprobe check FILE --binding FILE`.

The compiler or interpreter of the language is asked for what the binding says, on each target: sizes, alignments, the
places of members, constants, and where its calls pass their arguments.
"""
