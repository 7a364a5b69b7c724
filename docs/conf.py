"""How the documentation becomes a site: `tox -e docs`."""

from __future__ import annotations

import sys
from pathlib import Path

from abiprobe.harness.base import version as own_version

sys.path.insert(0, str(Path(__file__).parent / "_extension"))

project = "abiprobe"
author = "the authors of abiprobe"
release = own_version.version()
extensions = ["myst_parser", "sphinx_click", "generated_reference"]
exclude_patterns = ["_extension"]
html_theme = "furo"
html_title = "abiprobe"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
myst_heading_anchors = 3
# Blocks of TOML, JSON and shell are excerpts, and console blocks have outputs of compilers in them.
highlight_options = {"default": {"stripall": False}}
suppress_warnings = ["misc.highlighting_failure"]
