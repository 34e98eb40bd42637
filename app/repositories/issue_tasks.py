"""Tasks that read logs and solved issues; apart from the others, so that a search imports no diagnosis."""

from __future__ import annotations

import dataclasses

from app.repositories.project import Problem, Project, SourceFiles
from app.repositories.tasks import or_problem
from codebase.diagnosis.diagnose import diagnose
from codebase.diagnosis.issues import Issue, kept_issues, write_pages
from codebase.diagnosis.shapes import Diagnosis
from codebase.index.indexing import Indexed, update
from codebase.tree.site_packages import version_at


@dataclasses.dataclass(frozen=True)
class SourceIndexed:
    """What the indexing of a source did, and the version of a package as it is now."""

    indexed: Indexed
    version: str


def diagnosed(project: Project, log: str) -> Diagnosis | Problem:
    """Where a log leads in a repository."""
    return or_problem(lambda: diagnose(project.root, project.folder, log, issues_of(project)))


def issues_of(project: Project) -> list[Issue]:
    """The solved issues that were added as sources, which are known errors."""
    return [issue for source in project.sources for issue in kept_issues(source.folder)]


def source_indexed(files: SourceFiles) -> SourceIndexed | Problem:
    """Bring the index of a source up to date."""

    def index() -> SourceIndexed:
        root = files.root
        if files.kind == "issues":
            root = files.source.folder / "pages"
            write_pages(files.root, root)
        done = update(root, files.source.folder)
        return SourceIndexed(done, version_at(root, files.source.name) if files.kind == "package" else "")

    return or_problem(index)
