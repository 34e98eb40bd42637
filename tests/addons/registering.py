"""An add-on that registers as it is told, without a Blender."""

from __future__ import annotations

from harness.addons import Addon, AddonFrame, AddonProblem, Registration, Use
from harness.blenders import Blender

INFO = 'bl_info = {"name": "Shed", "blender": (2, 79, 0)}\n'


class Registers:
    """Stands in for Blender: an add-on raises at each line with one of these marks, the first of all."""

    def __init__(self, *marks: str, kind: str = "AttributeError", message: str = "no") -> None:
        self.marks, self.kind, self.message, self.tries = marks, kind, message, 0
        self.uses: tuple[Use, ...] = ()

    async def __call__(self, blender: Blender, addon: Addon, _sandbox: object, _folder: object) -> Registration:
        self.tries += 1
        for mark in self.marks:
            for name, content in addon.files.items():
                for number, line in enumerate(content.decode(errors="replace").splitlines(), 1):
                    if mark in line:
                        problem = AddonProblem(
                            self.kind, f"{self.message} {mark}", (AddonFrame(name, number, "register", line),)
                        )
                        return Registration(blender.name, 0, problem, (), "", 0.1)
        return Registration(blender.name, 3, None, (), "", 0.1, tuple(addon.files), self.uses)
