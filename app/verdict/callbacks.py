"""Findings on errors that Blender swallows in callbacks, by code, with their hints."""

from __future__ import annotations

from typing import Final

HINTS: Final = {
    "swallowed-error": "Blender prints such an error and goes on, so the effect is missing. Mend the line.",
    "swallowed-in-second-run": "Undo what the first run left, or leave it as it is.",
    "state-of-the-scene": "Ask for what may be missing, in `poll` or at the line.",
    "unknown-name-drawn": "Use a name that this Blender has, or register it before it is drawn.",
    "never-ends": "Let it do a small step per call, and return.",
    "registration-raises": "Blender cannot enable this add-on until the line is mended.",
    "unregistration-raises": "Undo in `unregister` what `register` did, in the opposite order.",
    "invalid-driver": "Blender leaves the property as it is. Mend the driver's expression or target.",
    "driver-needs-python": "Use only frame, variables and functions of `math`, or tell the user to allow scripts.",
    "incomplete-addon": "Blender calls `register` and `unregister` to enable and disable an add-on.",
    "left-behind": "Remove it in `unregister`, or enabling the add-on again has it twice.",
}
