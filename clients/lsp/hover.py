"""An entry of the Blender API as Markdown for a hover."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

MOST_ITEMS: Final = 30
MOST_PARAMETERS: Final = 20


def markdown(place: Mapping[str, Any]) -> str:
    """The signature or type, the description, limits, items, and the differences on further Blenders."""
    symbol = place["symbol"]
    if symbol is None:
        lines = [f"**{place['address']}** is not in Blender {place['blender']}.", place["gone"]]
    else:
        lines = [f"```python\n{place['address']}{symbol['signature']}\n```", symbol["type"], symbol["description"]]
        lines += ["Read-only."] if symbol["readonly"] else []
        lines += bullets([(one["name"], one["type"]) for one in symbol["parameters"]], MOST_PARAMETERS)
        lines += bullets([(one["identifier"], one["name"]) for one in symbol["items"]], MOST_ITEMS)
        lines += [f"Blender {place['blender']}: there."]
    for blender, differs in place["elsewhere"].items():
        lines.append(f"Blender {blender}: {'; '.join(differs) or 'the same'}.")
    return "\n\n".join(line for line in lines if line)


def bullets(pairs: list[tuple[str, str]], most: int) -> list[str]:
    """Pairs as one list, cut to its first entries."""
    if not pairs:
        return []
    more = [f"- and {len(pairs) - most} more"] if len(pairs) > most else []
    return ["\n".join([*(f"- `{name}` {said}".rstrip() for name, said in pairs[:most]), *more])]
