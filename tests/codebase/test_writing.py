"""What is written to a repository: patches that git applies, commits on branches of their own, files in their place."""

from __future__ import annotations

import errno
import os
import random
import stat
import time
from pathlib import Path

import pytest

from codebase.errors import GitFailed, NotWritable, PatchDoesNotApply
from codebase.index.secrets import is_secret
from codebase.tree.commits import branch_off, check_branching, files_of
from codebase.tree.git import head
from codebase.tree.patches import check, hunks_of, patch_between, patch_of
from codebase.tree.writing import refusal, replace_file
from tests.codebase.small import commit, repository, run_git, write

LINES = ["a\n", "b\r\n", "c\n", "\n", "é \x0c\u2028\n", "  d\n"]


def test_git_makes_of_a_patch_what_it_was_made_for() -> None:
    chance = random.Random(7)
    for number in range(25):
        old = "".join(chance.choices(LINES, k=chance.randint(1, 30))) + chance.choice(["", "x"])
        lines = old.split("\n")
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(len(lines))
            lines[place : place + chance.randint(0, 1)] = [f"new {number}\r"] * chance.randint(0, 1)
        new = "\n".join(lines)
        path = chance.choice(["a.py", "sub dir/é b.py", 'q"x.py'])
        if new and new != old:
            check(patch_between(path, old, new), {path: old.encode()}, {path: new.encode()})
            check(patch_between(path, None, new), {}, {path: new.encode()})
    assert patch_between("a.py", "a\n", "a\n") == ""


def test_lines_that_repeat_take_no_longer() -> None:
    old = "x\n" + "}\n" * 20_000 + "y\n" + "}\n" * 20_000
    began = time.process_time()
    assert [hunk.header for hunk in hunks_of(old, old.replace("y", "z"))] == ["@@ -19999,7 +19999,7 @@"]
    new = old.replace("y", "z").replace("x", "") + "end\n"
    check(patch_between("a.py", old, new), {"a.py": old.encode()}, {"a.py": new.encode()})
    assert time.process_time() - began < 3
    assert [hunk.header for hunk in hunks_of("a\nb\n" * 5, "a\nb\n" * 6)] == ["@@ -8,3 +8,5 @@"]


def test_a_patch_for_another_text_is_found_out() -> None:
    patch = patch_of("a.py", hunks_of("a\nb\n", "a\nc\n"))
    with pytest.raises(PatchDoesNotApply, match="git apply failed"):
        check(patch, {"a.py": b"x\ny\n"}, {"a.py": b"a\nc\n"})
    with pytest.raises(PatchDoesNotApply, match=r"makes something else of a\.py"):
        check(patch, {"a.py": b"a\nb\n"}, {"a.py": b"a\nd\n"})


def test_hunks_say_which_lines_they_change() -> None:
    old = "".join(f"{number}\n" for number in range(1, 31))
    first, second = hunks_of(old, old.replace("5\n", "five\n", 1).replace("30\n", ""))
    assert (first.first, first.last, second.first, second.last) == (2, 8, 27, 30)
    assert first.header == "@@ -2,7 +2,7 @@" and second.header == "@@ -27,4 +27,3 @@"
    assert hunks_of(old, old) == []


HOSTILE = "#!/bin/sh\ntouch {}\ncat\n"


@pytest.fixture
def hostile(tmp_path: Path) -> tuple[Path, Path]:
    """A repository whose hooks and filters leave a mark if they run, and the mark."""
    mark = tmp_path / "ran"
    script = tmp_path / "script"
    script.write_text(HOSTILE.format(mark))
    script.chmod(0o755)
    root = repository(tmp_path / "root", {"sub/a.py": "old\n", "b.py": "b\n", "run.sh": "#!/bin/sh\n"})
    (root / "run.sh").chmod(0o755)
    (root / "link").symlink_to("/etc/hostname")
    commit(root, {".gitattributes": "*.py filter=evil\n"})
    for hook in ("post-checkout", "reference-transaction", "post-commit", "pre-commit", "post-index-change"):
        (root / ".git/hooks").mkdir(exist_ok=True)
        (root / ".git/hooks" / hook).symlink_to(script)
    for name in ("clean", "smudge", "process"):
        run_git(root, "config", f"filter.evil.{name}", str(script))
    run_git(root, "config", "core.fsmonitor", str(script))
    run_git(root, "checkout", "-q", "-b", "other")
    assert mark.exists(), "nothing would run at all"
    mark.unlink()
    return root, mark


def test_a_branch_changes_neither_the_working_tree_nor_the_index_and_runs_nothing(hostile: tuple[Path, Path]) -> None:
    root, mark = hostile
    write(root, {"b.py": "the caller is at work\n", "new.py": ""})
    before, index = head(root), (root / ".git/index").read_bytes()
    assert before is not None
    name = branch_off(root, before, "blendproof/port-5.0", {"sub/a.py": b"new\r\n", "run.sh": b"x\n"}, "Port\n\nWhy.\n")
    same = branch_off(root, before, "blendproof/port-5.0", {"sub/a.py": b"new\r\n", "run.sh": b"x\n"}, "Port again\n")
    assert same == name
    again = branch_off(root, before, "blendproof/port-5.0", {"sub/a.py": b"newer\n"}, "Port\n")
    assert not mark.exists()
    assert (name, again) == ("blendproof/port-5.0", "blendproof/port-5.0-2")
    assert (head(root), (root / ".git/index").read_bytes()) == (before, index)
    assert (root / "b.py").read_text() == "the caller is at work\n" and (root / "sub/a.py").read_text() == "old\n"
    run_git(root, "config", "--remove-section", "filter.evil")
    assert run_git(root, "diff", "--name-status", before, name).split() == ["M", "run.sh", "M", "sub/a.py"]
    assert files_of(root, name, 1 << 20)[0]["sub/a.py"] == b"new\r\n"
    assert run_git(root, "ls-tree", name, "run.sh").startswith("100755")
    assert run_git(root, "log", "-1", "--format=%an %s", name) == "Blendproof Port\n"


def test_the_files_of_a_commit_are_read_as_they_are_stored(hostile: tuple[Path, Path]) -> None:
    root, mark = hostile
    write(root, {"b.py": "changed since\n"})
    files, skipped = files_of(root, "HEAD", 8)
    assert not mark.exists()
    assert files == {"sub/a.py": b"old\n", "b.py": b"b\n"}
    assert skipped == {"link": "a link", "run.sh": "larger than 0 MB", ".gitattributes": "larger than 0 MB"}


def test_a_folder_of_a_repository_has_its_own_paths(tmp_path: Path) -> None:
    root = repository(tmp_path / "root", {"addon/a.py": "old\n", "other.py": ""})
    files, _ = files_of(root / "addon", "HEAD", 1 << 20)
    assert files == {"a.py": b"old\n"}
    branch = branch_off(root / "addon", str(head(root)), "port", {"a.py": b"new\n"}, "Port")
    assert run_git(root, "diff", "--name-only", "HEAD", branch) == "addon/a.py\n"


def test_a_branch_is_made_of_whatever_head_is_and_names_that_are_taken_are_left(tmp_path: Path) -> None:
    root = repository(tmp_path / "root", {"a.py": "old\n", "sub/b.py": ""})
    start = str(head(root))
    run_git(root, "branch", "blendproof/c-1/below")
    run_git(root, "checkout", "-q", "--detach")
    run_git(root, "worktree", "add", "-q", "--detach", str(tmp_path / "other"))
    both = (root, tmp_path / "other")
    made = [branch_off(one, start, "blendproof/c-1", {"a.py": one.name.encode()}, "m") for one in both]
    assert made == ["blendproof/c-1-2", "blendproof/c-1-3"]
    run_git(root, "branch", "taken")
    with pytest.raises(GitFailed, match="there is a branch taken, so git makes none that is called taken/c-1"):
        branch_off(root, start, "taken/c-1", {"a.py": b"new\n"}, "m")
    for path in ("sub", "a.py/c.py"):
        with pytest.raises(GitFailed, match=f"{path} is not written"):
            branch_off(root, start, "other", {path: b""}, "m")


def test_a_clone_that_lacks_files_is_read_and_branched_off(tmp_path: Path) -> None:
    whole = repository(tmp_path / "whole", {"a.py": "old\n", "big.bin": "x" * 3000})
    run_git(whole, "config", "uploadpack.allowFilter", "true")
    run_git(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:limit=1k", whole.as_uri(), "part")
    root, start = tmp_path / "part", str(head(whole))
    assert files_of(root, start, 1 << 20) == ({"a.py": b"old\n"}, {"big.bin": "not in this copy of the repository"})
    check_branching(root, "port")
    branch = branch_off(root, start, "port", {"a.py": b"new\n"}, "Port")
    assert run_git(root, "ls-tree", "--name-only", branch).split() == ["a.py", "big.bin"]
    assert run_git(root, "show", f"{branch}:a.py") == "new\n"


def test_a_damaged_object_costs_its_own_file(tmp_path: Path) -> None:
    root = repository(tmp_path / "root", {"a.py": "x = 1\n", "b.py": "y = 2\n"})
    blob = run_git(root, "rev-parse", "HEAD:b.py").strip()
    damaged = root / ".git" / "objects" / blob[:2] / blob[2:]
    damaged.chmod(0o644)
    damaged.write_bytes(b"")
    assert files_of(root, str(head(root)), 1 << 20) == (
        {"a.py": b"x = 1\n"},
        {"b.py": "not in this copy of the repository"},
    )


def test_a_branch_that_cannot_be_made_is_told_beforehand(tmp_path: Path) -> None:
    root = repository(tmp_path / "root", {"a.py": "old\n"})
    run_git(root, "branch", "taken")
    with pytest.raises(GitFailed, match="there is a branch taken"):
        check_branching(root, "taken/port")
    check_branching(root, "port")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("codebase.tree.commits.tempfile.TemporaryFile", unwritable)
        with pytest.raises(GitFailed, match="objects cannot be written: Read-only file system"):
            check_branching(root, "port")


def unwritable(dir: Path) -> None:
    raise OSError(errno.EROFS, "Read-only file system")


@pytest.mark.parametrize(
    "path",
    [
        ".gitmodules",
        "a\rb.py",
        ".g\u200cit/config",
        "../a.py",
        "a/../../b",
        "/etc/passwd",
        "",
        ".git/config",
        "sub/.GIT/hooks/x",
        ".git./config",
        "GIT~1/config",
        ".git::$INDEX_ALLOCATION/config",
        "a\0b",
        "a//b",
    ],
)
def test_paths_that_lead_elsewhere_are_refused(path: str, tmp_path: Path) -> None:
    assert refusal(path) and not any(map(refusal, ("a/b.py", ".github/x.yml", "git~x.py", ".gitignore")))
    with pytest.raises(NotWritable, match="not written"):
        replace_file(tmp_path, path, b"", b"x")


def test_a_file_is_replaced_whole_with_its_mode(tmp_path: Path) -> None:
    file = write(tmp_path, {"sub/a.py": "old\n"}) / "sub/a.py"
    file.chmod(0o755)
    replace_file(tmp_path, "sub/a.py", b"old\n", b"new\n")
    assert file.read_bytes() == b"new\n" and stat.S_IMODE(file.stat().st_mode) == 0o755
    assert [one.name for one in (tmp_path / "sub").iterdir()] == ["a.py"]


def test_a_file_that_was_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    file = write(tmp_path, {"a.py": "newer\n"}) / "a.py"
    with pytest.raises(NotWritable, match="changed meanwhile"):
        replace_file(tmp_path, "a.py", b"old\n", b"new\n")
    assert file.read_bytes() == b"newer\n"


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", {"a.py": "old\n"})
    root = write(tmp_path / "root", {"b.py": "old\n"})
    (root / "folder").symlink_to(outside)
    (root / "link.py").symlink_to(outside / "a.py")
    os.mkfifo(root / "pipe.py")
    for path in ("folder/a.py", "link.py", "pipe.py", "missing.py"):
        with pytest.raises(NotWritable, match="not written"):
            replace_file(root, path, b"old\n", b"new\n")
    assert (outside / "a.py").read_bytes() == b"old\n"


def test_files_that_hold_secrets_are_known_by_their_names() -> None:
    for path in (
        ".env",
        "a/.env.local",
        "prod.env",
        "id_rsa",
        "x/server.pem",
        "key.p12",
        ".netrc",
        "secrets.yaml",
        "credentials.json",
    ):
        assert is_secret(path), path
    for path in (".env.example", "environment.py", "keys.py", "secret_santa.py", "id_rsa.md", "credentials_test.py"):
        assert not is_secret(path), path
