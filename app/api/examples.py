"""The examples in the documentation of the API: one short run, as it looks in each answer."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, Final

RUN_ID: Final = "r-0123456789abcdef"
ARTIFACT_ID: Final = "a-0123456789abcdef"
IMPORTED_ID: Final = "i-0123456789abcdef"

ARTIFACT_LINKS: Final = {
    "id": ARTIFACT_ID,
    "metadata": f"/artifacts/{ARTIFACT_ID}",
    "picture": f"/artifacts/{ARTIFACT_ID}.png",
    "snippet": f"/artifacts/{ARTIFACT_ID}/snippet.py",
    "report": f"/artifacts/{ARTIFACT_ID}/report.json",
}

BLENDER: Final = {"version": "5.0.1", "build_hash": "a3db93c5b259", "kind": "module", "python": "3.11.2"}

SUMMARY: Final[dict[str, Any]] = {
    "id": RUN_ID,
    "kind": "validate",
    "status": "proven",
    "stage": "publish",
    "title": "import bpy",
    "blender": "5.0.1",
    "created_at": "2026-11-21T10:00:00.000+00:00",
    "started_at": "2026-11-21T10:00:00.004+00:00",
    "finished_at": "2026-11-21T10:00:07.120+00:00",
    "artifact": ARTIFACT_LINKS,
    "error": None,
}

JOB_ID: Final = "q-0123456789abcdef"
JOB: Final[dict[str, Any]] = {
    **SUMMARY,
    "id": JOB_ID,
    "kind": "ask",
    "status": "answered",
    "stage": "queued",
    "title": "Where is the price computed?",
    "blender": "",
    "repository": "my-addon",
    "caller": "studio",
    "cost": 0.0021,
    "artifact": None,
    "branch": None,
}
JOB_EVENTS: Final = """id: 1
event: ended
data: {"at": "2026-11-21T10:00:07.120+00:00", "status": "answered", "text": null}
"""

SNIPPET: Final = "import bpy\n\nbpy.ops.mesh.primitive_monkey_add(size=2)\n"

ATTEMPT: Final[dict[str, Any]] = {
    "number": 1,
    "author": "caller",
    "notes": [],
    "snippet": SNIPPET,
    "base": None,
    "diff": "",
    "symbols": ["bpy.ops.mesh.primitive_monkey_add"],
    "verdict": {
        "passed": True,
        "reached": "critic",
        "stages": [
            {"name": "parse", "state": "passed", "reason": "it is Python", "seconds": 0.0, "findings": []},
            {
                "name": "repeat",
                "state": "warned",
                "reason": 'a second execution adds meshes "Suzanne.001", objects "Suzanne.001"',
                "seconds": 0.0,
                "findings": [
                    {
                        "check": "repeat",
                        "code": "adds-again",
                        "severity": "warning",
                        "message": 'a second execution adds meshes "Suzanne.001", objects "Suzanne.001"',
                        "line": None,
                        "column": None,
                        "hint": "Look each thing up by name first, and make it only if it is missing.",
                        "symbol": None,
                    }
                ],
            },
        ],
        "measured": {"timings": {"boot_s": 0.74, "snippet_s": 0.003, "render_s": 0.34, "total_s": 1.24}},
    },
    "report": {"outcome": "passed", "reason": "it ran to its end", "blender": BLENDER},
}

MATRIX_ROW: Final[dict[str, Any]] = {
    "attempt": 1,
    "blender": "4.5.15",
    "build_hash": "5afeabba6097",
    "proven": True,
    "verdict": ATTEMPT["verdict"],
    "problem": None,
    "report": ATTEMPT["report"],
    "picture": f"/runs/{RUN_ID}/matrix/1-4.5.15.png",
    "seconds": 2.61,
}

RUN: Final[dict[str, Any]] = {
    **SUMMARY,
    "snippet": SNIPPET,
    "retrieved": [],
    "attempts": [ATTEMPT],
    "matrix": [MATRIX_ROW],
    "accept": None,
    "model_calls": [],
    "ended_because": None,
    "dispute": None,
    "no_artifact_because": None,
}

BRIEF: Final[dict[str, Any]] = {
    "id": RUN_ID,
    "status": "proven",
    "blender": "5.0.1",
    "said": "Proven on Blender 5.0.1.",
    "snippet": SNIPPET,
    "findings": [
        'a second execution adds meshes "Suzanne.001", objects "Suzanne.001" Look each thing up by name first, and '
        "make it only if it is missing. [repeat/adds-again]"
    ],
    "notes": [],
    "blenders": {"4.5.15": "proven"},
    "artifact": ARTIFACT_ID,
    "picture": f"/artifacts/{ARTIFACT_ID}.png",
    "left_out": [],
    "text": "```python\nimport bpy\n...\n```\n\nProven on Blender 5.0.1.",
}

EVENTS: Final = """id: 1
event: stage
data: {"at": "2026-11-21T10:00:00.004+00:00", "stage": "draft", "text": "draft"}

id: 2
event: attempt
data: {"at": "2026-11-21T10:00:07.020+00:00", "number": 1, "passed": true, "text": "attempt 1 passed"}

id: 3
event: ended
data: {"at": "2026-11-21T10:00:07.120+00:00", "status": "proven", "text": null}
"""

QUEUED: Final[dict[str, Any]] = {
    **SUMMARY,
    "status": "queued",
    "stage": "queued",
    "started_at": None,
    "finished_at": None,
    "artifact": None,
    "snippet": None,
    "retrieved": [],
    "attempts": [],
    "matrix": [],
    "accept": None,
    "model_calls": [],
    "ended_because": None,
    "dispute": None,
    "no_artifact_because": None,
}

CANCELLED: Final[dict[str, Any]] = {**QUEUED, "status": "cancelled", "finished_at": SUMMARY["finished_at"]}

LOOKS: Final[dict[str, Any]] = {
    "phash": "b3c41e8f5a71960d",
    "dhash": "60d2c8b0a0988c04",
    "palette": [{"color": "#0d1016", "share": 0.61}, {"color": "#9a9c9f", "share": 0.24}],
}
PICTURE_HASH: Final = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

ARTIFACT: Final[dict[str, Any]] = {
    "id": ARTIFACT_ID,
    "proven": "here",
    "run": RUN_ID,
    "kind": "validate",
    "title": "Add a monkey",
    "request": None,
    "author": "caller",
    "blender": BLENDER,
    "engine": "BLENDER_EEVEE",
    "created_at": "2026-11-21T10:00:07.110+00:00",
    "links": ARTIFACT_LINKS,
    "views": {"top": f"/artifacts/{ARTIFACT_ID}/views/top.png"},
    "contact_sheet": f"/artifacts/{ARTIFACT_ID}/contact-sheet.png",
    "receipt": f"/artifacts/{ARTIFACT_ID}/receipt.json",
    "size_px": 256,
    "object_types": ["MESH"],
    "objects": ["Suzanne"],
    "symbols": ["bpy.ops.mesh.primitive_monkey_add"],
    "tags": ["mesh"],
    "looks": LOOKS,
    "geometry": "5d41402abc4b2a76b9719d911017c592",
    "sha256": {"picture.png": PICTURE_HASH},
    "quoted": None,
}

ARTIFACT_DETAILS: Final[dict[str, Any]] = {
    **ARTIFACT,
    "sightings": [
        {
            "run": RUN_ID,
            "origin": "run",
            "title": "Add a monkey",
            "request": None,
            "at": "2026-11-21T10:00:07.110+00:00",
            "holds_on": ["4.5.15"],
        }
    ],
    "scene": None,
}

ARTIFACT_HIT: Final[dict[str, Any]] = {
    "artifact": ARTIFACT,
    "score": 0.0667,
    "why": ["nearly the same picture (2 of 128 bits)"],
}

RECEIPT: Final[dict[str, Any]] = {
    "format": 1,
    "artifact": ARTIFACT_ID,
    "run": RUN_ID,
    "kind": "validate",
    "title": "Add a monkey",
    "request": None,
    "created_at": "2026-11-21T10:00:07.110+00:00",
    "blender": BLENDER,
    "arguments": [],
    "setup": None,
    "files": {},
    "render": {"size_px": 256, "samples": 16, "engine": "cycles", "views": ["three_quarter", "top"]},
    "limits": {"wall_s": 60.0, "memory_bytes": 3221225472},
    "seeds": {"cycles": "the scene's own"},
    "symbols": ["bpy.ops.mesh.primitive_monkey_add"],
    "provenance": {
        "blendproof": version("blendproof"),
        "author": "caller",
        "checks": {"ruff": "0.15.1", "mypy": "1.19.0", "pyright": "1.1.407"},
        "index": {"5.0.1": "97db2af6", "embedding": "all-MiniLM-L6-v2@0f8ad3c2b1aa"},
        "model": None,
        "prompts": {},
        "holds_on": {"4.5.15": "5afeabba6097"},
    },
    "geometry": ARTIFACT["geometry"],
    "looks": LOOKS,
    "sha256": {"picture.png": PICTURE_HASH},
    "quoted": None,
}

REPLAY: Final[dict[str, Any]] = {
    "artifact": ARTIFACT_ID,
    "same": True,
    "blender": BLENDER,
    "was_blender": BLENDER,
    "outcome": "passed",
    "reason": "it ran to its end",
    "geometry": {
        "state": "exact",
        "signature": ARTIFACT["geometry"],
        "was": ARTIFACT["geometry"],
        "differences": [],
    },
    "picture": {"state": "exact", "phash": LOOKS["phash"], "was": LOOKS["phash"], "bits_apart": 0},
    "seconds": 1.9,
    "verdict": None,
    "proof": None,
}

REPORT: Final[dict[str, Any]] = {"verdict": ATTEMPT["verdict"], "execution": ATTEMPT["report"]}

SYMBOL: Final[dict[str, Any]] = {
    "address": "bpy.types.BevelModifier.width",
    "kind": "attribute",
    "label": "Width",
    "aliases": [],
    "signature": "",
    "type": "float, at least 0, default 0.1",
    "readonly": False,
    "description": "Bevel amount.",
    "parameters": [],
    "items": [],
    "bases": [],
    "example": "",
    "page": "",
    "see_also": ["bpy.types.BevelModifier"],
}

CHANGES: Final[dict[str, Any]] = {
    "old": {"version": "4.5.15", "build_hash": "5afeabba6097"},
    "new": {"version": "5.0.1", "build_hash": "a3db93c5b259"},
    "counts": {"removed": 0, "renamed": 1, "added": 0, "changed": 1},
    "changes": [
        {
            "kind": "renamed",
            "address": "bpy.types.Scene.node_tree",
            "new_address": None,
            "guess": False,
            "says": [
                "`Scene.node_tree` is gone since Blender 5.0. Use `scene.compositing_node_group`, a node group of type "
                "CompositorNodeTree."
            ],
        },
        {
            "kind": "changed",
            "address": "bpy.types.RenderSettings.engine",
            "new_address": None,
            "guess": False,
            "says": [
                "items removed: BLENDER_EEVEE_NEXT",
                "items added: BLENDER_EEVEE",
                "default: 'BLENDER_EEVEE_NEXT' -> 'BLENDER_EEVEE'",
            ],
        },
    ],
    "next": None,
}

HITS: Final[dict[str, Any]] = {
    "query": "round off the hard edges",
    "kind": "symbols",
    "reference": {
        "name": "5.0.1",
        "series": "5.0",
        "source": "Blender 5.0.1 (a3db93c5b259)",
        "symbols": 18436,
        "dense": True,
    },
    "hits": [{"symbol": SYMBOL, "score": 1.31, "why": ['answers "round off sharp edges"']}],
}

MODELS: Final[dict[str, Any]] = {
    "object": "list",
    "data": [
        {"id": name, "object": "model", "created": 0, "owned_by": "blendproof"}
        for name in ("blendproof", "blendproof-5.0.1")
    ],
}

COMPLETION: Final[dict[str, Any]] = {
    "id": f"chatcmpl-{RUN_ID}",
    "object": "chat.completion",
    "created": 1795687200,
    "model": "blendproof",
    "choices": [
        {
            "index": 0,
            "message": {
                "role": "assistant",
                "content": f"```python\n{SNIPPET}```\n\nProven on Blender 5.0.1.\n\n"
                f"Picture: http://127.0.0.1:8484/artifacts/{ARTIFACT_ID}.png\n\n"
                f"Run: http://127.0.0.1:8484/page/runs/{RUN_ID}",
                "refusal": None,
            },
            "logprobs": None,
            "finish_reason": "stop",
        }
    ],
    "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
}

HEALTH: Final[dict[str, Any]] = {
    "status": "ok",
    "parts": {
        "blender": {"state": "ok", "message": "Blender 5.0.1"},
        "index": {"state": "ok", "message": "5.0.1 (18436 symbols)"},
        "workers": {"state": "ok", "message": "2 idle"},
        "model": {"state": "off", "message": "no model is configured; requests are written in the command language"},
    },
    "blenders": [{"name": "5.0.1", **BLENDER, "source": "wheel", "label": ""}],
    "workers": [
        {"blender": "5.0.1", "state": "idle", "forks": True, "jobs": 14, "threads": 1, "memory_bytes": 117215232}
    ],
    "unfinished_runs": 0,
}


READY: Final[dict[str, Any]] = {
    "ready": True,
    "parts": {
        "queue": {"state": "ok", "message": "1 running, 0 waiting"},
        "blender": {"state": "ok", "message": "Blender 5.0.1"},
        "workers": {"state": "ok", "message": "1 busy, 1 idle"},
        "index": {"state": "ok", "message": "5.0.1 (18436 symbols)"},
    },
}
METRICS: Final = """# HELP blendproof_jobs_total Jobs that ended.
# TYPE blendproof_jobs_total counter
blendproof_jobs_total{blender="5.0.1",kind="generate",status="proven"} 12.0
# HELP blendproof_jobs_waiting Jobs that wait for a place.
# TYPE blendproof_jobs_waiting gauge
blendproof_jobs_waiting{group="runs"} 0.0
"""


def json_example(example: Any, description: str) -> dict[str, Any]:
    """One documented response with this example."""
    return {"description": description, "content": {"application/json": {"example": example}}}
