"""Makes torchvision importable if PyTorch is a CPU build.

The torchvision of PyPI is compiled against the CUDA build. With a CPU build its operators cannot be loaded, and its
import fails at the first Python function that is registered for one: "operator torchvision::nms does not exist".
open_clip only needs torchvision's transforms, which are plain Python, and sentence-transformers only checks that it
exists; so the two operators are declared here, without a body.
"""

from __future__ import annotations

import functools
from importlib.metadata import version
from typing import Any

OPERATORS = ("nms", "qnms")
SCHEMA = "{}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"


@functools.cache
def declare() -> object:
    """Declare the operators, once. Call this before torchvision is imported."""
    import torch

    if torch.version.cuda is not None or version("torchvision").endswith("+cpu"):
        return None
    make: Any = torch.library.Library
    library = make("torchvision", "DEF")
    for name in OPERATORS:
        library.define(SCHEMA.format(name))
    # The cache keeps the object, because the declarations end with it.
    return library
