"""The drafting source that needs no model: text -> operations -> resolved against the manifest -> code and checks."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from app.drafting.draft import Draft, NotUnderstood, Plan
from ingest.manifest import Manifest


def load_examples() -> tuple[str, ...]:
    """Requests in the command language, from examples.toml."""
    text = files("app.drafting.commands").joinpath("examples.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["requests"])


class Commands:
    """Answers requests that are written in the command language, and refuses every other one as a whole."""

    def draft(self, request: str, manifest: Manifest) -> Draft:
        """Write the snippet that the request asks for, for the Blender of this manifest; raises NotUnderstood."""
        raise NotUnderstood([], "The command language is not there yet.")

    def plan(self, request: str, manifest: Manifest) -> Plan:
        """What is understood of a request that `draft` refuses, sentence by sentence."""
        return Plan("", [], [])
