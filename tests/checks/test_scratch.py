"""The folders of checkers: what a killed service left is removed, and nothing else."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import pytest

from app.checks.scratch import remove_abandoned, scratch_folder


def test_folders_whose_process_is_gone_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ended = subprocess.Popen(["true"])
    ended.wait()
    abandoned = [tmp_path / f"blendproof-{kind}-{ended.pid}-a1" for kind in ("check", "warm")]
    others = [tmp_path / name for name in (f"blendproof-other-{ended.pid}-a1", f"check-{ended.pid}-a1", "blendproof-x")]
    for folder in (*abandoned, *others):
        folder.mkdir()
        (folder / "snippet.py").write_text("import bpy\n")
    link = tmp_path / f"blendproof-warm-{ended.pid}-b2"
    link.symlink_to(others[0])
    with scratch_folder("check") as ours:
        remove_abandoned()
        assert Path(ours).is_dir()
    assert not any(folder.exists() for folder in abandoned)
    assert all((folder / "snippet.py").exists() for folder in others)
