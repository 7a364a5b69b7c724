"""The version of abiprobe that is running."""

from __future__ import annotations

from importlib import metadata


def version() -> str:
    """The installed distribution's version, `source` when abiprobe runs from a checkout that is not installed."""
    try:
        return metadata.version("abiprobe")
    except metadata.PackageNotFoundError:
        return "source"
