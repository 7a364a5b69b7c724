"""Shared parts of pages: the templates of a folder, and times in words."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined


def html_templates(folder: str) -> Environment:
    """The templates in a folder of `results`; what they are given is escaped, and a name that is not given is an error."""
    return Environment(
        loader=PackageLoader("abiprobe.results", folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def moment(when: str) -> str:
    """A time (ISO 8601, UTC) as people read it."""
    return when[:16].replace("T", " ")
