"""GET /metrics: the counts and times of the service, as Prometheus reads them."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request, Response
from prometheus_client.exposition import choose_encoder

from app.api.common import TheService
from app.api.error_bodies import errors
from app.api.examples import example, file_example

router = APIRouter(tags=["service"])

SHOWN: Final = "Counters, gauges and histograms; docs/operating.md lists them."


@router.get(
    "/metrics",
    summary="Get the metrics for Prometheus",
    response_class=Response,
    responses={
        200: file_example("text/plain", SHOWN, "\n".join(example("METRICS"))),
        **errors(),
    },
)
def get_metrics(request: Request, service: TheService) -> Response:
    """The counts since the service started. Needs the token, if there is one."""
    encode, content_type = choose_encoder(request.headers.get("accept", ""))
    return Response(encode(service.tools.metrics.registry), media_type=content_type)
