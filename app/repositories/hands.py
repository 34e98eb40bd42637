"""Who works on the texts of a repository: a worker of the service, which can be lost, or the command line itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol, TypeVar, TypeVarTuple

from app.repositories.allowed import RepositoryRefused
from app.repositories.project import Problem

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class Hands(Protocol):
    """Carries out tasks: functions of modules, whose results are data."""

    async def __call__(self, task: Callable[[*Arguments], Result | Problem], *arguments: *Arguments) -> Result:
        """What a task finds. Raises the BlendproofError that tells a caller what is wrong."""
        ...


async def here(task: Callable[[*Arguments], Result | Problem], *arguments: *Arguments) -> Result:
    """What a task finds in this process: for the command line, never for the service."""
    found = await asyncio.to_thread(task, *arguments)
    if isinstance(found, Problem):
        raise RepositoryRefused(found.message)
    return found
