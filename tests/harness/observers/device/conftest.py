"""The tools of CUDA, real and planted."""

from __future__ import annotations

from tests.harness.cuda import faux, nvlink, ptxas

__all__ = ["faux", "nvlink", "ptxas"]
