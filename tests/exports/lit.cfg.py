"""What lit needs to run a test of clang/test on its own: %clang_cc1, FileCheck, and the targets that a clang has."""

import os

import lit.formats

config.name = "exports"  # noqa: F821 - lit gives it
config.test_format = lit.formats.ShTest(execute_external=False)  # noqa: F821 - lit gives it
config.suffixes = [".c"]  # noqa: F821 - lit gives it
config.substitutions += [  # noqa: F821 - lit gives it
    ("%clang_cc1", f"{os.environ['EXPORTS_CLANG']} -cc1 -nostdsysteminc"),
    ("FileCheck", os.environ["EXPORTS_FILECHECK"]),
]
config.available_features |= set(os.environ["EXPORTS_FEATURES"].split())  # noqa: F821 - lit gives it
config.environment["PATH"] = os.environ["PATH"]  # noqa: F821 - lit gives it
