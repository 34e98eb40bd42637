"""Does the instructions of a Dockerfile in a Debian root, where no container engine is at hand.

    debootstrap --variant=minbase trixie ROOT
    python docker/replay.py docker/Dockerfile ROOT [--from NUMBER] [NAME=VALUE ...]

Run as root, in the checkout. `--from` leaves out the instructions before that one, done earlier. NAME=VALUE are build
arguments, and what else of an environment this machine needs to reach its package registries. What an engine adds when
it runs an image (limits, capabilities, mounts) is not replayed.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import shutil
import string
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
CHROOT = shutil.which("chroot", path=PATH) or "chroot"
ENGINE = ("ARG", "EXPOSE", "VOLUME", "HEALTHCHECK", "CMD", "ENTRYPOINT", "LABEL")
"""What changes no file of the root."""


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """The instructions of a Dockerfile: their names, and what follows with its lines joined."""
    kept = "\n".join(line for line in text.splitlines() if not re.match(r"\s*#", line))
    for line in re.sub(r"\\\n", " ", kept).splitlines():
        if line.strip():
            name, _, rest = line.strip().partition(" ")
            yield name.upper(), rest.strip()


def replay(dockerfile: Path, root: Path, first: int, given: dict[str, str]) -> None:
    """Do every instruction below `root`; raises CalledProcessError where one fails."""
    environment, folder, user = {"PATH": PATH, "HOME": "/root"}, "/", "0:0"
    for number, (name, rest) in enumerate(instructions(dockerfile.read_text()), 1):
        print(f"{number}: {name} {' '.join(rest.split())}", file=sys.stderr, flush=True)
        if name == "ENV":
            written = string.Template(rest).substitute(environment)
            environment |= dict(part.split("=", 1) for part in shlex.split(written))
        elif name == "WORKDIR":
            folder = rest
            (root / folder.lstrip("/")).mkdir(parents=True, exist_ok=True)
        elif name == "USER":
            user = rest
        elif number < first:
            continue
        elif name == "COPY":
            copy(rest.split(), root / folder.lstrip("/"))
        elif name == "RUN":
            command = [CHROOT, f"--userspec={user}", str(root), "sh", "-c", f'cd "{folder}" && {rest}']
            subprocess.run(command, check=True, env=environment | given)
        elif name not in (*ENGINE, "FROM"):
            raise SystemExit(f"{name} is not understood")
    facts = {"environment": environment, "folder": folder, "user": user}
    (root / "image.json").write_text(json.dumps(facts, indent=1))


def copy(words: list[str], folder: Path) -> None:
    """COPY of files and folders of the checkout."""
    *sources, target = words
    for source in map(Path, sources):
        if source.is_dir():
            there = folder / target
            shutil.copytree(source, there, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            there = folder / target / source.name if target.endswith("/") else folder / target
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, there)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description="Do the instructions of a Dockerfile in a Debian root.")
    options.add_argument("dockerfile", type=Path)
    options.add_argument("root", type=Path)
    options.add_argument("--from", type=int, default=1, dest="first")
    options.add_argument("given", nargs="*", metavar="NAME=VALUE")
    said = options.parse_intermixed_args()
    replay(said.dockerfile, said.root, said.first, dict(one.split("=", 1) for one in said.given))
