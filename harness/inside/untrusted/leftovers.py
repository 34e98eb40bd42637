"""Leftovers of the snippet that a saved file does not show: objects that no scene has, unsound meshes, sizes.

Collected in process one between the snippet's end and saving, so all of it is a claim.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any

import bpy

from harness.inside.scene.meshes import largest_meshes, validate_meshes

NAME_LIMIT = 50
PAINTED = ("IMAGE", "UV_TEST")
PIXELS_LIMIT = 1 << 22


def known_objects() -> set[int]:
    """The addresses of the objects that exist, for `leftovers`."""
    return {obj.as_pointer() for obj in bpy.data.objects}


def leftovers(known: set[int]) -> dict[str, Any]:
    """`unlinked` objects that were not `known` before, `unsound` meshes, which are put right, the `largest` meshes.

    A snippet may have broken the lookup itself; then facts that cannot be read are left out.
    """
    told: dict[str, Any] = {}
    for name, ask in (
        ("largest", largest_meshes),
        ("unsound", validate_meshes),
        ("unlinked", lambda: unlinked_objects(known)),
    ):
        try:
            told[name] = ask()
        except Exception:
            continue
    return told


def keep_pixels() -> None:
    """Pack the images whose pixels were painted or computed: saving the scene alone would lose them."""
    for image in bpy.data.images:
        # Large images take seconds to pack.
        if image.is_dirty and image.type in PAINTED and image.size[0] * image.size[1] <= PIXELS_LIMIT:
            with contextlib.suppress(RuntimeError):
                image.pack()


def unlinked_objects(known: set[int]) -> list[str]:
    """Names of the objects that are new, in no scene, and used by nothing that is in a scene: saving drops them."""
    placed = {obj.as_pointer() for scene in bpy.data.scenes for obj in scene.objects}
    loose = [obj for obj in bpy.data.objects if obj.as_pointer() not in placed and obj.library is None]
    new = [obj for obj in loose if obj.as_pointer() not in known]
    if not new:
        return []
    users: dict[Any, set[Any]] = bpy.data.user_map()
    shown = {collection for scene in bpy.data.scenes for collection in scene.collection.children_recursive}
    return sorted(obj.name for obj in new if not is_used(obj, users, set(loose), shown))[:NAME_LIMIT]


def is_used(obj: Any, users: dict[Any, set[Any]], loose: set[Any], shown: set[Any]) -> bool:
    """True if anything that is not loose itself uses the object: an instance, a modifier, a bone's shape, a driver."""
    seen, waiting = {obj}, [obj]
    while waiting:
        for user in using(waiting.pop(), users):
            if user in seen:
                continue
            if (isinstance(user, bpy.types.Collection) and user not in shown) or user in loose:
                seen.add(user)
                waiting.append(user)
            else:
                return True
    return bool(obj.use_fake_user)


def using(block: Any, users: dict[Any, set[Any]]) -> Iterable[Any]:
    """The data blocks that use this one; the shape keys and the action of a thing use it back."""
    return (user for user in users.get(block, ()) if not isinstance(user, bpy.types.Key))
