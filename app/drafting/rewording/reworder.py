"""What somebody may have meant by a request that the composer refuses.

request ─> states.py, network.py     wordings, the surest first
        ─> the composer              without those that it does not cover either
        ─> one for each code that they lead to
"""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path
from typing import Final

import structlog

from app.drafting.composer.tokens import tokenize
from app.drafting.draft import Drafter, NotUnderstood
from app.drafting.rewording.network import Network, Wording, load_network
from app.drafting.rewording.states import Preparation, States
from ingest.exporting import ModelUnusable
from ingest.manifest import Manifest

log = structlog.get_logger()

PROPOSED: Final = 3
"""Wordings that are proposed for a request."""


class Reworder:
    """The network, once it is loaded; before that, and where it cannot be used, it proposes nothing. May be called by
    threads.
    """

    def __init__(self, home: Path) -> None:
        self.problem: str | None = None
        """Why it cannot be used, once that is known."""
        self._preparation: Final = Preparation(home)
        self._parts: tuple[States, Network] | None = None
        self._thread: Final = threading.Thread(target=self._load_quietly, name="rewording")

    @property
    def ready(self) -> bool:
        """Whether it is loaded."""
        return self._parts is not None

    def start(self) -> None:
        """Load it beside everything else."""
        self._thread.start()

    def load(self) -> None:
        """Make the files where they are missing, which takes ten seconds, and load them; raises ModelUnusable."""
        try:
            self._parts = States(self._preparation.folder()), load_network()
        except ModelUnusable as error:
            self.problem = str(error)
            raise
        self.problem = None

    def close(self) -> None:
        """Stop what is under way; the files are then made another time."""
        self._preparation.stop()
        if self._thread.is_alive():
            self._thread.join()

    def propose(self, request: str, drafter: Drafter, manifest: Manifest) -> list[str]:
        """Wordings that the drafter covers on the Blender of this manifest, the surest first, one for each code."""
        first: dict[str, str] = {}
        for wording in self.wordings(request):
            try:
                snippet = drafter.draft(wording.text, manifest).snippet
            except NotUnderstood:
                continue
            first.setdefault(bare_code(snippet, wording.text), wording.text)
        return list(first.values())[:PROPOSED]

    def wordings(self, request: str) -> list[Wording]:
        """What the network writes for a request, the surest first; whether the composer covers it is not asked."""
        if self._parts is None:
            return []
        states, network = self._parts
        tokens = tokenize(request)
        return network.wordings(tokens, states.of(request, tokens)) if tokens else []

    def _load_quietly(self) -> None:
        try:
            self.load()
        except ModelUnusable as error:
            log.warning("no wordings are proposed", problem=str(error))


def bare_code(snippet: str, request: str) -> str:
    """A snippet of the composer without what it says about itself and about the request that it was drafted for."""
    # Things that a script may make only once are marked with the hash of its request.
    digest = hashlib.sha256(" ".join(request.split()).encode()).hexdigest()[:8]
    code = snippet.split('"""', 2)[-1].replace(digest, "")
    return "\n".join(line for line in code.splitlines() if not line.lstrip().startswith("#"))
