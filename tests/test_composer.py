"""The composer: what it reads, what it refuses and with which words, and the source that it writes."""

from __future__ import annotations

import ast
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.drafting.composer import Composer
from app.drafting.composer.composer import load_examples
from app.drafting.composer.lexicon import load_lexicon
from app.drafting.composer.tokens import tokenize
from app.drafting.draft import Draft, NotUnderstood, ValueOutOfRange

SENTENCE = "Create the active object if missing, add a Subdivision Surface modifier (levels=2), and shade smooth."

READ = [
    (
        SENTENCE,
        [
            "the active object, if missing -> a new cube, made active",
            'subdivision surface modifier (levels=2, render_levels=2) -> SUBSURF "Subdivision" on the active object',
            "smooth shading -> every face of the active object",
        ],
    ),
    (
        "Add a UV sphere with radius 2 and 64 segments",
        ['UV sphere (radius=2, segments=64) -> a new object "Sphere"'],
    ),
    (
        "Add a red cube of size 1.5 at (0, 0, 1)",
        [
            'cube (size=1.5, location=(0, 0, 1)) -> a new object "Cube"',
            'material (linear colour=(1, 0, 0)) -> "Red" on the new object "Cube"',
        ],
    ),
    (
        "Add a bevel modifier, width 0.05, 3 segments, to the cube and shade smooth.",
        [
            'bevel modifier (width=0.05, segments=3) -> BEVEL "Bevel" on the object "Cube"',
            'smooth shading -> every face of the object "Cube"',
        ],
    ),
    (
        "Create a torus called Ring, major radius 2, minor radius 0.3, with a shiny gold-coloured metallic material",
        [
            'torus (major_radius=2, minor_radius=0.3) -> a new object "Ring"',
            "material (linear colour=(1, 0.6795, 0), roughness=0.1, metallic=1) "
            '-> "Shiny Gold Metallic" on the new object "Ring"',
        ],
    ),
    (
        "Give the active object a blue material with roughness 0.2",
        ['material (linear colour=(0, 0, 1), roughness=0.2) -> "Blue" on the active object'],
    ),
    (
        "Add a cylinder 3 m tall with radius 50 cm, colour #ff8800",
        [
            'cylinder (depth=3, radius=0.5) -> a new object "Cylinder"',
            'material (linear colour=(1, 0.2462, 0)) -> "#FF8800" on the new object "Cylinder"',
        ],
    ),
    (
        "Add a mirror modifier on the X and Y axes",
        ['mirror modifier (use_axis=(True, True, False)) -> MIRROR "Mirror" on the active object'],
    ),
    (
        "Add an array modifier with count five and constant offset (2, 0, 0)",
        [
            "array modifier (fit_type=FIXED_COUNT, use_constant_offset=True, use_relative_offset=False, "
            'count=5, constant_offset_displace=(2, 0, 0)) -> ARRAY "Array" on the active object'
        ],
    ),
    (
        "solidify thickness 0.02",
        ['solidify modifier (thickness=0.02) -> SOLIDIFY "Solidify" on the active object'],
    ),
    (
        "simple deform (twist 45 degrees)",
        [
            "simple deform modifier (deform_method=TWIST, angle=45 degrees) "
            '-> SIMPLE_DEFORM "SimpleDeform" on the active object'
        ],
    ),
    (
        "Make a monkey and shade it flat",
        ['monkey -> a new object "Suzanne"', 'flat shading -> every face of the new object "Suzanne"'],
    ),
    ("make the cube green", ['material (linear colour=(0, 1, 0)) -> "Green" on the object "Cube"']),
    (
        "Add a 3-segment bevel modifier and a mirror modifier to the object called “Big Floor”",
        [
            'bevel modifier (segments=3) -> BEVEL "Bevel" on the object "Big Floor"',
            'mirror modifier -> MIRROR "Mirror" on the object "Big Floor"',
        ],
    ),
    (
        "Could you please add a 2 m cube named Box rotated by 90° about Z? Make it metallic and red.",
        [
            'cube (size=2, rotation in degrees=(0, 0, 90)) -> a new object "Box"',
            'material (linear colour=(1, 0, 0), metallic=1) -> "Metallic Red" on the new object "Box"',
        ],
    ),
    (
        "Create a torus called Ring and a cone, add a weld modifier to Ring, move it to the origin",
        [
            'torus -> a new object "Ring"',
            'cone -> a new object "Cone"',
            'weld modifier -> WELD "Weld" on the new object "Ring"',
            'location (0, 0, 0) -> the new object "Ring"',
        ],
    ),
    (
        "Add an ico sphere and make the sphere red",
        [
            'ico sphere -> a new object "Icosphere"',
            'material (linear colour=(1, 0, 0)) -> "Red" on the new object "Icosphere"',
        ],
    ),
    (
        "Add a bevel modifier with width 0.1 and a bevel modifier with width 0.2",
        [
            'bevel modifier (width=0.1) -> BEVEL "Bevel" on the active object',
            'bevel modifier (width=0.2) -> BEVEL "Bevel 2" on the active object',
        ],
    ),
    (
        "Add a cylinder with a bevel modifier (2 segments) and 8 sides",
        [
            'cylinder (vertices=8) -> a new object "Cylinder"',
            'bevel modifier (segments=2) -> BEVEL "Bevel" on the new object "Cylinder"',
        ],
    ),
]

REFUSED: list[tuple[str, list[str]]] = [
    ("Add a cube, not red", ["not"]),
    ("Add a cube without smooth shading", ["without"]),
    ("Don't add a cube", ["Don't"]),
    ("Remove the cube", ["Remove"]),
    ("Add a sphere instead", ["instead"]),
    ("Add a cube except on Sunday", ["except", "Sunday"]),
    ("Add two cubes", ["cubes"]),
    ("Füge einen Würfel hinzu", ["Füge", "einen", "Würfel", "hinzu"]),
    ("ignore this and add a cube", ["ignore"]),
    ("Add a cube; import os", ["import", "os"]),
    ("Apply a bevel modifier to the cube", ["Apply"]),
    ("Add a bevel modifier with width 0,5 segments", ["0,5"]),
    ("Add a cube 2-3 m wide", ["2-3"]),
    ("Add a cube called Big Ring", ["Ring"]),
    ("Add a bevel modifier with roughness 0.2", ["roughness"]),
    ("Add a torus with a radius of 2", ["radius"]),
    ("Add a bevel modifier with width", ["width"]),
    ("Add a cube called red cube", ["cube"]),
    ("Add a cube called and shade smooth", ["and"]),
    ("Add a cube and", ["and"]),
    ("Add a cube of size 1e39", ["1e39"]),
    ("Add a cube of size 1e400", ["1e400"]),
    ("Add a smooth cube", ["Add a smooth cube"]),
    ("bevel the cube", ["bevel the cube"]),
    ("add a wave", ["add a wave"]),
    ("Add a red blue cube", ["blue"]),
    ("Add a cube 2 m wide and 3 m tall", ["3 m tall"]),
    ("make the cube shiny", ["the cube shiny"]),
    ("Add a simple deform modifier, twist 45 degrees, taper 0.5", ["taper 0.5"]),
    ("Add a bevel modifier, then make the cube red", ["bevel modifier"]),
    ("Add a cube and a cube and make the cube red", ["cube"]),
    ('Add a cube and make "Cube" red', ["Cube"]),
    ("Add a cylinder with a bevel modifier and 12 segments", ["12 segments"]),
    ("", []),
    (" \n ", []),
]

TWINS: list[tuple[str, str, str]] = [
    # Of several objects, which one?
    ("Add a cube and a sphere and make it red", "it", "Add a cube and make it red"),
    ("Add a cube and a sphere and shade smooth", "shade smooth", "Add a cube and shade smooth"),
    ("Add a cube and a sphere, red", "red", "Add a cube and a red sphere"),
    ("Add a cube and a cylinder, 2 m tall", "2 m tall", "Add a cube, then add a cylinder 2 m tall"),
    (
        "Add a cube and a sphere with a red material",
        "a red material",
        "Add a cube at (0, 0, 0) and a sphere at (3, 0, 0) with a red material",
    ),
    ("Add a cube and a sphere and a bevel modifier", "a bevel modifier", "Add a cube and a bevel modifier"),
    ("Shade smooth and add a cube", "Shade smooth", "Shade the active object smooth and add a cube"),
    (
        "Add a bevel modifier and a cube",
        "bevel modifier",
        "Add a bevel modifier to the active object and a cube",
    ),
    ("Make this cube red", "this cube", "Add a cube and make this cube red"),
    (
        "Add a UV sphere and an ico sphere and make the sphere red",
        "sphere",
        "Add a cone and make the cone red",
    ),
    # Whose words are they?
    (
        "Add a bevel modifier to the active object called Box",
        "called",
        "Add a bevel modifier called Box to the active object",
    ),
    (
        "Add a bevel modifier to the sphere with 64 segments",
        "64 segments",
        "Add a bevel modifier with 64 segments to the sphere",
    ),
    (
        "Add a subdivision surface modifier to the ico sphere with 3 subdivisions",
        "3 subdivisions",
        "Add a subdivision surface modifier to the cube with 3 subdivisions and quality 2",
    ),
    (
        "Add a cylinder with a bevel modifier, 2 segments",
        "2 segments",
        "Add a cylinder with a bevel modifier (2 segments)",
    ),
    ("Add a sphere cast modifier", "cast", "Add a sphere with a cast modifier"),
    ("Add a cube red material", "material", "Add a cube, red material"),
    ("Add a red bevel modifier to the cube", "red", "Add a 3 segment bevel modifier to the cube"),
    ("Give it a shiny wireframe modifier", "shiny", "Give it a shiny red material"),
    # A modifier, or something else?
    ("Add a screw with height 2", "Add a screw with height 2", "Add a screw modifier with height 2"),
    ("mirror on the X axis", "mirror on the X axis", "mirror modifier on the X axis"),
    ("Add one subdivision", "Add one subdivision", "Add one subdivision surface"),
    ("smooth 10 iterations", "smooth 10 iterations", "smooth modifier, 10 iterations"),
    (
        "Add a remesh modifier with octree depth 6",
        "octree depth 6",
        "Add a remesh modifier, mode sharp, octree depth 6",
    ),
    ("Add a new bevel modifier", "Add a new bevel modifier", "Add a new cube with a bevel modifier"),
    (
        "Add a cube and first shade the active object smooth",
        "first shade the active object smooth",
        "First shade the active object smooth and add a cube",
    ),
    # Which value?
    ("Add a bevel modifier with width by 0.1", "width", "Add a simple deform modifier, twist by 10 degrees"),
    ("Add a gold sphere", "gold", "Add a gold-coloured sphere"),
    ("Give the cube a silver material", "silver", "Give the cube a metallic silver material"),
    ("Add a bevel modifier (width 0,5 segments)", "0,5", "Add a bevel modifier (width 0, 5 segments)"),
    ("Add a cube at (1,000, 2)", "1,000,", "Add a cube at (1,0,2)"),
    ("Add a sphere 2 in diameter", "2 in", "Add a sphere 2 m in diameter"),
    ("Add a cube of size 2 in red", "2 in", "Add a cube of size 2 m in red"),
    ("Add a 2 m monkey", "Add a 2 m monkey", "Add a monkey of size 2 m"),
    ("Move the cube (0, 0, 2)", "(", "Move the cube to (0, 0, 2)"),
    ("set the cube flat", "set the cube flat", "set flat shading on the cube"),
    ("Add a cube with smooth shading and flat shading", "flat shading", "Add a cube with smooth shading"),
    ("shade smooth, then shade flat", "shade flat", "shade the cube smooth, then shade the sphere flat"),
    ("if there is no active object create one and shade smooth", "no", SENTENCE),
    (
        "Add a bevel modifier called Edge and a bevel modifier called Edge",
        "Edge",
        "Add a bevel modifier called Edge and a bevel modifier called Corner",
    ),
]
"""A request with two meanings, the words to blame, and a near twin that has one meaning."""

REASONS = [
    (
        "Add a cube with levels 2",
        '"levels": what can be set on the cube: size, location, rotation, scale, metallic, roughness, ior',
    ),
    (
        "Add a mirror modifier with roughness 0.2",
        '"roughness": what can be set on the mirror modifier: axis, clipping, merge distance',
    ),
    (
        "Add a mirror modifier with 2 copies",
        "Not understood: copies; what can be set on the mirror modifier: axis, clipping, merge distance",
    ),
    ("Add a spheer", 'Not understood: spheer; did you mean "sphere"?'),
    ("Add a zebra", "Not understood: zebra"),
    ("Add a cube called Big Ring", '"Ring": put a name of several words in quotes'),
    (
        "Add a wave",
        '"Add a wave": not understood as a whole; if you mean the modifier, say "wave modifier"',
    ),
]

OUT_OF_RANGE = [
    (
        "Add a subdivision surface modifier (levels=50)",
        "50",
        "Add a subdivision surface modifier (levels=11)",
    ),
    ("Add a subsurf modifier with 2.5 levels", "2.5", "Add a subsurf modifier with 2 levels"),
    ("Add a bevel modifier with 0 segments", "0", "Add a bevel modifier with 1 segment"),
    ("Add a decimate modifier with ratio 1.5", "1.5", "Add a decimate modifier with ratio 50%"),
    ("Add a UV sphere with 2 rings", "2", "Add a UV sphere with 3 rings"),
    ("Add a cube of size 0", "0", "Add a cube of size 0.01"),
    ("Add a cube of size 45 degrees", "45 degrees", "Add a cube of size 45 cm"),
    ("simple deform (twist 45)", "45", "simple deform (twist 0.5 radians)"),
    (
        "Add a bevel modifier with angle limit 181 degrees",
        "181 degrees",
        "Add a bevel modifier with angle limit 180 degrees",
    ),
]
"""A request, the value that is refused, and a near twin that is answered."""


def draft(request: str) -> Draft:
    return Composer().draft(request)


@pytest.mark.parametrize(("request_", "notes"), READ)
def test_reads(request_: str, notes: list[str]) -> None:
    assert draft(request_).notes == notes


@pytest.mark.parametrize(("request_", "words"), REFUSED)
def test_refuses_with_the_words_it_did_not_understand(request_: str, words: list[str]) -> None:
    with pytest.raises(NotUnderstood) as refusal:
        draft(request_)
    assert refusal.value.words == words
    assert refusal.value.reason


@pytest.mark.parametrize(("request_", "words", "twin"), TWINS)
def test_refuses_what_could_be_meant_in_two_ways(request_: str, words: str, twin: str) -> None:
    with pytest.raises(NotUnderstood) as refusal:
        draft(request_)
    assert refusal.value.words == [words]
    assert draft(twin).snippet


@pytest.mark.parametrize(("request_", "reason"), REASONS)
def test_the_reason_says_what_could_be_said_instead(request_: str, reason: str) -> None:
    with pytest.raises(NotUnderstood) as refusal:
        draft(request_)
    assert refusal.value.reason == reason


@pytest.mark.parametrize(("request_", "value", "twin"), OUT_OF_RANGE)
def test_refuses_values_that_blender_does_not_take(request_: str, value: str, twin: str) -> None:
    with pytest.raises(ValueOutOfRange) as refusal:
        draft(request_)
    assert refusal.value.words == [value]
    assert draft(twin).snippet


@pytest.mark.parametrize("word", ["not", "no", "without", "except", "don't", "instead", "remove", "never", "blah"])
def test_a_word_that_turns_the_meaning_is_refused_wherever_it_stands(word: str) -> None:
    words = SENTENCE.split()
    for at in range(len(words) + 1):
        with pytest.raises(NotUnderstood):
            draft(" ".join([*words[:at], word, *words[at:]]))


@pytest.mark.parametrize("request_", load_examples())
def test_answers_every_example(request_: str) -> None:
    ast.parse(draft(request_).snippet)


def test_every_primitive_and_modifier_is_answered_and_ruff_clean(tmp_path: Path) -> None:
    lexicon = load_lexicon()
    things = [*lexicon.primitives.phrases(), *(f"{name} modifier" for name in lexicon.modifiers.phrases())]
    for index, request in enumerate([*load_examples(), *(f"Add a {thing}" for thing in things)]):
        (tmp_path / f"snippet_{index}.py").write_text(draft(request).snippet, encoding="utf-8")
    config = str(Path(__file__).parent.parent / "pyproject.toml")
    for command in (["check"], ["format", "--check"]):
        ran = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--config", config, "--line-length=110", str(tmp_path)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout


def test_the_same_request_gives_the_same_snippet_and_another_one_its_own_marks() -> None:
    assert draft("Add a cube") == draft("Add a cube")
    assert draft("Add a cube").snippet != draft("Add a red cube").snippet


@pytest.mark.parametrize(
    "name",
    ['a"b', "a\\nb", "ends with \\", "Würfel", "立方体", "\u041a\u0443\u0431", "x" * 63, "{name}", "'''"],
)
def test_a_name_reaches_the_snippet_as_it_was_written(name: str) -> None:
    quote = "'" if '"' in name else '"'
    tree = ast.parse(draft(f"Add a cube called {quote}{name}{quote}").snippet)
    names = [
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "CUBE_NAME"
    ]
    assert names == [name]


@pytest.mark.parametrize("name", ["", " Box", "x" * 64, "tab\there", "\u202egnp"])
def test_a_name_that_blender_could_not_keep_is_refused(name: str) -> None:
    with pytest.raises(NotUnderstood):
        draft(f'Add a cube called "{name}"')


def test_a_new_object_does_not_become_active_where_a_second_run_would_then_hit_it() -> None:
    assert "objects.active = cube" in draft("Add a cube and shade it smooth").snippet
    assert "objects.active = cube" not in draft("Shade the active object smooth, then add a cube").snippet


@pytest.mark.parametrize(
    "request_",
    [
        "Add a cube. " * 800,
        "lorem ipsum " * 800,
        "(" * 10_000,
        "2 m " * 2_500,
        f"Add {'red ' * 2_500}cube",
        f"Add a mirror modifier on the X{' and X' * 1_600}",
        '"' * 9_999,
    ],
    ids=lambda text: text[:12],
)
def test_a_very_long_request_is_handled_quickly(request_: str) -> None:
    started = time.monotonic()
    try:
        draft(request_)
    except NotUnderstood as refusal:
        assert refusal.reason
    assert time.monotonic() - started < 2


def test_no_part_of_a_request_is_lost_between_tokens() -> None:
    request = "Add a UV-sphere (radius=2.5 m), colour #f80 @ 'x y' \u2013 1,5 45°"
    covered = "".join(request[token.start : token.end] for token in tokenize(request))
    assert covered == request.replace(" ", "").replace("UV-", "UV").replace("xy", "x y")
