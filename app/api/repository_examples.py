"""The examples of the documentation of `/repositories`."""

from __future__ import annotations

from typing import Any, Final

COMMIT: Final = "4f0c2a9d6b1e83577c0d94a1f2be60c35d7e8a91"
HASH: Final = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
FRESHNESS: Final[dict[str, Any]] = {
    "commit": COMMIT,
    "was_stale": True,
    "read": 1,
    "removed": 0,
    "problem": None,
    "words_alone": None,
}
REPOSITORY: Final[dict[str, Any]] = {
    "name": "my-addon",
    "root": "/srv/add-ons/my-addon",
    "url": None,
    "sources": [{"name": "numpy", "kind": "package", "version": "2.1.0"}],
}
STATE: Final[dict[str, Any]] = {
    **REPOSITORY,
    "files": 128,
    "units": 3017,
    "commit": COMMIT,
    "skipped": {"icons/logo.png": "binary"},
    "skipped_by_reason": {"binary": 1},
    "problems": {},
    "source_files": {"numpy": 460},
}
HIT: Final[dict[str, Any]] = {
    "citation": "export/mesh.py:40-52",
    "name": "export_mesh",
    "kind": "function",
    "signature": "def export_mesh(mesh, path)",
    "ancestors": "",
    "sha256": HASH,
    "score": 0.31,
    "reasons": ["words (place 1)", "file: words of the file (place 1)"],
    "text": "def export_mesh(mesh, path):\n    ...",
    "source": "",
}
FOUND: Final[dict[str, Any]] = {"hits": [HIT], "files": ["export/mesh.py"], "order": None, "freshness": FRESHNESS}
SHAPE: Final[dict[str, Any]] = {
    "text": "export/  3 files, 410 lines\n__init__.py  12  register",
    "freshness": FRESHNESS,
}
ANSWER: Final[dict[str, Any]] = {
    "status": "answered",
    "text": "`export_mesh` writes it, triangle by triangle [export/mesh.py:40-52].",
    "citations": [{"citation": "export/mesh.py:40-52", "sha256": HASH}],
    "struck": [],
    "passages": [
        {
            "citation": "export/mesh.py:40-52",
            "name": "export_mesh",
            "kind": "function",
            "source": "",
            "reasons": ["words (place 1)"],
            "text": None,
        }
    ],
    "budget": {"window": 12288, "used": 2310, "passages": 1800, "structure": 240, "left_out": 0},
    "model": "ollama (some-coder:14b)",
    "note": "",
    "freshness": FRESHNESS,
}

DIAGNOSIS: Final[dict[str, Any]] = {
    "id": "d-0123456789abcdef",
    "errors": [
        {
            "title": "AttributeError: 'NoneType' object has no attribute 'name'",
            "type": "AttributeError",
            "message": "'NoneType' object has no attribute 'name'",
            "relation": "",
            "language": "python",
            "line": 1,
            "frames": [
                {
                    "path": "/home/user/kiln/util.py",
                    "line": 9,
                    "function": "soften",
                    "citation": "kiln/util.py:2",
                    "says": "the printed line, which the log has at 9",
                }
            ],
            "meaning": "The value before the dot is None.",
        }
    ],
    "crashes": [],
    "requests": [],
    "known": [],
    "drift": [],
    "symbols": [],
    "suspects": [
        {
            "citation": "kiln/util.py:1-2",
            "name": "soften",
            "kind": "function",
            "signature": "def soften(ob)",
            "score": 0.68,
            "likelihood": "likely",
            "reasons": ["it broke here"],
        }
    ],
    "examined": ["1 errors with 1 frames, 1 of them in this repository"],
    "stopped": None,
    "versions": {"blender": "5.0.1"},
    "left_out": 0,
    "freshness": FRESHNESS,
    "explanation": None,
}
CONFIRMED: Final[dict[str, Any]] = {
    "id": "d-0123456789abcdef",
    "type": "AttributeError",
    "message": "'NoneType' object has no attribute 'name'",
    "path": "kiln/util.py",
    "function": "soften",
    "fault": "kiln/ops.py:12",
    "note": "The object may be missing.",
    "commit": COMMIT,
    "when": 1790000000.0,
}

PLACE = {"citation": "export/write.py:10-24", "name": "Exporter.write", "kind": "method"}
RELATION = {
    "place": {"citation": "export/menu.py:5-9", "name": "save", "kind": "function"},
    "depth": 1,
    "source": "save",
    "kind": "calls",
    "target": "Exporter.write",
    "certainty": "exact",
    "line": "export/menu.py:8",
    "typed": None,
}
RELATED = {"symbol": PLACE, "relations": [RELATION], "gaps": [], "freshness": FRESHNESS}
WAY = {
    "start": RELATION["place"],
    "goal": PLACE,
    "steps": [{**RELATION, "place": PLACE}],
    "gaps": [],
    "freshness": FRESHNESS,
}
