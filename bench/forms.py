"""How the composer reads a request that it reads in plain words when the same is said in another form.

    python -m bench.forms [FORM] [--count 20] [--seed 1] [--show] [--blender 4.5]

The plain requests are those of `bench/wordings` that are about one object. Each form is a way to say any of them:
"it should be moved", "moving it", a list with numbers, another way to name the object, two requests in a row. No form
is of one request, so what is refused says what the grammar has not understood about language. For each form:

    same       the code is that of the plain request
    other      it is another one: look at them with --show
    refused    the composer does not read it
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Callable
from typing import Final

from app.blenders import blenders_of
from app.drafting.composer import Composer
from app.drafting.draft import NotUnderstood
from app.manifests import Manifests
from app.settings import read_settings
from bench.wordings import WORDINGS, code_of, print_row, read_pairs
from harness.blenders import choose
from ingest.manifest import Manifest

ENDINGS: Final = ("same", "other", "refused")
THING: Final = '"Crate"'
NO_OBJECT: Final = re.compile(
    r"(called|named|collection|material|modifier|strip|bone|key|group|marker|action|image|scene|node|text|world|layer|camera"
    r"|menu|light|lamp|track|constraint|operator|panel|file|property|armature|empty|attribute|curve|prefix|suffix|with|folder"
    r"|mesh|the|to|AOV) \"|\"[^\"]*[/.]"
)
"""What stands before a name that is none of an object, or of one of some type."""
VERBS: Final = {
    "set": "set", "rotate": "rotated", "move": "moved", "scale": "scaled", "add": "added",
    "delete": "deleted", "remove": "removed", "hide": "hidden", "apply": "applied", "convert": "converted",
    "keyframe": "keyframed", "subdivide": "subdivided", "lock": "locked", "disable": "disabled", "enable": "enabled",
    "insert": "inserted", "clear": "cleared", "bevel": "beveled", "extrude": "extruded", "separate": "separated",
    "smooth": "smoothed", "resize": "resized", "duplicate": "duplicated", "unlock": "unlocked", "merge": "merged",
}  # fmt: skip
SPLIT: Final = re.compile(r"(.+?)(?: ((?:to|by|from|at|in|into|with|after|before|around|along|as|up|down|until) .*))?$")
"""A noun phrase and what follows it."""

Said = Callable[[str, str, str], str]
Form = Callable[[str, str], tuple[str, str] | None]
MOODS: Final[dict[str, Said]] = {
    "X should be done": lambda verb, noun, rest: f"{noun} should be {VERBS[verb]} {rest}",
    "X must be done": lambda verb, noun, rest: f"{noun} must be {VERBS[verb]} {rest}.",
    "X needs to be done": lambda verb, noun, rest: f"{noun} needs to be {VERBS[verb]} {rest}",
    "I want X to be done": lambda verb, noun, rest: f"I want {noun} to be {VERBS[verb]} {rest}",
    "I want X done": lambda verb, noun, rest: f"I want {noun} {VERBS[verb]} {rest}",
    "get X done": lambda verb, noun, rest: f"get {noun} {VERBS[verb]} {rest}",
    "X done": lambda verb, noun, rest: f"{noun} {VERBS[verb]} {rest}",
    "doing X": lambda verb, noun, rest: f"{gerund(verb)} {noun} {rest}",
    "could you": lambda verb, noun, rest: f"Could you please {verb} {noun} {rest}?",
    "I need to": lambda verb, noun, rest: f"I need to {verb} {noun} {rest}",
    "how do I": lambda verb, noun, rest: f"How do I {verb} {noun} {rest}?",
    "a script that": lambda verb, noun, rest: f"Python script that {third_person(verb)} {noun} {rest}",
    "write a script which": lambda verb, noun, rest: (
        f"Write a short Blender Python script which {third_person(verb)} {noun} {rest}."
    ),
    "snippet to": lambda verb, noun, rest: f"snippet to {verb} {noun} {rest}",
}
NAMES: Final = {
    "the object X": 'the object "Crate"',
    "the object called X": 'the object called "Crate"',
    "object X": "object Crate",
    "X": "Crate",
    "the X object": "the Crate object",
    "my X": 'my "Crate"',
    "the one called X": 'the one called "Crate"',
    "the mesh X": 'the mesh "Crate"',
    "X in single quotes": "'Crate'",
    "X in backticks": "`Crate`",
}
BEFORE: Final[dict[str, Callable[[str], str]]] = {
    "There is X. ...": lambda plain: f'There is an object "Crate" in the scene. {capital(plain.replace(THING, "it"))}.',
    "I have X. ...": lambda plain: f'I have an object called "Crate". {capital(plain.replace(THING, "it"))}.',
    "take X and ...": lambda plain: f'Take the object "Crate" and {plain.replace(THING, "it")}',
    "in the current scene": lambda plain: f"In the current scene, {plain}.",
}
JOINED: Final[dict[str, Callable[[str, str], str]]] = {
    "A. B": lambda one, two: f"{capital(one)}. {capital(two)}.",
    "A, then B": lambda one, two: f"{one}, then {two}",
    "A and B": lambda one, two: f"{one} and {two}",
    "A; B": lambda one, two: f"{one}; {two}",
    "A. Finally, B": lambda one, two: f"{capital(one)}. Finally, {two}.",
    "A. When that's done, B": lambda one, two: f"{capital(one)}. When that's done, {two}.",
    "First A. Then B": lambda one, two: f"First {one}. Then {two}.",
    "1. A 2. B": lambda one, two: f"1. {capital(one)} 2. {capital(two)}",
    "1) A (line) 2) B": lambda one, two: f"1) {one}\n2) {two}",
    "- A (line) - B": lambda one, two: f"- {one}\n- {two}",
    "A (line) B": lambda one, two: f"{one}\n{two}",
    "A + B": lambda one, two: f"{one} + {two}",
}
"""Two requests about the same object, the second one about "it"; they are compared with "A. B" by its name."""


def main() -> None:
    """Draft plain requests in each form and print how many ended how."""
    parser = argparse.ArgumentParser(description="Measure how the composer reads plain requests in other forms.")
    parser.add_argument("form", nargs="?", default="", help="only forms with this in their names; all unless given")
    parser.add_argument("--count", type=int, default=20, help="plain requests a form")
    parser.add_argument("--seed", type=int, default=1, help="which of them")
    parser.add_argument("--show", action="store_true", help="print every one that did not end as the same code")
    parser.add_argument("--blender", help="version, series or label; the default Blender unless given")
    given = parser.parse_args()
    settings = read_settings()
    manifest = Manifests(settings.home).of(choose(blenders_of(settings), given.blender))
    composer = Composer()
    chance = random.Random(given.seed)
    plains = plain_requests(composer, manifest)
    print(f"{len(plains)} plain requests\n{'':32}" + "".join(f"{ending:>9}" for ending in ENDINGS))
    total: Counter[str] = Counter()
    for name, say in forms().items():
        if given.form not in name:
            continue
        count: Counter[str] = Counter()
        pairs = [
            pair for pair in (say(plain, chance.choice(plains)) for plain in chance.sample(plains, len(plains))) if pair
        ]
        for said, plain in pairs[: given.count]:
            wanted, written = (code_of(composer, manifest, each) for each in (plain, said))
            if isinstance(wanted, NotUnderstood):
                continue  # these two make no sense one after the other
            ending = "refused" if isinstance(written, NotUnderstood) else "same" if written == wanted else "other"
            count[ending] += 1
            if given.show and ending != "same":
                why = f"\n    {written.reason}" if isinstance(written, NotUnderstood) else ""
                print(f"{ending}: {said!r}\n    plain: {plain}{why}")
        print_row(name, count, ENDINGS, width=24)
        total += count
    print_row("all", total, ENDINGS, width=24)


def forms() -> dict[str, Form]:
    """Each form: from a plain request, and a second one, to what is said and the plain wording of that."""

    def of_mood(mood: Said) -> Form:
        return lambda plain, _: in_mood(mood, plain)

    def of_name(words: str) -> Form:
        return lambda plain, _: (plain.replace(THING, words), plain)

    def of_sentence(say: Callable[[str], str]) -> Form:
        return lambda plain, _: (say(plain), plain)

    def of_two(join: Callable[[str, str], str]) -> Form:
        return lambda one, two: (join(one, two.replace(THING, "it")), f"{one}. {two}")

    return {
        **{name: of_mood(mood) for name, mood in MOODS.items()},
        **{name: of_name(words) for name, words in NAMES.items()},
        **{name: of_sentence(say) for name, say in BEFORE.items()},
        **{name: of_two(join) for name, join in JOINED.items()},
    }


def in_mood(mood: Said, plain: str) -> tuple[str, str] | None:
    """A command in another mood, if it is one with a verb and a noun phrase that can be told apart."""
    verb, _, rest = plain.partition(" ")
    found = SPLIT.fullmatch(rest)
    if (
        verb not in VERBS
        or found is None
        or ":" in found[1]
        or found[1].split()[0] in {"up", "down", "on", "off", "to"}
    ):
        return None
    return mood(verb, found[1], found[2] or "").strip().replace(" .", ".").replace(" ?", "?"), plain


def plain_requests(composer: Composer, manifest: Manifest) -> list[str]:
    """The plain wordings about one object, which is called Crate in all of them, as far as they are read."""
    found: dict[str, None] = {}
    for file in sorted(WORDINGS.glob("*.jsonl")):
        for _, plain in read_pairs(file):
            named = re.findall(r'"[^"]+"', plain)
            if len(named) == 1 and not NO_OBJECT.search(plain) and not re.search(r"[.;]\s|, then|\bthen\b", plain):
                found[plain.replace(named[0], THING)] = None
    chosen = random.Random(0).sample(list(found), min(len(found), POOL))
    return [plain for plain in chosen if not isinstance(code_of(composer, manifest, plain), NotUnderstood)]


POOL: Final = 400
"""So many plain requests are drawn from; each is drafted once at the start."""


def gerund(verb: str) -> str:
    """The verb with "-ing"."""
    return f"{verb}{verb[-1]}ing" if verb == "set" else f"{verb.removesuffix('e')}ing"


def third_person(verb: str) -> str:
    """The verb with "-s"."""
    return f"{verb[:-1]}ies" if verb == "apply" else f"{verb}s"


def capital(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


if __name__ == "__main__":
    main()
