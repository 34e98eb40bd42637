"""The state of each part of the service, in words for operators."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, Literal

from pydantic import BaseModel

from app.artifacts.search.clip import NO_WEIGHTS, PREPARING
from app.retrieval.retriever import model_problem
from app.service.gauges import free_bytes
from app.service.service import Service
from ingest.reference_store import ReferenceIndexUnusable

LOW_DISK_BYTES = 1 << 30
NO_DISK_BYTES = 256 << 20
"""Bytes that one run may write; with less free space the service is not ready, though it refuses no run for that."""

SHOWN = ("name", "version", "build_hash", "kind", "python", "source", "label")
"""The facts of a Blender that are shown."""


class PartHealth(BaseModel):
    """One part: `ok`, `degraded` (works, with limits), `down` (does not work) or `off` (not configured)."""

    state: Literal["ok", "degraded", "down", "off"]
    message: str


class Ready(BaseModel):
    """The parts that a run needs. The service still answers if one of them is `degraded`."""

    ready: Literal[True]
    parts: dict[str, PartHealth]


class Health(BaseModel):
    """The state of the service is that of its worst part; parts that are off do not count.

    If the service has a token, requests without it see `status` alone.
    """

    status: Literal["ok", "degraded", "down"]
    parts: dict[str, PartHealth]
    blenders: list[dict[str, Any]]
    workers: list[dict[str, Any]]
    unfinished_runs: int | None


async def health_of(service: Service) -> Health:
    """The state of the service with that of each part."""
    parts = {
        "blender": blender_part(service),
        "types": types_part(service),
        "index": index_part(service),
        "store": await asyncio.to_thread(store_part, service),
        "gallery": gallery_part(service),
        "clip": clip_part(service),
        "sandbox": sandbox_part(service),
        "workers": workers_part(service),
        "cluster": cluster_part(service),
        "model": model_part(service),
    }
    states = {part.state for part in parts.values()}
    status: Literal["ok", "degraded", "down"] = (
        "down" if "down" in states else "degraded" if "degraded" in states else "ok"
    )
    return Health(
        status=status,
        parts=parts,
        blenders=[{name: getattr(blender, name) for name in SHOWN} for blender in service.tools.blenders],
        workers=service.tools.engine.facts().workers,
        unfinished_runs=service.work.unfinished(),
    )


def queue_part(service: Service) -> PartHealth:
    message = f"{service.work.working()} running, {service.work.waiting()} waiting"
    if service.stopping:
        return PartHealth(state="down", message="the service is stopping")
    return PartHealth(state="down" if service.work.full else "ok", message=message)


def sandbox_part(service: Service) -> PartHealth:
    sandbox = service.tools.sandbox
    facts = sandbox.facts()
    message = f"rung `{facts['rung']}` protects {facts['protects']}; not: {facts['does_not_protect']}"
    if sandbox.why_not:
        message += f"; no stronger rung, because {'; '.join(sandbox.why_not)}"
    if not sandbox.serves:
        return PartHealth(state="down", message=f"{message}; snippets are refused unless BLENDPROOF_SANDBOX=unsafe")
    return PartHealth(state="ok" if sandbox.isolates else "degraded", message=message)


def cluster_part(service: Service) -> PartHealth:
    nodes = service.tools.engine.facts().nodes
    if service.tools.settings.engine == "local":
        return PartHealth(state="off", message="snippets are executed on this machine")
    said = [
        f"{node['node']}: {node['busy']} of {node['places']} places taken"
        if node["state"] == "ok"
        else f"{node['node']}: {node['state']} ({node['problem'] or 'no further orders'})"
        for node in nodes
    ]
    well = bool(nodes) and all(node["state"] == "ok" for node in nodes)
    return PartHealth(state="ok" if well else "degraded", message="; ".join(said) or "no node was seen yet")


def workers_part(service: Service) -> PartHealth:
    facts, blenders = service.tools.engine.facts(), service.tools.blenders
    if blenders and (refusal := service.tools.engine.refusal(blenders[0])):
        return PartHealth(state="down", message=refusal)
    if not facts.keeps_warm:
        return PartHealth(state="off", message="each execution starts its own Blenders")
    if facts.cold:
        message = "; ".join(f"{blender} cannot be kept warm: {why}" for blender, why in facts.cold.items())
        return PartHealth(state="degraded", message=f"{message}; its executions start their own")
    states = Counter(worker["state"] for worker in facts.workers)
    return PartHealth(
        state="ok", message=", ".join(f"{count} {state}" for state, count in states.items()) or "none yet"
    )


def blender_part(service: Service) -> PartHealth:
    if service.admission.blender_problem:
        return PartHealth(state="down", message=service.admission.blender_problem)
    versions = ", ".join(blender.name for blender in service.tools.blenders)
    return PartHealth(state="ok", message=f"Blender {versions}")


def types_part(service: Service) -> PartHealth:
    # Blenders that were only found on the machine need no stubs.
    ready = [blender for blender in service.tools.blenders if blender.source != "found"]
    without = [blender.series for blender in ready if not service.tools.stubs(blender).is_dir()]
    if without:
        message = f"no stubs of Blender {', '.join(without)}; run `blendproof blenders install`"
        return PartHealth(state="degraded", message=message)
    return PartHealth(state="ok", message="mypy and pyright with the stubs of each Blender")


def index_part(service: Service) -> PartHealth:
    try:
        catalogue = service.tools.retriever.catalogue()
    except ReferenceIndexUnusable as error:
        return PartHealth(state="degraded", message=f"{error} Requests are answered without it.")
    if problem := model_problem(catalogue, service.tools.settings.embedding_model):
        return PartHealth(state="degraded", message=f"{problem} Requests are answered without it.")
    references = catalogue.references.values()
    named = ", ".join(f"{reference.name} ({reference.symbols} symbols)" for reference in references)
    by_words = [reference.name for reference in references if not reference.dense]
    if by_words:
        message = f"{named}; searched by words alone until their ingest ends: {', '.join(by_words)}"
        return PartHealth(state="degraded", message=message)
    indexed = {reference.name for reference in references}
    missing = [b.version for b in service.tools.blenders if b.version not in indexed and b.source != "found"]
    if missing:
        message = f"{named}; not indexed: Blender {', '.join(missing)}; run `blendproof ingest blender --all`"
        # Requests are still answered; most name no Blender.
        default = service.tools.blenders[0].version in missing
        return PartHealth(state="degraded" if default else "ok", message=message)
    return PartHealth(state="ok", message=named)


def model_part(service: Service) -> PartHealth:
    states = service.tools.models.states()
    if not states:
        return PartHealth(state="off", message="no model is configured; requests are written in the command language")
    message = "; ".join(f"{name}: {problem or 'no problem so far'}" for name, problem in states)
    return PartHealth(state="degraded" if all(problem for _, problem in states) else "ok", message=message)


def gallery_part(service: Service) -> PartHealth:
    """The index of the artifacts."""
    gallery = service.tools.gallery
    if gallery.index_problem:
        return PartHealth(state="degraded", message=f"artifacts are kept but not all found: {gallery.index_problem}")
    if gallery.behind or not gallery.indexed:
        return PartHealth(state="ok", message=f"{gallery.behind} artifacts are still to be indexed")
    if gallery.text_problem:
        return PartHealth(state="degraded", message=f"artifacts are found by words alone: {gallery.text_problem}")
    return PartHealth(state="ok", message="artifacts are found by words, meaning and the hashes of their pictures")


def clip_part(service: Service) -> PartHealth:
    clip = service.tools.gallery.clip
    if not clip.configured:
        return PartHealth(state="off", message=NO_WEIGHTS)
    if clip.problem:
        return PartHealth(state="degraded", message=clip.problem)
    if clip.preparing:
        return PartHealth(state="degraded", message=f"{clip.model} with the weights {clip.weights}: {PREPARING}")
    state = "is loaded" if clip.identity else "is loaded when it is needed"
    return PartHealth(state="ok", message=f"{clip.model} with the weights {clip.weights} {state}")


def store_part(service: Service) -> PartHealth:
    free = free_bytes(service.tools)
    message = f"{service.tools.artifacts.count()} artifacts; {free >> 20} MiB of disk are free"
    return PartHealth(
        state="ok" if free > LOW_DISK_BYTES else "degraded" if free > NO_DISK_BYTES else "down", message=message
    )
