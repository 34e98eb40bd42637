"""The drafting source that needs no model. A request goes through it like this:

    "Add a red cube 2 m wide and shade it smooth"
      │
      │ tokens.py     cuts it into words, numbers, names in quotes and marks; drops nothing
      │ cursor.py     walks over them: takes a phrase, a name, a number with its unit
      │ lexicon.py    what each phrase means: grammar.toml, primitives.toml, modifiers.toml, materials.toml
      v
    reader.py         refuses words it does not know, then reads clause by clause: "add ...", "shade ..."
      │ nouns.py      a thing and everything said of it: "a red cube 2 m wide with a bevel modifier"
      │ settings.py   a property and its value, within Blender's limits: "2 m wide"
      │ materials.py  how a surface looks: "red"
      │ targets.py    which object is meant: "it"
      v
    plan.py           AddPrimitive(cube, size=2), SetMaterial(red), Shade(smooth): typed steps, and the notes on them
      │
      v
    writer.py         the snippet: constants, a function for each thing, `main`
        parts.py      the helper functions that snippets share
        source.py     values and names as Python source

Everything up to the plan may refuse, with the words to blame; what has become a plan is always written.
"""

from __future__ import annotations

from app.drafting.composer.lexicon import load_lexicon, read_toml
from app.drafting.composer.plan import describe
from app.drafting.composer.reader import read
from app.drafting.composer.writer import write
from app.drafting.draft import Draft


def load_examples() -> tuple[str, ...]:
    """Requests that the composer answers, from examples.toml."""
    return tuple(read_toml("examples.toml")["requests"])


class Composer:
    """Answers requests that name Blender things, and refuses every other one as a whole."""

    def draft(self, request: str) -> Draft:
        """Write the snippet that the request asks for; the same request always gives the same snippet.

        Raises `NotUnderstood` if a word found no place, `ValueOutOfRange` if Blender does not take a value.
        """
        lexicon = load_lexicon()
        plan = read(lexicon, request)
        return Draft(snippet=write(plan, lexicon, request), source="composer", notes=describe(plan))
