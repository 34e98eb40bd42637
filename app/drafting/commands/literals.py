"""Values as Python."""

from __future__ import annotations

import json
import math
from typing import Any, cast


class Angle(float):
    """Radians that scripts write in degrees."""

    @property
    def degrees(self) -> float:
        """The same in degrees."""
        return round(math.degrees(self), 6)


def literal(value: Any) -> str:
    """A value as Python, with double quotes and short numbers."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple):
        parts = [literal(part) for part in cast("tuple[Any, ...]", value)]  # type: ignore[redundant-cast]
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
    if isinstance(value, set):
        return "{" + ", ".join(sorted(literal(part) for part in cast("set[Any]", value))) + "}"  # type: ignore[redundant-cast]
    if isinstance(value, Angle) and value:
        return f"radians({value.degrees!r})"
    if isinstance(value, float):
        return repr((round(value, 6) if abs(value) >= 1 else float(f"{value:.6g}")) + 0.0)
    return repr(value)
