"""Talks to a Blendproof service over HTTP, and starts one for the time of a call if none is running."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self

import httpx2

from app.errors import DataFolderInUse, ErrorBody, QuotaSpent, ServiceBusy
from app.jobs.run import UNFINISHED, Run
from app.settings import Settings, http_address

POLL_S = 0.2
AHEAD = 16
"""Requests of one call that are sent before the first of them has ended, so that they can be worked on side by side."""
START_TIMEOUT_S = 60.0
ANSWER_TIMEOUT_S = 120.0
"""The first call to a new service may wait until the models of the index are loaded: long on a busy machine."""


class ServiceNotAvailable(Exception):
    """No service answers, or it failed; the message says what to do."""


class ServiceFull(ServiceNotAvailable):
    """The service takes no further run for now."""


class WrongUrl(Exception):
    """The caller must give another address."""


class RequestRefused(Exception):
    """The service refused the request."""

    def __init__(self, body: ErrorBody) -> None:
        super().__init__(body.message)
        self.body = body


class ShareSpent(RequestRefused):
    """The caller has had his share of the service for now; `wait_s` are the seconds to wait."""

    def __init__(self, body: ErrorBody, wait_s: float) -> None:
        super().__init__(body)
        self.wait_s = wait_s


class Client:
    """One service at `url`. Methods raise RequestRefused and ServiceNotAvailable."""

    _again_at = 0.0
    """When a quota may have room again, on the monotonic clock."""

    def __init__(self, url: str, token: str | None) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            timeout = httpx2.Timeout(ANSWER_TIMEOUT_S, connect=30.0)
            self._http = httpx2.Client(base_url=url, headers=headers, timeout=timeout, trust_env=False)
        except httpx2.InvalidURL as error:
            raise WrongUrl(f"{url} is not the address of a service: {error}.") from error
        self.url = url

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def answers(self) -> bool:
        """True if a Blendproof service answers there."""
        try:
            response = self._http.get("/health", timeout=5.0)
            return response.status_code == 401 or "parts" in response.json()
        except (httpx2.HTTPError, ValueError, TypeError):
            return False

    def run(self, path: str, body: dict[str, Any], say_stage: Callable[[str], None]) -> Run:
        """POST a request, follow its run and return it when it has ended."""
        (run,) = self.run_all(path, [body], lambda _, stage: say_stage(stage))
        return run

    def run_all(
        self, path: str, bodies: Sequence[dict[str, Any]], say_stage: Callable[[int, str], None]
    ) -> Iterator[Run]:
        """POST requests, some before their turn, and yield each run in turn when it has ended.

        `say_stage` hears the number of the request whose turn it is. Runs that have not ended are cancelled if the
        caller stops.
        """
        sent: list[Run] = []
        ended = 0
        try:
            while ended < len(bodies):
                self._send_ahead(path, bodies, sent, ended)
                if len(sent) == ended:
                    self._send_when_there_is_room(path, bodies[ended], sent, say_stage)
                while (run := sent[ended]).status in UNFINISHED:
                    say_stage(ended, run.stage)
                    time.sleep(POLL_S)
                    sent[ended] = self.get_run(run.id)
                    self._send_ahead(path, bodies, sent, ended)
                ended += 1
                yield run
        except BaseException:
            for run in sent[ended:]:
                with contextlib.suppress(RequestRefused, ServiceNotAvailable):
                    self.call("DELETE", f"/runs/{run.id}")
            raise

    def _send_ahead(self, path: str, bodies: Sequence[dict[str, Any]], sent: list[Run], ended: int) -> None:
        """Send the requests that are next, unless the service is full with those of this call, or its share spent."""
        for body in bodies[len(sent) : ended + AHEAD]:
            if time.monotonic() < self._again_at:
                return
            try:
                sent.append(self._send(path, body))
            except ServiceFull:
                if len(sent) > ended:
                    return
                raise
            except ShareSpent as spent:
                if not sent:
                    raise
                self._again_at = time.monotonic() + spent.wait_s
                return

    def _send_when_there_is_room(
        self, path: str, body: dict[str, Any], sent: list[Run], say_stage: Callable[[int, str], None]
    ) -> None:
        """Send a request after the time that the service said; raises ShareSpent if there is no room then either."""
        say_stage(len(sent), "waiting, since the quota of the service is spent")
        time.sleep(max(self._again_at - time.monotonic(), 0))
        sent.append(self._send(path, body))

    def _send(self, path: str, body: dict[str, Any]) -> Run:
        return Run.model_validate(self.call("POST", path, json=body, headers={"Prefer": "respond-async"}))

    def get_run(self, run_id: str) -> Run:
        """The run as it stands."""
        return Run.model_validate(self.call("GET", f"/runs/{run_id}"))

    def download(self, path: str, params: dict[str, Any]) -> Iterator[bytes]:
        """The body of an answer, in pieces."""
        try:
            with self._http.stream("GET", path, params=params, timeout=600.0) as response:
                if not response.is_success:
                    response.read()
                    raise RequestRefused(ErrorBody.model_validate(response.json()))
                yield from response.iter_bytes()
        except (httpx2.HTTPError, ValueError) as error:
            raise ServiceNotAvailable(f"{path} cannot be fetched from {self.url}: {error}") from error

    def picture(self, run: Run) -> bytes | None:
        """The PNG of a run's artifact, or None if it has none."""
        if run.artifact is None:
            return None
        try:
            return self._http.get(run.artifact.picture).raise_for_status().content
        except httpx2.HTTPError as error:
            raise ServiceNotAvailable(f"The picture cannot be fetched from {self.url}: {error}") from error

    def last_picture(self, run: Run) -> bytes | None:
        """The same; for a run that proved nothing, the render of its last attempt, or None."""
        if run.artifact or not run.attempts:
            return self.picture(run)
        try:
            response = self._http.get(f"/runs/{run.id}/picture.png")
        except httpx2.HTTPError as error:
            raise ServiceNotAvailable(f"The picture cannot be fetched from {self.url}: {error}") from error
        return response.content if response.is_success else None

    def call_all(self, method: str, paths: Sequence[str], **options: Any) -> Iterator[Any]:
        """The answers to calls that are made side by side, in the order of the paths, or why there is none.

        Calls for which the service has no room are made again.
        """

        def answer(path: str) -> Any:
            while not stopped.is_set():
                try:
                    return self.call(method, path, **options)
                except ServiceFull:
                    stopped.wait(POLL_S)
                except (RequestRefused, ServiceNotAvailable) as error:
                    return error
            return None

        stopped = threading.Event()
        with ThreadPoolExecutor(AHEAD) as pool:
            try:
                yield from pool.map(answer, paths)
            finally:
                stopped.set()

    def call(self, method: str, path: str, **options: Any) -> Any:
        """The answer of the service to a request, read from JSON."""
        try:
            response = self._http.request(method, path, **options)
        except httpx2.HTTPError as error:
            raise ServiceNotAvailable(f"The service at {self.url} does not answer: {error}") from error
        try:
            content = response.json()
            if response.is_success:
                return content
            body = ErrorBody.model_validate(content)
        except ValueError as error:
            raise ServiceNotAvailable(f"The server at {self.url} is not a Blendproof service.") from error
        if response.status_code >= 500:
            kind = ServiceFull if body.code == ServiceBusy.code else ServiceNotAvailable
            raise kind(f"{body.message} {body.hint}")
        if body.code == QuotaSpent.code:
            raise ShareSpent(body, float(response.headers["Retry-After"]))
        raise RequestRefused(body)


def own_client(settings: Settings) -> Client:
    """A client of the service that runs, or would run, with these settings."""
    return Client(http_address(settings.host, settings.port), settings.plain_token)


@contextlib.contextmanager
def connect(
    settings: Settings, url: str | None, say: Callable[[str], None], *, runs: bool = True
) -> Generator[Client, None, None]:
    """A client of the service at `url`; without one, of the service of these settings, started if necessary.

    Without `runs`, a started service keeps no Blender warm, because the call needs none.
    """
    with Client(url, settings.plain_token) if url else own_client(settings) as client:
        if client.answers():
            yield client
            return
        if url:
            raise ServiceNotAvailable(f"No service answers at {url}. Start one with `blendproof serve`.")
    say("no service is running; starting one for this call")
    with started(settings, runs=runs) as address, Client(address, settings.plain_token) as client:
        yield client


@contextlib.contextmanager
def started(settings: Settings, *, runs: bool = True) -> Generator[str, None, None]:
    """Run a service on a free port of loopback, in a thread of this process; yields its address.

    Waits for another service that uses the data folder. Raises the errors of `serve`.
    """
    # Imported here, because it takes a second that a call to a running service does not need.
    from app.cli.server import Server, serve

    # One call has one run, which needs one place.
    workers = min(settings.warm_workers, 1) if runs else 0
    own = settings.model_copy(update={"host": "127.0.0.1", "port": 0, "warm_workers": workers})
    up: queue.Queue[tuple[str, Server] | BaseException] = queue.Queue()

    def run() -> None:
        try:
            asyncio.run(serve(own, lambda url, server: up.put((url, server)), for_one_call=True))
        except BaseException as error:
            up.put(error)

    give_up = time.monotonic() + START_TIMEOUT_S
    while True:
        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        answer = up.get()
        if not isinstance(answer, DataFolderInUse) or time.monotonic() > give_up:
            break
        time.sleep(POLL_S)
    if isinstance(answer, BaseException):
        raise answer
    url, server = answer
    try:
        yield url
    finally:
        server.should_exit = True
        thread.join()
