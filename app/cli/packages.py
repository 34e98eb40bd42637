"""The commands of a Blender's packages: list, add and remove what snippets may import."""

from __future__ import annotations

from typing import Annotated

import typer

from app.blenders.preparation import blenders_of
from app.cli.terminal import expected_errors, own_settings, talk
from harness.blenders import choose
from harness.packages import add_packages, installed, remove_packages

Name = Annotated[str, typer.Argument(help="Version, series or label of the Blender.")]
Packages = Annotated[list[str], typer.Argument(help="Names of packages, such as scipy or shapely==2.0.6.")]


def packages_list(name: Name) -> None:
    """List the packages that were added to a Blender, with their versions."""
    with expected_errors():
        show(installed(choose(blenders_of(own_settings()), name)))


def packages_add(name: Name, packages: Packages) -> None:
    """Add packages, as wheels for the Blender's own Python, with all that they need. A running service sees them."""
    with expected_errors():
        blender = choose(blenders_of(own_settings()), name)
        show(add_packages(blender, packages, talk.print))
    talk.print(f"Snippets on Blender {blender.version} may import them")


def packages_remove(name: Name, packages: Packages) -> None:
    """Remove packages, and what only they needed."""
    with expected_errors():
        show(remove_packages(choose(blenders_of(own_settings()), name), packages))


def show(packages: dict[str, str]) -> None:
    for name, version in packages.items():
        print(f"{name}\t{version}")
