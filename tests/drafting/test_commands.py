"""The command language without Blender: what is read, what is refused and why, and what is written."""

from __future__ import annotations

import random
import re
import statistics
import tomllib
from pathlib import Path

import pytest

from app.drafting.commands import Commands, load_examples
from app.drafting.commands import operations as op
from app.drafting.commands.commands import MOST_REFUSED
from app.drafting.commands.read import GRAMMAR, read
from app.drafting.commands.say import say
from app.drafting.commands.words import WORDS, color_of
from app.drafting.commands.write.recipes import recipes
from app.drafting.draft import NotUnderstood, ValueOutOfRange
from ingest.manifest import Manifest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "app" / "drafting" / "commands"
COMMANDS = Commands()
DEMO = "Create the active object if missing, add a Subdivision Surface modifier (levels=2), and shade smooth."
RING = (
    "Create a torus called Ring, major radius 2, minor radius 0.6, with a shiny gold-coloured metallic material, "
    "and shade it smooth"
)


def operations(request: str) -> list[op.Operation]:
    return [operation for understood in read(request) for operation in understood]


def lines(snippet: str) -> int:
    return sum(bool(line.strip()) for line in snippet.splitlines())


# The examples


def test_the_pages_print_the_grammar_and_the_examples() -> None:
    page, examples = (
        (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("commands.md", "commands-examples.md")
    )
    assert f"```text\n{GRAMMAR.strip()}\n```" in page
    printed = re.findall(
        r"^\w.*(?:\n  .+)*$", "\n".join(re.findall(r"```text\n(.*?)```", examples, re.DOTALL)), re.MULTILINE
    )
    assert [" ".join(example.split()) for example in printed] == list(load_examples()) and len(printed) >= 120
    assert all(read(example) == read(" ".join(example.split())) for example in printed)


def test_the_examples_are_short_and_checked(manifest: Manifest) -> None:
    drafts = [COMMANDS.draft(example, manifest) for example in load_examples()]
    assert statistics.median(lines(draft.snippet) for draft in drafts) <= 20
    assert sum(bool(draft.accept) for draft in drafts) >= 0.95 * len(drafts)
    assert lines(COMMANDS.draft(DEMO, manifest).snippet) <= 15 and lines(COMMANDS.draft(RING, manifest).snippet) <= 32


def test_the_same_request_gives_the_same_snippet(manifest: Manifest) -> None:
    assert Commands().draft(RING, manifest) == Commands().draft(RING, manifest)


def test_the_language_stays_small() -> None:
    held = [path for path in PACKAGE.rglob("*") if path.suffix in {".py", ".toml", ".lark"}]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in held) <= 5470
    tests = [*Path(__file__).parent.glob("test_commands*.py"), *Path(__file__).parent.glob("commands_*")]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in tests) <= 1500
    listed = (WORDS[table] for table in WORDS if table not in {"verbs", "prepositions", "units", "passed_over"})
    inside = [
        *WORDS["verbs"].values(),
        *WORDS["prepositions"].values(),
        *WORDS["units"].values(),
        *WORDS["passed_over"].values(),
    ]
    assert sum(map(len, [*listed, *inside])) <= 300


# Reading


@pytest.mark.parametrize("request_", load_examples())
def test_what_is_said_of_an_operation_reads_as_it(request_: str) -> None:
    for operation in operations(request_):
        assert operations(say(operation)) == [operation], say(operation)


def test_random_operations_are_read_as_they_are_said() -> None:
    chance = random.Random(1)
    for _ in range(300):
        operation = any_operation(chance)
        assert operations(say(operation)) == [operation], say(operation)


def any_operation(chance: random.Random) -> op.Operation:
    things = tuple(any_thing(chance) for _ in range(chance.randint(1, 3)))
    settings = tuple(
        op.NamedValue(name=name, value=any_value(chance))
        for name in chance.sample(["width", "use_clip", "Angle", "levels"], chance.randint(1, 3))
    )
    look = op.Finish(
        words=tuple(chance.sample(["red", "dark blue", "shiny"], 2)), name=chance.choice(["", "Coat of 3"])
    )
    kind = chance.choice(["UV sphere", "bevel modifier", "track to constraint"])
    some: list[op.Operation] = [
        op.Add(kind=kind, name=chance.choice(["", "My thing"]), settings=settings),
        op.Add(kind="cube", at=any_vector(chance), look=look),
        op.Set(settings=settings, of=things),
        op.Key(property="location", of=things, keys=(op.Keyframe(frame=3, value=any_vector(chance)),)),
        op.Transform(do="move", things=things, how=chance.choice(["to", "by"]), value=any_vector(chance)),
        op.Transform(do="rotate", things=things, how="by", value=op.Number(number=45, unit="degrees"), axis="Z"),
        op.Transform(do="scale", things=things, how="by", value=op.Number(number=0.5)),
        op.Paint(things=things, look=look),
        op.Delete(things=things),
        op.Duplicate(thing=things[0], name="Copy", at=any_vector(chance), linked=chance.choice([True, False])),
        op.Rename(thing=things[0], name="Other name"),
        op.Parent(things=things, to=chance.choice([None, op.Mention(name="Root of all")])),
        op.Join(things=things, name=chance.choice(["", "One"])),
        op.Shade(things=(op.Mention(words="every mesh"),), how=chance.choice(["smooth", "flat"])),
        op.Aim(things=things, at=any_vector(chance)),
        op.Collect(things=things, collection="Props and more"),
        op.Select(things=things),
    ]
    return chance.choice(some)


def any_thing(chance: random.Random) -> op.Mention:
    named = op.Mention(words=chance.choice(["", "light", "material"]), name=chance.choice(["Box", "the one, and only"]))
    part = op.Mention(words="bevel modifier", of=named)
    return chance.choice([named, part, op.Mention(words="active object"), op.Mention(words="every mesh")])


def any_vector(chance: random.Random) -> op.Vector:
    return op.Vector(parts=tuple(op.Number(number=chance.randint(-9, 9) / 2) for _ in range(3)))


def any_value(chance: random.Random) -> op.Value:
    number, switch, text = op.Number(number=2.5, unit="cm"), op.Word(text="on"), op.Word(text="a, b", quoted=True)
    some: list[op.Value] = [number, switch, text, any_vector(chance)]
    return chance.choice(some)


@pytest.mark.parametrize(
    ("request_", "same"),
    [
        ("Please add a cube, then make it red!", "add a cube\nmake it red"),
        ("move the cube up by 2 m", "move the cube by (0, 0, 2 m)"),
        ("put Cube into the collection Props", 'collect Cube in the collection "Props"'),
        (
            "Add a sphere with a bevel modifier (width=0.1) and smooth shading",
            "add a sphere. add a bevel modifier to it (width=0.1). shade it smooth",
        ),
        ("delete every light and camera", "delete every light and every camera"),
        ("Add a cube and a sphere with radius 2", "add a cube. add a sphere with radius 2"),
        ("add a plane at the origin", "add a plane at (0, 0, 0)"),
        ("Make Box and the light red", 'give "Box" and the light a red material'),
        ('Move "My cube" up by 2', 'move "My cube" by (0, 0, 2)'),
        ('add a cube, then scale "Box" by 2', 'add a cube. scale "Box" by 2'),
        ("turn off use_clip of the mirror modifier of Cube", "set use_clip of the mirror modifier of Cube to off"),
    ],
)
def test_two_ways_to_say_the_same(request_: str, same: str) -> None:
    assert operations(request_) == operations(same)


@pytest.mark.parametrize(
    ("refused", "words", "reason", "twin"),
    [
        ("Move the cube to 0 0 3", ["0"], "a vector such as (0, 0, 1)", "Move the cube to (0, 0, 3)"),
        ("Move the cube to", [], "ends too early", "Move the cube to (0, 0, 3)"),
        ("Füge einen Würfel hinzu", ["Füge einen Würfel hinzu"], "does not begin with a command", "Add a red cube"),
        ("A castle with four towers", ["A castle"], "does not begin with a command", "Add a cube"),
        ("Add three cubes", ["three cubes"], "nothing like", "Add a cube"),
        ("Add a bevel modifier with widht 2", ["widht"], "It has: Width", "Add a bevel modifier with width 2"),
        ("Make the cube pretty", ["cube pretty"], "is not a look", "Make the cube green"),
        ("Delete lights", ["lights"], 'Write "every light"', "Delete every light"),
        ("Delete every mesh except Cube", ["every mesh except"], "not a kind of object", "Delete every mesh"),
        ("Delete the material Gold", ["material"], "not an object", "Delete the cube Gold"),
        ("Delete everything but Cube", ["everything but"], "not a kind of object", "Delete everything"),
        ("Add a cube to the light", ["cube"], "has no meaning", "Add a bevel modifier to the cube"),
        ("Add a bevel modifier at (1, 2, 3)", ["bevel modifier"], "A place has no meaning", "Add a cube at (1, 2, 3)"),
        ("Add a cube at (1, 0, 0) at (2, 0, 0)", ["at"], "given twice", "Add a cube at (1, 0, 0)"),
        ("Set the width to 100", ["width"], "has no setting", "Set the resolution x to 100"),
        ("Add a cube at (1, 0, 0) with location (2, 0, 0)", ["at"], "given twice", "Add a cube at (1, 0, 0)"),
        ("Add a sun, aim the light at the cube", ["light"], "or another", "Add a sun, aim the sun at the cube"),
        ("Rename Cube to A, delete the cube", ["cube"], "another request", "Rename Cube to A, delete Light"),
        ("Delete Cube, move Cube up by 2", ["Cube"], "is deleted", "Delete Cube, move Light up by 2"),
        ("Aim the camera at Cube, delete everything", ["Cube"], "another request", "Aim it at Cube, delete Light"),
        ("Rename Cube to Cube", ["Cube"], "already", "Rename Cube to Crate"),
        ("Rename Cube to A, add a cube called Cube", ["Cube"], "another name", "Delete Cube, add a cube called Cube"),
        ("Delete Light, rename Cube to Light", ["Light"], "another name", "Delete Light, rename Cube to Crate"),
        ("Set the resolution to 512", ["resolution"], "render.resolution_x", "Set the resolution x to 512"),
        ("Set the samples to 16", ["samples"], "eevee.taa_render_samples", "Set the cycles samples to 16"),
        ("Set the gravity to -1.6", [], "3 values", "Set the gravity to (0, 0, -1.6)"),
        ("Set the name of the cube to Box", ["name"], "rename the cube", "Rename the cube to Box"),
        ("Delete the cube, move it up by 2", ["it"], "is deleted", "Add a cube called A, move it up by 2, delete it"),
        ("Move the cube up by 2, delete it", ["it"], "another request", "Delete the active object"),
        ("Give the cube a material", [], "the look of the material", "Give the cube a red material"),
        ("Aim the cube at the cube", [], "one other object", "Aim the cube at the light"),
        ("Add a cube called A, add a cone called A", ["A"], "another name", "Add a cube called A, add a cone called B"),
        ("Scale the cube to 0.5 on X", ["X"], "of all three axes", "Scale the cube by 0.5 on X"),
        ("Rotate it by 5 degrees around the pole", ["pole"], "X, Y, Z", "Rotate it by 5 degrees around Z"),
        ("Add a boolean modifier with solver melt", ["melt"], "EXACT", "Add a boolean modifier with solver exact"),
        ('Set the size of "Thing" to 2', ["size"], "Curve, Light", 'Set the size of the area light "Thing" to 2'),
        ("Add a cube called A, move the cube to (1, 2, 3)", ["cube"], "or another", "Add a cube, move it to (1, 2, 3)"),
        ("Add a cone, apply the cast modifier", ["Cast"], "has no", "Add a cast modifier, apply the cast modifier"),
    ],
)  # fmt: skip
def test_a_refusal_says_what_may_stand_there(
    refused: str, words: list[str], reason: str, twin: str, manifest: Manifest
) -> None:
    COMMANDS.draft(twin, manifest)
    with pytest.raises(NotUnderstood) as said:
        COMMANDS.draft(refused, manifest)
    assert said.value.words == words and refused.split(", ")[-1] in said.value.reason
    assert reason in f"{said.value.reason} {said.value.allowed}"


@pytest.mark.parametrize(
    ("beyond", "within"),
    [
        ("Add a bevel modifier with segments 2000", "Add a bevel modifier with segments 1000"),
        ("Add a bevel modifier with width 5 degrees", "Add a bevel modifier with width 5 cm"),
        ("Set the energy of the light to 100 kg", "Set the energy of the light to 100 W"),
        ("Add a bevel modifier with segments 2.5", "Add a bevel modifier with segments 2"),
        ("Add a cube with size -1", "Add a cube with size 1"),
        ("Key the energy of the light: 5 at frame 2000000", "Key the energy of the light: 5 at frame 1000000"),
    ],
)
def test_values_are_those_that_blender_takes(beyond: str, within: str, manifest: Manifest) -> None:
    COMMANDS.draft(within, manifest)
    with pytest.raises(ValueOutOfRange):
        COMMANDS.draft(beyond, manifest)


# Writing


def test_the_demo_is_what_an_expert_would_hand_over(manifest: Manifest) -> None:
    assert COMMANDS.draft(DEMO, manifest).snippet == (ROOT / "docs" / "pictures" / "demo.py").read_text()


def test_what_is_said_later_takes_back_what_was_expected(manifest: Manifest) -> None:
    def told(request: str) -> list[dict[str, object]]:
        return [check.said() for check in COMMANDS.draft(request, manifest).accept]

    assert told("Move Cube to (1, 0, 0). Move Cube to (2, 0, 0)") == told("Move Cube to (2, 0, 0)")
    assert told("Move Cube by (1, 0, 0). Move Cube by (2, 0, 0)") == told("Move Cube by (3, 0, 0)")
    assert len(told("Move Cube up by 2. Move the camera up by 1")) == 2
    assert not any("A" in str(check) for check in told("Add a cube called A, delete A"))
    assert told("Add a bevel modifier to Cube with width 2. Delete the bevel modifier of Cube") == [
        {"check": "object", "name": "Cube", "without": ["modifiers.Bevel"]}
    ]


PLACES = ("location", "rotation", "scale")


@pytest.mark.parametrize(
    ("request_", "places"),
    [
        ("Add a cube at (1, 0, 0). Scale it by 2. Move it up by 3", {"location": [1, 0, 3], "scale": [2, 2, 2]}),
        ("Add a cube at (1, 0, 0). Move it by (1, 0, 0). Move it up by 1", {"location": [2, 0, 1]}),
        ("Add a cube. Rotate it by 0.5 rad around Z. Rotate it by 1 rad around Z", {"rotation": [0, 0, 1.5]}),
        ("Add a cube. Rotate it by 0.5 rad around Z. Rotate it by 1 rad around X", {}),
        ("Add a cube at (1, 0, 0). Add an empty. Add a copy location constraint to the cube", {}),
        ("Add a cube at (1, 0, 0). Aim it at (0, 0, 9). Rotate it by 1 rad around X", {"location": [1, 0, 0]}),
    ],
)
def test_where_a_made_thing_is_in_the_end_is_checked(
    request_: str, places: dict[str, list[float]], manifest: Manifest
) -> None:
    checks = [check.said() for check in COMMANDS.draft(request_, manifest).accept]
    found = {name: value for check in checks for name, value in check.items() if name in PLACES}
    assert found.keys() == places.keys() and all(found[name] == pytest.approx(places[name]) for name in places)
    assert any("made by" in str(check) for check in checks)


def test_many_checks_of_one_thing_become_one_and_the_rest_is_told(manifest: Manifest) -> None:
    def drafted(number: int, rest: str) -> tuple[int, list[str]]:
        draft = COMMANDS.draft(" ".join(f"Add a cube called B{at}{rest}." for at in range(number)), manifest)
        return len(draft.accept), [note for note in draft.notes if "not checked" in note]

    assert drafted(40, " at (1, 2, 3) and make it red") == (40, [])
    assert drafted(43, " and make it red") == (40, ["3 of its effects are not checked: no check can hold them."])


@pytest.mark.parametrize(
    "request_",
    [
        f'Add a text called T and set the body to "{"x" * 300}"',
        f'Add a custom property called "hp" with value "{"x" * 600}" to the cube',
        "Add a custom property called Big with value 3e9 to the cube",
        f'Use the recipe gear with name "{"x" * 300}"',
    ],
)
def test_what_no_check_can_hold_is_written_and_told(request_: str, manifest: Manifest) -> None:
    assert COMMANDS.draft(request_, manifest).snippet
    assert COMMANDS.plan(f"{request_}. Knit it a hat", manifest).missing == ["Knit it a hat"]


@pytest.mark.parametrize(
    "named",
    [
        "Add a bevel modifier called 'a\"b' to the cube with width 2",
        "Add a shape key called 'a\"b' to the cube with value 1",
        "Add a custom property called 'a\"b' with value 3 to the cube",
    ],
)
def test_a_quote_in_a_name_is_one_in_its_path(named: str, manifest: Manifest) -> None:
    checks = COMMANDS.draft(named, manifest).accept
    assert any('["a\\"b"]' in path for check in checks for path in getattr(check, "values", {}))


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ("Add a sphere at (3, 0, 0). Make the ball red", "sphere.active_material = red"),
        ("Add a camera at (5, 5, 5). Aim the camera at the cube", "camera.matrix_world"),
        ("Delete the camera. Add a camera at (0, -5, 2). Aim the camera at the cube", "camera_2.matrix_world"),
        ("Make the active object red. Add a cube called B. Move the active object up by 2", "b.matrix_world.trans"),
        ("Duplicate the cube as linked copy called Twin. Make Twin red", 'slot.link = "OBJECT"'),
        ("Rename the cube to Crate. Scale the cube by 2", 'bpy.data.objects.get("Cube") or bpy.data.objects["Crate"]'),
        ("Rename the material Material to Steel. Set its metallic to 1", 'principled_bsdf.inputs["Metallic"]'),
        ("Rename the cube to my new cube", 'cube.name = "my new cube"'),
        ("Add a text called the end, please", '.name = "the end"'),
        ("Set the render engine to eevee and the samples to 16", "taa_render_samples = 16"),
        ("Set the render engine to cycles and the samples to 16", "cycles.samples = 16"),
        ("Add a weld modifier to the cube with merge threshold 4e-7", "merge_threshold = 4e-07"),
        ("Set the location of every light to (0, 0, 5)", "len(one.children_recursive)"),
    ],
)
def test_words_mean_what_a_reader_takes_them_for(request_: str, code: str, manifest: Manifest) -> None:
    assert code in COMMANDS.draft(request_, manifest).snippet


def test_a_small_number_is_not_met_by_zero(manifest: Manifest) -> None:
    [_, check] = COMMANDS.draft("Add a weld modifier to the cube with merge threshold 4e-7", manifest).accept
    assert check.said()["tolerance"] == pytest.approx(4e-9)


def test_a_setting_brings_what_it_needs(manifest: Manifest) -> None:
    snippet = COMMANDS.draft("Add a bevel modifier to Cube with angle limit 30 degrees", manifest).snippet
    assert 'limit_method = "ANGLE"' in snippet and "angle_limit = radians(30.0)" in snippet
    assert "limit_method" not in COMMANDS.draft("Add a bevel modifier to Cube with width 1", manifest).snippet


def test_recipes_take_the_constants_of_their_files(manifest: Manifest) -> None:
    snippet = COMMANDS.draft("Use the recipe gear called Cog with teeth 24 and colour red", manifest).snippet
    assert 'NAME = "Cog"' in snippet and "TEETH, RADIUS, HOLE = 24, 1.0, 0.25" in snippet
    with pytest.raises(NotUnderstood, match="It has: name, teeth"):
        COMMANDS.draft("Use the recipe gear with wings 2", manifest)
    with pytest.raises(NotUnderstood, match="a request of its own"):
        COMMANDS.draft("Add a cube. Use the recipe gear", manifest)
    assert all(one.constants or one.name for one in recipes().values())


def test_a_refused_request_is_a_plan(manifest: Manifest) -> None:
    plan = COMMANDS.plan("Add a cube called Box. Knit it a hat. Make Box red", manifest)
    assert (plan.understood, plan.missing) == (["Add a cube called Box", "Make Box red"], ["Knit it a hat"])
    assert plan.snippet and "Box" in plan.snippet
    assert COMMANDS.plan("Shall I compare thee", manifest).understood == []


def test_a_plan_of_many_sentences_gives_up_early(manifest: Manifest) -> None:
    some = COMMANDS.plan("Add a cube. Knit it a hat. " * (MOST_REFUSED - 1), manifest)
    assert len(some.understood) == len(some.missing) == MOST_REFUSED - 1
    many = COMMANDS.plan("Add a cube. Knit it a hat. " * 100, manifest)
    assert (len(many.understood), len(many.missing)) == (MOST_REFUSED, 200 - MOST_REFUSED)


def test_colors() -> None:
    assert color_of("dark red") == (0.24, 0.003, 0.003) and color_of("#ffffff") == (1.0, 1.0, 1.0)
    assert color_of("gold-coloured") == color_of("gold") and color_of("reddish") is None and color_of("#12") is None


@pytest.mark.parametrize(
    "odd", ["", "   ", ".", "add", "add a", "set", "((((", '"' * 50, "a" * 5000, "and then", "move \x00 to (1,2,3)"]
)
def test_odd_requests_are_refused(odd: str, manifest: Manifest) -> None:
    with pytest.raises(NotUnderstood):
        COMMANDS.draft(odd, manifest)


def test_pieces_of_requests_never_break_it(manifest: Manifest) -> None:
    chance = random.Random(2)
    words = " ".join(load_examples()).split()
    for _ in range(400):
        request = " ".join(chance.choices(words, k=chance.randint(1, 12)))
        try:
            COMMANDS.draft(request, manifest)
        except NotUnderstood as refusal:
            assert refusal.reason


def test_the_words_are_read_from_one_file() -> None:
    assert tomllib.loads((PACKAGE / "words.toml").read_text(encoding="utf-8")) == WORDS
