"""Tasks that read logs and solved issues; apart from the others, so that a search imports no diagnosis."""

from __future__ import annotations

import dataclasses

from app.repositories.project import Project, SourceFiles, TaskProblem
from app.repositories.tasks import or_problem
from codebase.diagnosis.diagnose import diagnose
from codebase.diagnosis.issues import Issue, kept_issues, write_pages
from codebase.diagnosis.shapes import Diagnosis
from codebase.index.indexing import IndexingResult, update
from codebase.tree.site_packages import version_at


@dataclasses.dataclass(frozen=True)
class SourceIndexing:
    """The result of indexing a source, and the present version of a package."""

    result: IndexingResult
    version: str


def diagnosis_of(project: Project, log: str) -> Diagnosis | TaskProblem:
    """The diagnosis of a log in a repository."""
    return or_problem(lambda: diagnose(project.root, project.folder, log, issues_of(project)))


def issues_of(project: Project) -> list[Issue]:
    """The solved issues that were added as sources, which are known errors."""
    return [issue for source in project.sources for issue in kept_issues(source.folder)]


def index_source(files: SourceFiles) -> SourceIndexing | TaskProblem:
    """Bring the index of a source up to date."""

    def update_source() -> SourceIndexing:
        root = files.root
        if files.kind == "issues":
            root = files.source.folder / "pages"
            write_pages(files.root, root)
        done = update(root, files.source.folder)
        return SourceIndexing(done, version_at(root, files.source.name) if files.kind == "package" else "")

    return or_problem(update_source)
