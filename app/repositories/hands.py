"""Hands that work on the texts of a repository: a worker of the service, or the command line itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol, TypeVar, TypeVarTuple

from app.repositories.allowed import RepositoryRefused
from app.repositories.project import TaskProblem

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class Hands(Protocol):
    """Carries out tasks: functions of modules, whose results are data. A worker may be lost meanwhile."""

    async def __call__(self, task: Callable[[*Arguments], Result | TaskProblem], *arguments: *Arguments) -> Result:
        """The result of a task. Raises the BlendproofError that tells a caller the problem."""
        ...


async def here(task: Callable[[*Arguments], Result | TaskProblem], *arguments: *Arguments) -> Result:
    """The result of a task in this process: for the command line, never for the service."""
    result = await asyncio.to_thread(task, *arguments)
    if isinstance(result, TaskProblem):
        raise RepositoryRefused(result.message)
    return result
