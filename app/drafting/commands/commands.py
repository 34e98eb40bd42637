"""The drafting source that needs no model. A request goes through it like this:

    "Add a cube called Box, and shade it smooth."
      │ lexer.py        sentences, and the terminals of grammar.lark
      │ read.py         parsed: typed operations (operations.py), nothing looked up yet
      │ names.py        the meaning of names in the target Blender: its manifest, and words.toml
      │ subjects.py     the subjects of a sentence (subject.py): objects, their parts and data, data blocks, the scene
      │                 known_things.py knows what earlier sentences made, renamed, chose or deleted
      v write/          each operation writes its lines and the acceptance check of its effect
    script.py           the snippet, and checks.py its checks, which later sentences revise

A request is written as a whole or refused as a whole, with the sentence, the word, and the words allowed there.
"""

from __future__ import annotations

import threading
import tomllib
from collections.abc import Sequence
from importlib.resources import files
from typing import Final

from app.drafting.commands.lexer import Sentence, sentences
from app.drafting.commands.names import Names
from app.drafting.commands.read import read_sentence
from app.drafting.commands.script import Script
from app.drafting.commands.subjects import Subjects
from app.drafting.commands.write import adding, keying, looks, managing, placing, recipes, setting
from app.drafting.commands.write import shader_nodes as nodes
from app.drafting.commands.write.writing import WRITERS, Context
from app.drafting.draft import NotUnderstood, PartialDraft, SnippetDraft
from ingest.manifest import Manifest

LONGEST: Final = 4000
"""Characters of a request in the command language."""
MOST_REFUSED: Final = 8
"""Sentences of a refused request that are tried in vain before the others count as not understood."""
UNCHECKED: Final = "{} of its effects are not checked: no check can hold them."
_FAMILIES: Final = (adding, keying, looks, managing, nodes, placing, recipes, setting)
"""The modules that enter their writers into WRITERS."""


def load_examples() -> tuple[str, ...]:
    """Requests in the command language, from examples.toml: one from each area in turn."""
    text = files("app.drafting.commands").joinpath("examples.toml").read_text(encoding="utf-8")
    return tuple(request for area in tomllib.loads(text).values() for request in area)


class Commands:
    """Answers requests that are written in the command language. Safe to call from several threads."""

    def __init__(self) -> None:
        self._lock, self._names = threading.Lock(), dict[str, Names]()

    def draft(self, request: str, manifest: Manifest) -> SnippetDraft:
        """Write the snippet that the request asks for, for the Blender of this manifest.

        The same request always gives the same snippet. Raises `NotUnderstood` with the sentence and the word that were
        not understood, and `ValueOutOfRange` if Blender does not take a value.
        """
        with self._lock:
            if len(request) > LONGEST:
                raise NotUnderstood([], f"A request in the command language has at most {LONGEST} characters.")
            parts = sentences(request)
            if not parts:
                raise NotUnderstood([], "The request is empty.")
            script = _Beginning(request, self._names_of(manifest), parts).script
            snippet, checks = script.finish(), script.checks.finish()
            notes = [*script.notes, *([UNCHECKED.format(script.checks.beyond)] if script.checks.beyond else [])]
            return SnippetDraft(snippet, "commands", notes, checks)

    def plan(self, request: str, manifest: Manifest) -> PartialDraft:
        """The understood part of a request that `draft` refuses: the longest beginnings that can be written.

        After MOST_REFUSED sentences that are not understood, no more are tried.
        """
        understood: list[Sentence] = []
        missing: list[str] = []
        parts = sentences(request[:LONGEST])
        with self._lock:
            names = self._names_of(manifest)
            begun = _Beginning(request, names)
            for place, sentence in enumerate(parts):
                if len(missing) == MOST_REFUSED:
                    missing += [rest.text for rest in parts[place:]]
                    break
                try:
                    begun.write(sentence)
                except NotUnderstood:
                    missing.append(sentence.text)
                    # Drop the lines that it wrote before it was refused.
                    begun = _Beginning(request, names, understood)
                else:
                    understood.append(sentence)
            snippet = begun.script.finish() if understood else ""
        return PartialDraft(snippet, [sentence.text for sentence in understood], missing)

    def _names_of(self, manifest: Manifest) -> Names:
        key = f"{manifest.version} {manifest.build_hash}"
        return self._names.get(key) or self._names.setdefault(key, Names(manifest))


class _Beginning:
    """A script, and the sentences that were written into it."""

    def __init__(self, request: str, names: Names, earlier: Sequence[Sentence] = ()) -> None:
        self.script = Script(request, names)
        self._context = Context(self.script, Subjects(self.script))
        for sentence in earlier:
            self.write(sentence)

    def write(self, sentence: Sentence) -> None:
        """Write a further sentence; raises NotUnderstood, perhaps after a part of it was written."""
        try:
            for operation in read_sentence(sentence):
                self.script.note(operation)
                WRITERS[operation.do](self._context, operation)
        except NotUnderstood as refused:
            reason = refused.reason if sentence.text in refused.reason else f'In "{sentence.text}": {refused.reason}'
            raise type(refused)(refused.words, reason, refused.allowed) from None
