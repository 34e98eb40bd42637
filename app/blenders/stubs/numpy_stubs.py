"""An open stub of numpy: Blender brings it, the service need not, and so unions keep their meaning."""

from __future__ import annotations

from typing import Final

NUMPY: Final = """\
import collections.abc
import typing
import typing_extensions

_Shape = typing_extensions.TypeVar("_Shape", default=typing.Any)
_Item = typing_extensions.TypeVar("_Item", default=typing.Any)

class ndarray(typing.Generic[_Shape, _Item]):
    def __getattr__(self, name: str) -> typing.Any: ...
    def __getitem__(self, key: typing.Any, /) -> typing.Any: ...
    def __setitem__(self, key: typing.Any, value: typing.Any, /) -> None: ...
    def __iter__(self) -> collections.abc.Iterator[typing.Any]: ...
    def __len__(self) -> int: ...

def __getattr__(name: str) -> typing.Any: ...
"""

NUMPY_TYPING: Final = """\
import typing
import typing_extensions
from numpy import ndarray

_Item = typing_extensions.TypeVar("_Item", default=typing.Any)

ArrayLike: typing.TypeAlias = typing.Any
DTypeLike: typing.TypeAlias = typing.Any

class NDArray(ndarray[typing.Any, _Item]): ...
"""
