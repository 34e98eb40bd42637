"""Runs in Blender: executes a snippet and renders what it left, without the service. See `bench/verdicts.py`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import bpy

from harness.inside.scene.describe import describe
from harness.inside.witness.picture import take_pictures
from harness.protocol import ExamineJob, RenderSettings

order = json.loads(sys.argv[-1])
bpy.ops.wm.read_factory_settings()
exec(compile(Path(order["snippet"]).read_text(), order["snippet"], "exec"), {"__name__": "__main__"})
job = ExamineJob("", "", None, True, RenderSettings(), 60.0, [], None, order["folder"], "", -1)
take_pictures(describe(), {"Camera", "Light"}, False, job, set())
