"""Brings an index up to date with its folder: reads what changed, takes it apart, and swaps it in at once."""

from __future__ import annotations

import dataclasses
import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import filelock
import numpy as np

from codebase.errors import IndexingBusy, IndexingFailed, NotARepository, RepositoryError
from codebase.index.files import FileListing, SkippedFile, Stamp, Stamps, is_foreign, list_files, read_file
from codebase.index.limit import TooSlow, computing_within
from codebase.index.meaning import EmbeddingModel, choose_model, embed_missing, model_of
from codebase.index.store import Counts, Store, content_key, open_index
from codebase.index.words import count_terms, line_words, words_of
from codebase.tree.history import read_history
from codebase.units.languages import language_of
from codebase.units.unit import ParsedFile
from search.exporting import ModelUnusable

NAME_TIMES: Final = 4
"""Weight of the name of a unit, compared with a word of its body."""
AROUND_TIMES: Final = 2
"""Weight of the names of the classes and functions around it."""
FILE_S: Final = 10.0
"""Seconds of computing for one file. One of 1 MB, the largest that is read, takes up to 5 if a person wrote it."""
RACY_NS: Final = 50_000_000
"""A file that changed less than this before it was read may change again within the resolution of its clock."""

Say = Callable[[str], None]


@dataclasses.dataclass(frozen=True)
class IndexingResult:
    """Result of an indexing. `read` files had changed, `parsed` of them were new to the index."""

    files: int
    units: int
    read: int
    parsed: int
    removed: int
    skipped: dict[str, str]
    problems: dict[str, str]
    commit: str | None
    seconds: float
    embedded: int = 0
    """Units that got a vector, if the index keeps vectors."""
    problem: str | None = None
    """The reason why vectors are missing, if the model cannot be used."""


def update(
    root: Path,
    folder: Path,
    say: Say = lambda _what: None,
    model: EmbeddingModel | None = None,
    most_embedded: int | None = None,
) -> IndexingResult:
    """Bring the index in `folder` up to date with the files below `root`.

    The first call with a `model` makes the index keep vectors of it, and the next calls keep them up to date. Words
    are searchable before the first unit is embedded; units beyond `most_embedded` wait for the next call.

    Raises NotARepository, GitFailed, IndexingBusy and IndexingFailed; the index is then as it was.
    """
    began = time.monotonic()
    try:
        listing = list_files(root)
    except OSError as error:
        raise NotARepository(f"{root} cannot be read: {error.strerror or error}.") from error
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(folder / "index.lock", timeout=0), open_index(folder, to_write=True) as store:
            with store.transaction():
                done = _Update(store, listing, say).run()
            if model:
                choose_model(store, model)
            embedded, problem = embed(store, most_embedded, say)
            taken = time.monotonic() - began
            return dataclasses.replace(done, seconds=taken, embedded=embedded, problem=problem)
    except filelock.Timeout as error:
        raise IndexingBusy(f"{root} is being indexed by another process: wait until it is done.") from error
    except RepositoryError:
        raise
    except OSError as error:
        raise IndexingFailed(f"The index in {folder} cannot be written: {error.strerror or error}.") from error


def without_vectors(folder: Path) -> None:
    """Let an index keep no vectors. Raises IndexingBusy and IndexingFailed."""
    try:
        with filelock.FileLock(folder / "index.lock", timeout=0), open_index(folder, to_write=True) as store:
            choose_model(store, None)
    except filelock.Timeout as error:
        raise IndexingBusy("The index is being written by another process: wait until it is done.") from error


def embed(store: Store, most: int | None, say: Say) -> tuple[int, str | None]:
    """Embed all units without a vector, if the index keeps vectors; returns their number, and the hindrance if any."""
    model = model_of(store)
    try:
        return (embed_missing(store, model, most, say) if model else 0), None
    except ModelUnusable as error:
        return 0, str(error)


class _Update:
    """One indexing."""

    def __init__(self, store: Store, listing: FileListing, say: Say) -> None:
        self._store, self._listing, self._say = store, listing, say
        self._skipped = dict(listing.skipped)
        self._terms: dict[str, int] = {}
        self._new_terms: list[tuple[str, int]] = []
        self._known = store.contents()
        self._read = self._parsed = 0

    def run(self) -> IndexingResult:
        before, listing = self._store.files(), self._listing
        kept: set[str] = set()
        changed: list[str] = []
        stamps = Stamps(listing.root)
        for path in listing.paths:
            stamp = stamps.of(path)
            if isinstance(stamp, SkippedFile):
                self._skipped[path] = stamp.reason
            elif path in before and before[path][1] == stamp:
                kept.add(path)
            else:
                changed.append(path)
        self._say(f"{len(listing.paths)} files, {len(changed)} to read")
        if changed:
            self._terms = self._store.terms()
        kept |= {path for path in changed if self._take(path)}
        gone = before.keys() - kept
        self._store.remove_files(gone)
        self._store.put_terms(self._new_terms)
        self._store.put_skipped(self._skipped)
        self._store.forget_contents()
        changed_commit = self._write_meta()
        self._store.finish()
        if self._read or gone or changed_commit:
            self._store.renew()
        return self._result(len(gone))

    def _take(self, path: str) -> bool:
        """Put a file that was changed into the index; False if it cannot be read."""
        content = read_file(self._listing.root, path)
        if isinstance(content, SkippedFile):
            self._skipped[path] = content.reason
            return False
        self._read += 1
        # Now, not after the text was parsed, which takes longer than a file needs to settle.
        stamp = stamp_to_keep(content.stamp)
        key = content_key(content.sha256, language_of(path))
        if key not in self._known:
            self._put_content(path, key, content.text)
            self._known.add(key)
            self._parsed += 1
        self._store.put_file(path, key, stamp)
        return True

    def _put_content(self, path: str, key: str, text: str) -> None:
        """Put the units and facts of a text into the index; nothing but a problem if it cannot be read in time."""
        # Imported here, because they take as long as a search, which seldom finds a file that was changed.
        from codebase.graph.build import facts_of
        from codebase.graph.edge import SourceText
        from codebase.index.labels import label_terms
        from codebase.units.read import read_units

        facts, labels = dict[str, object](), Counter[str]()
        try:
            with computing_within(FILE_S):
                parsed = read_units(path, text)
                facts = facts_of(SourceText(parsed.language, text, parsed.units, parsed.tree))
                labels = label_terms(parsed)
        except TooSlow:
            parsed, text = left_out(path, f"reading it takes more than {FILE_S:g} s"), ""
        except (OSError, ImportError, MemoryError):
            # It is not the file: the next ones would fare no better.
            raise
        except RecursionError:
            parsed, text = left_out(path, "it nests too deep"), ""
        except Exception as error:
            # A fault of ours in one file must not cost the index all others.
            parsed, text = left_out(path, f"a fault of Blendproof ({type(error).__name__})"), ""
        counts, shown = self._counts(text, parsed), self._packed([labels])
        self._store.put_content(key, parsed, is_foreign("", text), counts, shown, text, facts)

    def _counts(self, text: str, parsed: ParsedFile) -> Counts:
        """The terms of a file and of its units."""
        lines = line_words(text.split("\n"))
        documents = [count_terms(word for line in lines for word in line)]
        for unit in parsed.units:
            words = (word for first, last in unit.spans for line in lines[first - 1 : last] for word in line)
            around, _, name = unit.name.rpartition(".")
            documents.append(
                count_terms(words)
                + times(NAME_TIMES, count_terms(words_of(name)))
                + times(AROUND_TIMES, count_terms(words_of(around)))
            )
        return self._packed(documents)

    def _packed(self, documents: Sequence[Counter[str]]) -> Counts:
        ids = [[self._id(term) for term in document] for document in documents]
        return Counts(
            np.array([len(document) for document in ids], dtype=np.int32),
            np.array([term for document in ids for term in document], dtype=np.int32),
            np.array([count for document in documents for count in document.values()], dtype=np.int32),
        )

    def _id(self, term: str) -> int:
        if term not in self._terms:
            self._terms[term] = len(self._terms)
            self._new_terms.append((term, self._terms[term]))
        return self._terms[term]

    def _write_meta(self) -> bool:
        """Write down the commit and its history; True if they differ from those before."""
        listing, meta = self._listing, self._store.meta()
        commit = listing.commit or ""
        is_new = meta.get("commit") != commit or "history" not in meta
        if is_new:
            history = read_history(listing.root) if listing.commit else []
            self._store.set_meta(history=json.dumps(history))
        self._store.set_meta(commit=commit, root=str(listing.root), indexed_at=f"{time.time():.3f}")
        return is_new

    def _result(self, removed: int) -> IndexingResult:
        files, units, problems = self._store.totals()
        skipped = dict(sorted(self._skipped.items()))
        commit = self._listing.commit
        return IndexingResult(files, units, self._read, self._parsed, removed, skipped, problems, commit, 0.0)


def left_out(path: str, why: str) -> ParsedFile:
    """A file that is known by its name alone."""
    return ParsedFile(language_of(path), (), problem=f"left out: {why}")


def times(factor: int, counts: Counter[str]) -> Counter[str]:
    """Counts as if every term stood there several times."""
    return Counter({term: factor * count for term, count in counts.items()})


def stamp_to_keep(stamp: Stamp) -> Stamp:
    """The stamp to remember: if the file was touched just now, one that the next indexing will not trust."""
    return stamp if time.time_ns() - stamp.mtime_ns > RACY_NS else dataclasses.replace(stamp, mtime_ns=0)
