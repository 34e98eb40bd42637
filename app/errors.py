"""Every error a caller can meet, in one shape: code, message, hint, details.

    BlendproofError
    ├── SettingsInvalid          the operator must correct the environment; the service does not start
    ├── InvalidRequest       422 the caller must correct the request
    │   ├── PictureRefused   422 the caller must send another picture
    │   ├── ArchiveRefused   422 the caller must send another archive
    │   ├── AddonsRefused    422 the caller must send other add-ons
    │   └── KeyReused        422 the caller must send a key of its own with each request
    ├── RequestNotUnderstood 422 the caller must write it as commands, or the operator must set up a model
    ├── RequestTooLarge      413 the caller must send less
    ├── RequestTooSlow       408 the caller must send the body faster
    ├── Unauthorized         401 the caller must send the token
    ├── TooManyGuesses       429 the caller must send the right token
    ├── QuotaSpent           429 the caller has had the runs or the cost of his share
    ├── CrossSite            403 a browser brought the request from the page of another site
    ├── ModelUnknown         404 the caller must name a model that GET /v1/models lists
    ├── NotFound             404 the caller asked for something that is not there
    │   └── ArtifactDamaged  410 a file of the artifact is not what was published; the operator must repair it
    ├── RunFinished          409 the run cannot be cancelled any more
    ├── ServiceBusy          503 the caller can try again later
    ├── ServiceStopping      503 the caller can ask for the run again when the service is back
    ├── JobInterrupted       503 the service was killed while it worked on the job; the caller can ask again
    ├── NotReady             503 a load balancer sends requests elsewhere for now
    ├── ModelNotAvailable    503 the request is not written in the command language, and no model answered
    ├── StorageFailed        503 the operator must make room, or the data folder writable
    ├── BlenderMissing       503 the operator must install a Blender
    ├── SandboxMissing       503 the operator must enable the sandbox, or accept running without one
    ├── SandboxBroken            something escapes from the sandbox; the operator must report it
    ├── IndexNotReady        503 the operator must ingest
    ├── GalleryNotReady      503 the caller can try again in a moment
    ├── IngestFailed             the operator must fix what the message names; the index is unchanged
    ├── PortTaken                the operator must choose another port, or stop the program that uses it
    ├── DataFolderInUse          another service works on the data folder
    ├── ClusterFailed            this machine cannot be, or is no longer, a node of the cluster
    └── RunFailed            500 a fault of the service ended the run; nothing is known about the snippet

A snippet that fails raises none of these: it gets a verdict.
"""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict


class ErrorBody(BaseModel):
    """The body of every error response."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "code": "run_not_found",
                    "message": "There is no run r-0123456789abcdef.",
                    "hint": "GET /runs lists the runs.",
                    "details": {},
                }
            ]
        }
    )

    code: str
    """Stable name of the kind of error."""
    message: str
    """The mistake, and its place."""
    hint: str
    """The way to correct it."""
    details: dict[str, Any]
    """Facts about some kinds of error, such as the words that were not understood."""


class BlendproofError(Exception):
    """Base of all errors. Subclasses set their status, code and hint."""

    status: ClassVar[int] = 500
    code: ClassVar[str] = "internal_error"
    hint: ClassVar[str] = "This is a fault of the service; its log says more."
    headers: ClassVar[dict[str, str]] = {}

    def __init__(self, message: str, hint: str | None = None, details: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.shown_hint = hint or self.hint
        self.details = details or {}

    def body(self) -> ErrorBody:
        """The error as a caller sees it."""
        return ErrorBody(code=self.code, message=self.message, hint=self.shown_hint, details=self.details)


class SettingsInvalid(BlendproofError):
    code = "settings_invalid"
    hint = "Correct it or leave it out; docs/settings.md lists them all, `blendproof settings` shows those in force."


class InvalidRequest(BlendproofError):
    status = 422
    code = "invalid_request"
    hint = "See /docs for what this operation takes."


class RequestNotUnderstood(BlendproofError):
    status = 422
    code = "request_not_understood"
    hint = (
        "Nothing is guessed: docs/commands.md describes the command language. The operator of this service can set up "
        "a model, which reads plain words in any language (docs/models.md)."
    )


class RequestTooLarge(BlendproofError):
    status = 413
    code = "request_too_large"
    hint = "Send a smaller request."


class RequestTooSlow(BlendproofError):
    status = 408
    code = "request_too_slow"
    hint = "Send it again over a faster connection."


class Unauthorized(BlendproofError):
    status = 401
    code = "unauthorized"
    hint = "Send the header `Authorization: Bearer TOKEN` with the token of this service."
    headers: ClassVar[dict[str, str]] = {"WWW-Authenticate": "Bearer"}


class TooManyGuesses(BlendproofError):
    status = 429
    code = "too_many_guesses"
    hint = "Send the right token after the time that Retry-After gives; `blendproof settings` shows where it is set."
    headers: ClassVar[dict[str, str]] = {"Retry-After": "10"}


class QuotaSpent(BlendproofError):
    status = 429
    code = "quota_spent"
    hint = "Try again after the time that Retry-After gives; the operator sets the quotas (docs/scale.md)."
    headers: ClassVar[dict[str, str]] = {"Retry-After": "60"}


class NotFound(BlendproofError):
    status = 404
    code = "not_found"
    hint = "See /docs for the addresses of this service."


class ChangeNotFound(NotFound):
    code = "change_not_found"
    hint = "GET /changes lists the changes; `blendproof repo change` prints the id of one."


class AddonNotFound(NotFound):
    code = "addon_not_found"
    hint = "GET /jobs?kind=addon lists the checks of add-ons."


class ChangeFinished(BlendproofError):
    status = 409
    code = "change_finished"
    hint = "GET /changes/{id} shows how it ended."


class JobNotFound(NotFound):
    code = "job_not_found"
    hint = "GET /jobs lists the jobs."


class RunNotFound(NotFound):
    code = "run_not_found"
    hint = "GET /runs lists the runs."


class ArtifactNotFound(NotFound):
    code = "artifact_not_found"
    hint = "A proven run names its artifact; GET /runs lists the runs."


class SceneNotKept(NotFound):
    code = "scene_not_kept"
    hint = "POST /artifacts/{id}/replay?keep_scene=true makes it; a scene of more than 64 MiB is never kept."


class ArtifactDamaged(ArtifactNotFound):
    status = 410
    code = "artifact_damaged"
    hint = "Run its snippet again, which replaces it; the operator can run `blendproof doctor --repair`."


class RunFinished(BlendproofError):
    status = 409
    code = "run_finished"
    hint = "GET /runs/{id} shows how it ended."


class PictureRefused(InvalidRequest):
    code = "picture_refused"
    hint = "Send a PNG, JPEG or WebP of at most 8192 px per edge."


class ArchiveRefused(InvalidRequest):
    code = "archive_refused"
    hint = "Send an archive from GET /artifacts/export or `blendproof artifacts export`; nothing was imported."


class AddonsRefused(InvalidRequest):
    """Here, because a service also tells an error that another service met."""

    code = "addons_refused"
    hint = (
        "An add-on is a .py file with `bl_info`, or a folder with `__init__.py` and `bl_info` or blender_manifest.toml."
    )


class KeyReused(InvalidRequest):
    code = "idempotency_key_reused"
    hint = "Send a new `Idempotency-Key` with each new request, and the same one only to send the same request again."


class SymbolNotFound(NotFound):
    code = "symbol_not_found"
    hint = "`details` names the nearest addresses; GET /search?q= finds symbols by what they are for."


class ModelUnknown(BlendproofError):
    status = 404
    code = "model_not_found"
    hint = "GET /v1/models lists the models; `blendproof` proves on the default Blender."


class RecipeNotFound(NotFound):
    code = "recipe_not_found"
    hint = "GET /cookbook lists the recipes."


class CrossSite(BlendproofError):
    status = 403
    code = "cross_site"
    hint = "A page of another site may not do this; call the service from its own page or from a program."


class ServiceBusy(BlendproofError):
    status = 503
    code = "service_busy"
    hint = "Try again after the time that Retry-After gives."
    headers: ClassVar[dict[str, str]] = {"Retry-After": "10"}


class ServiceStopping(BlendproofError):
    status = 503
    code = "service_stopping"
    hint = "The run is kept; `details` has its id. The service resumes it when it starts again."
    headers: ClassVar[dict[str, str]] = {"Retry-After": "10"}


class JobInterrupted(BlendproofError):
    status = 503
    code = "job_interrupted"
    hint = "Ask again."


class NotReady(BlendproofError):
    status = 503
    code = "not_ready"
    hint = "`details` gives the state of each part; the operator can run `blendproof doctor`."
    headers: ClassVar[dict[str, str]] = {"Retry-After": "10"}


class ModelNotAvailable(BlendproofError):
    status = 503
    code = "model_not_available"
    hint = "Try again later, or use the command language (docs/commands.md); GET /health shows the state of the models."
    headers: ClassVar[dict[str, str]] = {"Retry-After": "30"}


class StorageFailed(BlendproofError):
    status = 503
    code = "storage_failed"
    hint = "Make room on the disk of the data folder, or make the folder writable."


class BlenderMissing(BlendproofError):
    status = 503
    code = "blender_not_available"
    hint = "GET /health lists the available Blenders; the operator can run `blendproof doctor`."


class SandboxMissing(BlendproofError):
    status = 503
    code = "sandbox_missing"
    hint = (
        "The operator can allow user namespaces, or use a Linux kernel with Landlock; docs/sandbox.md says how. "
        "BLENDPROOF_SANDBOX=unsafe runs snippets with the rights of the service's user."
    )


class SandboxBroken(BlendproofError):
    code = "sandbox_broken"
    hint = (
        "Move the named folders out of the system's own folders, or report the escape; no snippet is safe here until "
        "then. BLENDPROOF_SANDBOX=unsafe starts the service anyway."
    )


class IndexNotReady(BlendproofError):
    status = 503
    code = "index_not_ready"
    hint = "The operator can run `blendproof ingest blender`, which takes about half a minute."


class GalleryNotReady(BlendproofError):
    status = 503
    code = "gallery_not_ready"
    hint = "Try again in a moment; GET /health shows the progress. Artifacts can already be fetched by their id."
    headers: ClassVar[dict[str, str]] = {"Retry-After": "5"}


class IngestFailed(BlendproofError):
    code = "ingest_failed"
    hint = "The index is unchanged; fix what the message names, then ingest again."


class PortTaken(BlendproofError):
    code = "port_taken"
    hint = "Set BLENDPROOF_PORT to a free port, or stop the program that listens there."


class DataFolderInUse(BlendproofError):
    code = "data_folder_in_use"
    hint = "Stop the other service, use it, or set BLENDPROOF_DATA to another folder."


class ClusterFailed(BlendproofError):
    code = "cluster_failed"
    hint = "Look whether the head runs there, and whether both machines have the same token (docs/cluster.md)."


class RunFailed(BlendproofError):
    code = "run_failed"
    hint = "This is a fault of the service, not of what was sent; its log says more. Trying again may help."


def fault_of(error: Exception) -> RunFailed:
    """An unforeseen error for callers. The path of a file is the operator's business, and stands in the log."""
    said = error.strerror if isinstance(error, OSError) else str(error)
    return RunFailed(f"{type(error).__name__}: {said}")


def error_of(body: ErrorBody) -> BlendproofError:
    """The error that has this body."""
    kinds: list[type[BlendproofError]] = [BlendproofError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    same = next((kind for kind in kinds if kind.code == body.code), RunFailed)
    return same(body.message, body.hint, body.details)
