"""Judges the pictures from outside: they must decode, show something, and contain the subject."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image, ImageStat

from app.verdict.rules import Rules, weighed_findings
from app.verdict.verdict import Author, Finding, Stage, judged, skipped
from harness.protocol import BLANK_DEVIATION

MAX_PICTURE_BYTES = 16 << 20
MOST_NAMED = 5
LEAST_IN_FRAME = 0.25
"""Share of the subject that must lie in the picture, unless it fills this much of it: a camera may stand close to
something large, or within it."""


class NotAPicture(Exception):
    """A file is not a PNG of the requested size. The message says why."""


def judge_render(report: dict[str, Any], folder: Path, author: Author, rules: Rules) -> Stage:
    """Judge every picture that the report names, in `folder`."""
    started = time.monotonic()
    render = report["evidence"]["render"]
    if render is None:
        return skipped("render", "the execution left no scene to render")
    if render["nothing_to_render"]:
        return skipped("render", "the scene holds nothing that renders")
    findings: list[Finding] = []
    first, *others = render["pictures"]
    shown: list[dict[str, Any]] = []
    for picture in [*others, *render.get("frames", [])]:
        # These must only be valid pictures: light may not fall on every side, and moving objects leave the frame.
        invalid, deviation = judge_file(picture, folder / picture["file"], render, author, rules)
        findings += invalid
        if deviation >= BLANK_DEVIATION:
            shown.append(picture)
    findings = judge_picture(first, folder / first["file"], render, author, rules, shown) + findings
    used, wanted = render["engine_used"], render["engine_of_scene"]
    note = f"{render['size_px']} px with {used}"
    if used != wanted:
        note += f" (the scene is set to {wanted})"
    if around := render.get("surroundings"):
        note += f"; framed without {', '.join(f'{name} ({what})' for name, what in list(around.items())[:MOST_NAMED])}"
    if render["subject_is_untouched"]:
        note += "; it shows what was there before, because nothing that the snippet made renders"
    return judged("render", findings, time.monotonic() - started, note)


def judge_picture(
    picture: dict[str, Any],
    path: Path,
    render: dict[str, Any],
    author: Author,
    rules: Rules,
    shown: Sequence[dict[str, Any]],
) -> list[Finding]:
    """The findings on one picture, where the others `shown` show something. An untouched scene does not count against
    the snippet."""
    view = picture["view"]
    findings, deviation = judge_file(picture, path, render, author, rules)
    if findings or render["subject_is_untouched"]:
        return findings
    # A change far from a camera that was there before need not be in the picture.
    out = max(picture["subject_in_frame"], picture.get("frame_filled", 0.0)) < LEAST_IN_FRAME
    kept = picture.get("camera") == "scene" and render.get("camera_is_untouched", False)
    if deviation < BLANK_DEVIATION and not (out and kept):
        # Grease pencil, volumes and the like may have a box with nothing in it.
        code = "blank" if render["subject_has_faces"] else "blank-without-faces"
        message = f"the picture from {view} shows nothing: its brightness varies by {deviation:.2f} of 255"
        hint = "Make sure that the subject is lit, in front of the camera and not hidden."
        later = next((other["frame"] for other in shown if "frame" in other), None)
        beside = next((other["view"] for other in shown if "frame" not in other), None)
        if later is not None:
            # Particles that are not born yet, or objects that appear later.
            code, message = "blank-at-first", f"{message}; at frame {later} there is something to see"
            hint = "If the file should open with it in view, set the current frame."
        elif kept and beside is not None:
            # Whoever set the camera and the light of the scene may have left the subject in the dark.
            code, message = "blank-in-an-untouched-frame", f"{message}; from {beside} there is something to see"
        findings += weighed_findings(rules, author, "render", code, message, hint=hint)
    if out:
        message = f"{picture['subject_in_frame']:.0%} of the subject is in the picture from {view}"
        hint = "Point the snippet's camera at what it makes, or add no camera: then the harness places one."
        code = "out-of-an-untouched-frame" if kept else "subject-out-of-frame"
        findings += weighed_findings(rules, author, "render", code, message, hint=hint)
    return findings


def judge_file(
    picture: dict[str, Any], path: Path, render: dict[str, Any], author: Author, rules: Rules
) -> tuple[list[Finding], float]:
    """The findings on the file of a picture, and the deviation of its brightness if there are none."""
    try:
        return [], brightness_deviation(path, picture.get("size_px", render["size_px"]))
    except NotAPicture as error:
        where = f"of frame {picture['frame']}" if "frame" in picture else f"from {picture['view']}"
        return weighed_findings(rules, author, "render", "not-decodable", f"the picture {where} {error}"), 0.0


def brightness_deviation(path: Path, size_px: int) -> float:
    """Standard deviation of the brightness, 0 to 127. Raises NotAPicture if the file is not a PNG of this size."""
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > MAX_PICTURE_BYTES:
            raise NotAPicture("is missing, or not a file of reasonable size")
        with Image.open(path, formats=["PNG"]) as image:
            # The header is read before any pixel is decoded, so a picture with a huge claimed size costs nothing.
            if image.size != (size_px, size_px):
                raise NotAPicture(f"is {image.size[0]} x {image.size[1]} pixels, not {size_px} x {size_px}")
            return float(ImageStat.Stat(image.convert("L")).stddev[0])
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise NotAPicture(f"does not decode: {error}") from error
