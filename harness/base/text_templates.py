"""Jinja templates of text that is not HTML: C and other source text, makefiles, issues."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import jinja2


def environment(loader: jinja2.BaseLoader | None = None) -> jinja2.Environment:
    """An environment in which a missing value is an error and lines with tags alone leave no trace."""
    import jinja2

    return jinja2.Environment(  # noqa: S701 - not HTML
        loader=loader,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


@cache
def template(package: str, name: str) -> jinja2.Template:
    """A template among the files of a package; raises `FileNotFoundError` if there is none."""
    return environment().from_string(resources.files(package).joinpath(name).read_text("utf-8"))
