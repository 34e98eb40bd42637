from collections.abc import Callable
from types import ModuleType

def enable(
    module_name: str,
    *,
    default_set: bool = ...,
    persistent: bool = ...,
    handle_error: Callable[[BaseException], None] | None = ...,
) -> ModuleType | None: ...
def disable(
    module_name: str, *, default_set: bool = ..., handle_error: Callable[[BaseException], None] | None = ...
) -> None: ...
def extensions_refresh() -> None: ...
