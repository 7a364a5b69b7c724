"""The templates of exported tests."""

from __future__ import annotations

from functools import cache
from importlib import resources

import jinja2

from abiprobe.harness.base import text_templates


def text_of(name: str) -> str | None:
    """A template of this package; `None` where there is none."""
    try:
        return resources.files(__package__).joinpath(name).read_text("utf-8")
    except FileNotFoundError:
        return None


@cache
def environment() -> jinja2.Environment:
    """The environment of the templates, which make C, Rust, Zig and make."""
    return text_templates.environment(jinja2.FunctionLoader(text_of))


def filled(template: str, /, **values: object) -> str:
    """A template with its values; what stands before the text for the template's own sake is dropped."""
    return environment().get_template(template).render(values).lstrip("\n")
