"""Which files are read, and what is said of each of the others."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from codebase.errors import GitFailed, NotARepository
from codebase.index import files as files_module
from codebase.index.files import Content, SkippedFile, is_foreign, list_files, read_file
from codebase.index.indexing import update
from tests.codebase.small import commit, repository, run_git, write


def reason(root: Path, path: str) -> str:
    """Why a file is not read; empty if it is."""
    found = read_file(root.resolve(), path)
    return found.reason if isinstance(found, SkippedFile) else ""


def test_a_working_tree_lists_tracked_and_new_files(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.py": "x = 1\n", ".gitignore": "*.log\n"})
    write(root, {"new.py": "y = 2\n", "noise.log": "z\n", "with space\n.py": ""})
    listing = list_files(root)
    assert listing.paths == [".gitignore", "a.py", "new.py", "with space\n.py"]
    assert listing.commit == run_git(root, "rev-parse", "HEAD").strip()


def test_a_plain_folder_is_walked_with_its_ignore_rules(tmp_path: Path) -> None:
    root = write(
        tmp_path / "plain",
        {".gitignore": "*.log\n/built/\n", "a.py": "", "a.log": "", "built/b.py": "", "in/.gitignore": "!kept.log\n"},
    )
    write(root, {"in/kept.log": "", "in/other.log": "", "in/built/c.py": ""})
    listing = list_files(root)
    assert listing.paths == [".gitignore", "a.py", "in/.gitignore", "in/built/c.py", "in/kept.log"]
    assert listing.skipped == {"a.log": "ignored", "in/other.log": "ignored", "built/": "ignored"}
    assert listing.commit is None


def test_an_ignore_file_whose_patterns_take_too_long_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files_module, "IGNORE_S", 0.1)
    root = write(tmp_path / "plain", {"in/.gitignore": "*a" * 20 + "b\n", ".gitignore": "*.log\n", "a.log": ""})
    write(root, {f"in/{'a' * 200}.py": "", "in/b.py": ""})
    listing = list_files(root)
    assert listing.paths == [".gitignore", "in/.gitignore", f"in/{'a' * 200}.py", "in/b.py"]
    assert listing.skipped == {"a.log": "ignored", "in/.gitignore": files_module.LONG_PATTERNS}


def test_of_an_ignore_file_what_is_no_pattern_is_named_and_the_rest_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write(tmp_path / "plain", {".gitignore": "!\r\n*.log\r\n[z-a]\nfoo\\\n", "a.log": "", "in/b.log": ""})
    os.mkfifo(root / "in" / ".gitignore")
    assert list_files(root).skipped == {
        "a.log": "ignored",
        "in/b.log": "ignored",
        ".gitignore": "not followed: line 1, 3, 4 is no pattern",
    }

    def refused(*_: object, **_more: object) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", refused)
    assert list_files(root).skipped == {".gitignore": "not followed: Permission denied"}


@pytest.mark.parametrize("ignoring", [".gitignore", ".git/info/exclude"])
def test_where_git_does_not_list_in_time_the_files_are_listed_without_it(
    ignoring: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files_module, "LISTING_S", 1.0)
    monkeypatch.setattr(files_module, "IGNORE_S", 0.1)
    root = repository(tmp_path / "git", {"a.py": "", "kept.log": "", "in/.gitignore": "*.log\n"})
    write(root, {ignoring: "*a" * 40 + "b\n", "in/x.log": "", f"{'a' * 200}.py": ""})
    for _ in range(2):
        listing = list_files(root)
        assert {"a.py", "kept.log", "in/.gitignore", f"{'a' * 200}.py"} <= set(listing.paths)
        assert listing.skipped["in/x.log"] == "ignored" and files_module.EXCLUDES in listing.skipped
    twin = repository(tmp_path / "twin", {".gitignore": "*a*b*c\n", "a.py": ""})
    write(twin, {"aabbc": ""})
    assert list_files(twin).paths == [".gitignore", "a.py"] and list_files(twin).skipped == {}


def test_git_is_asked_again_after_an_hour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(tmp_path / "git", {"a.py": ""})
    for ago, is_slow in ((60, True), (3601, False)):
        monkeypatch.setitem(files_module.SLOW, root, time.monotonic() - ago)
        assert (files_module.EXCLUDES in list_files(root).skipped) is is_slow


@pytest.mark.parametrize("folder", ["node_modules", "dist", "site-packages"])
@pytest.mark.parametrize("in_git", [True, False])
def test_installed_and_built_files_are_skipped(tmp_path: Path, folder: str, in_git: bool) -> None:
    make = repository if in_git else write
    root = make(tmp_path / "r", {f"web/{folder}/x.js": "1\n", f"web/{folder}.js": "1\n"})
    listing = list_files(root)
    assert listing.paths == [f"web/{folder}.js"]
    assert [said for said in listing.skipped.values() if folder in said]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a" * (1 << 20) + b"a", "larger than 1 MB"),
        (b"a" * (1 << 20), ""),
        (b"\x89PNG\0\0", "binary"),
        ("naïve".encode("latin-1"), "not UTF-8 (byte 2)"),
        ("naïve".encode(), ""),
        (b"", ""),
    ],
)
def test_what_cannot_be_text_is_skipped_with_the_reason(tmp_path: Path, content: bytes, said: str) -> None:
    write(tmp_path, {"file.py": content})
    assert reason(tmp_path, "file.py") == said


def test_links_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path, {"secret.py": "", "r/a.py": ""})
    root = tmp_path / "r"
    (root / "out.py").symlink_to("../secret.py")
    (root / "in.py").symlink_to("a.py")
    (root / "none.py").symlink_to("nowhere.py")
    (root / "loop.py").symlink_to("loop.py")
    (root / "around").symlink_to(".")
    assert reason(root, "out.py") == "a link leads out of the folder"
    assert reason(root, "in.py") == "a link to another file here"
    assert reason(root, "none.py") == "a link to nothing"
    assert reason(root, "loop.py") == "a link in a loop"
    assert reason(root, "a.py") == ""
    assert list_files(root).skipped["around/"] == "a link to a folder"


def test_a_folder_that_became_a_link_is_not_followed(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"pkg/a.py": "x = 1\n"})
    write(tmp_path, {"elsewhere/a.py": "SECRET = 1\n"})
    (root / "pkg").rename(root / "moved")
    (root / "pkg").symlink_to(tmp_path / "elsewhere")
    assert reason(root, "pkg/a.py") == "a link leads out of the folder"
    assert reason(root, "moved/a.py") == ""


def test_a_submodule_is_not_read(tmp_path: Path) -> None:
    inner = repository(tmp_path / "inner", {"x.py": ""})
    root = repository(tmp_path / "r", {"a.py": ""})
    run_git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "sub")
    assert "sub" in list_files(root).paths
    assert reason(root, "sub") == "a submodule or a repository of its own"


def test_a_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    assert reason(tmp_path, "pipe.py") == "not a plain file"


def test_a_file_that_changes_while_it_is_read_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"a.py": "x = 1\n"})
    looked = files_module.stamp_of

    def grown(root: Path, path: str) -> files_module.Stamp | SkippedFile:
        found = looked(root, path)
        with (root / path).open("a") as file:
            file.write("# more\n")
        return found

    monkeypatch.setattr(files_module, "stamp_of", grown)
    assert reason(tmp_path, "a.py") == "changed while it was read"
    monkeypatch.undo()
    assert reason(tmp_path, "a.py") == ""


def test_a_deleted_file_is_skipped(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.py": "", "b.py": ""})
    (root / "b.py").unlink()
    assert reason(root, "b.py") == "deleted, but not yet in a commit"


@pytest.mark.parametrize("name", ["missing", "file.txt"])
def test_what_is_no_folder_is_refused(tmp_path: Path, name: str) -> None:
    write(tmp_path, {"file.txt": ""})
    with pytest.raises(NotARepository, match="is not a folder: write the path of"):
        list_files(tmp_path / name)


def test_what_git_keeps_is_no_folder_of_files(tmp_path: Path) -> None:
    repository(tmp_path / "tree", {"a.py": "", "HEAD": "a file of that name is fine\n"})
    run_git(tmp_path, "clone", "-q", "--bare", str(tmp_path / "tree"), "bare")
    assert list_files(tmp_path / "tree").paths == ["HEAD", "a.py"]
    with pytest.raises(NotARepository, match="add a working tree of it"):
        list_files(tmp_path / "bare")


def test_a_repository_without_a_commit_is_listed(tmp_path: Path) -> None:
    run_git(tmp_path, "init", "-q")
    write(tmp_path, {"a.py": ""})
    listing = list_files(tmp_path)
    assert (listing.paths, listing.commit) == (["a.py"], None)


def test_a_damaged_repository_is_refused_with_what_git_says(tmp_path: Path) -> None:
    write(tmp_path, {".git": "gitdir: nowhere\n", "a.py": ""})
    with pytest.raises(GitFailed, match="not a git repository"):
        list_files(tmp_path)


def test_nothing_that_the_repository_configures_is_run(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.py": "x = 1\n"})
    trap, mark = tmp_path / "trap.sh", tmp_path / "mark"
    trap.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    trap.chmod(0o755)
    for key in ("core.fsmonitor", "core.pager", "filter.x.clean", "gpg.program", "core.sshCommand"):
        run_git(root, "config", key, str(trap))
    run_git(root, "config", "log.showSignature", "true")
    run_git(root, "ls-files")
    assert mark.exists(), "the trap works with git as it is"
    mark.unlink()
    write(root, {".gitattributes": "* filter=x\n", "b.py": ""})
    assert list_files(root).paths == [".gitattributes", "a.py", "b.py"]
    assert not mark.exists()


@pytest.mark.parametrize(
    ("path", "text", "foreign"),
    [
        ("lib/jquery.min.js", "", True),
        ("lib/jquery.js", "", False),
        ("a/vendor/six.py", "", True),
        ("a/vendor.py", "", False),
        ("parser.py", "# Generated by ANTLR 4.7\n", True),
        ("parser.py", "def generated_by_us(): pass\n", False),
        ("package-lock.json", "", True),
    ],
)
def test_generated_and_copied_files_are_known(path: str, text: str, foreign: bool) -> None:
    assert is_foreign(path, text) is foreign


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    commit(repository(tmp_path / "r", {"a.py": b"\xef\xbb\xbfx = 1\n"}), {"b.py": ""}, day=2)
    found = read_file(tmp_path / "r", "a.py")
    assert isinstance(found, Content) and found.text == "x = 1\n"


SECRETS = (
    ".env", "deploy/.env.production", "site.env", "id_rsa", "keys/server.pem", "tls.key", ".netrc", ".npmrc",
    "credentials", "credentials.json", "config/secrets.yaml", ".aws/config", "service-account-7.json",
    "store.p12", "my.tfstate",
)  # fmt: skip
THEIR_TWINS = (
    ".env.example", "env.py", "environment.yml", "id_rsa.pub", "keys.py", "secrets.py", "credentials.py",
    "secrets/views.py", "pem.md", "tokenizer.json", "passwords.html",
)  # fmt: skip


def test_files_of_keys_and_passwords_are_never_read(tmp_path: Path) -> None:
    root = write(tmp_path / "shop", dict.fromkeys([*SECRETS, *THEIR_TWINS], "x = 1\n"))
    write(
        root, {"key_test.py": f'KEY = """-----BEGIN RSA {"PRIVATE"} KEY-----\n"""\n', "about.md": "BEGIN PRIVATE KEY\n"}
    )
    done = update(root, tmp_path / "index")
    assert {path for path, reason in done.skipped.items() if "keys or passwords" in reason} == set(SECRETS)
    assert done.skipped["key_test.py"] == "holds a private key"
    assert done.files == len(THEIR_TWINS) + 1
