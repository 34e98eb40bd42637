"""The files for container engines: linted, valid by their schemas, and as confined as they say."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.project.schemas import BINARIES, schema_problems

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILES = [ROOT / "docker" / "Dockerfile", ROOT / "docker" / "blender.Dockerfile"]
COMPOSE = ROOT / "docker-compose.yml"
WORKFLOW = ROOT / "docker" / "github-workflow.yml"
CLUSTER = {"head", "node-1", "node-2", "service-1", "service-2", "objects"}
OURS = {"blendproof", "check", *CLUSTER}


def read_yaml(text: str) -> dict[str, Any]:
    """A file of YAML, with what it merges."""
    found: dict[str, Any] = YAML(typ="safe").load(text)  # pyright: ignore[reportUnknownMemberType]
    return found


def hadolint(text: str) -> str:
    """The linter's remarks on a Dockerfile; empty if there are none."""
    command = [str(BINARIES / "hadolint"), "--no-color", "--config", str(ROOT / ".hadolint.yaml"), "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False).stdout


def lacks(text: str) -> list[str]:
    """What a Dockerfile of ours must say, and the linter does not ask for."""
    found: list[str] = []
    users = re.findall(r"^USER (\S+)", text, re.MULTILINE)
    if not users or not re.fullmatch(r"[1-9]\d*:[1-9]\d*", users[-1]):
        found.append("the last USER is none but root's, by numbers")
    if re.search(r"^ADD ", text, re.MULTILINE):
        found.append("no ADD")
    found += [f"a release of {image}" for image in re.findall(r"^FROM (\S+)", text, re.MULTILINE) if ":" not in image]
    if "https://" in text or "http://" in re.sub(r"http://127\.0\.0\.1", "", text):
        found.append("no address of another machine")
    return found


@pytest.mark.parametrize("file", DOCKERFILES, ids=lambda file: file.name)
def test_dockerfiles_are_linted(file: Path) -> None:
    assert (hadolint(file.read_text()), lacks(file.read_text())) == ("", [])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("debian:trixie-slim", "debian:latest", "DL3007"),
        ("debian:trixie-slim", "debian", "DL3006"),
        ("    rm -rf /var/lib/apt/lists/*", "    true", "DL3009"),
        ("--no-install-recommends", "", "DL3015"),
        ("USER 10001:10001", "USER root", "DL3002"),
        ("COPY app app/", "ADD app app/", "DL3020"),
        ("USER 10001:10001\n", "", "the last USER"),
        ("USER 10001:10001", "USER 10001:0", "the last USER"),
    ],
)
def test_a_careless_dockerfile_is_found(old: str, new: str, said: str) -> None:
    text = DOCKERFILES[1].read_text()
    assert old in text
    worse = text.replace(old, new)
    assert said in hadolint(worse) + "".join(lacks(worse))


def test_each_file_that_is_copied_is_there_and_reaches_the_builder() -> None:
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    for file in DOCKERFILES:
        for line in re.findall(r"^COPY (.+) \S+$", file.read_text(), re.MULTILINE):
            for source in line.split():
                assert (ROOT / source).exists(), source
                assert f"!{source.split('/')[0]}" in ignored, source


@pytest.mark.parametrize(
    ("schema", "file", "old", "new"),
    [
        ("compose-spec", COMPOSE, "pids_limit: 2048", "pids_limit: [2048]"),
        ("compose-spec", COMPOSE, "  read_only: true", "  read_onely: true"),
        ("github-workflows", WORKFLOW, "runs-on:", "runs:"),
    ],
)
def test_the_files_are_valid_and_their_near_twins_are_not(
    schema: str, file: Path, old: str, new: str, tmp_path: Path
) -> None:
    text = file.read_text()
    assert schema_problems(schema, text, tmp_path) == ""
    assert old in text and schema_problems(schema, text.replace(old, new), tmp_path)


def exposed(compose: dict[str, Any]) -> list[str]:
    """In what the services are not as confined as they should be."""
    found: list[str] = []
    for name, service in compose["services"].items():
        wanted: dict[str, Any] = {"cap_drop": ["ALL"], "security_opt": ["no-new-privileges:true"]}
        if name in OURS:
            wanted |= {"read_only": True, "user": "10001:10001", "init": True}
        found += [f"{name}: {key}" for key, value in wanted.items() if service.get(key) != value]
        found += [f"{name}: {key}" for key in ("mem_limit", "pids_limit", "healthcheck") if not service.get(key)]
        found += [f"{name}: {key}" for key in ("privileged", "cap_add", "devices") if key in service]
        found += [f"{name}: port {port}" for port in service.get("ports", []) if not port.startswith("127.0.0.1:")]
        found += [f"{name}: docker.sock" for volume in service.get("volumes", []) if "docker.sock" in volume]
        if service["image"].endswith(":latest"):
            found.append(f"{name}: {service['image']}")
    return found


def test_the_services_are_confined() -> None:
    compose = read_yaml(COMPOSE.read_text())
    assert exposed(compose) == []
    assert set(compose["services"]) == OURS | {"postgres", "vllm", "vllm-gpu"}
    assert {name: service.get("profiles") for name, service in compose["services"].items()} == {
        "blendproof": None,
        "check": ["check"],
        "vllm": ["vllm"],
        "vllm-gpu": ["gpu"],
    } | {name: ["cluster"] for name in [*CLUSTER, "postgres"]}
    assert "BLENDPROOF_TOKEN:?" in COMPOSE.read_text()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("read_only: true", "read_only: false"),
        ("cap_drop: [ALL]", "cap_drop: [NET_RAW]"),
        ("no-new-privileges:true", "seccomp:unconfined"),
        ('"127.0.0.1:${BLENDPROOF_PORT', '"0.0.0.0:${BLENDPROOF_PORT'),
        ('user: "10001:10001"', 'user: "0:0"'),
        ("mem_limit:", "x-mem_limit:"),
        ("pids_limit:", "x-pids_limit:"),
        ('["data:/var/lib/blendproof", ', '["/var/run/docker.sock:/var/run/docker.sock", '),
        ("vllm-openai:v0.11.0}", "vllm-openai}:latest"),
    ],
)
def test_a_service_that_is_less_confined_is_found(old: str, new: str) -> None:
    text = COMPOSE.read_text()
    assert old in text
    assert exposed(read_yaml(text.replace(old, new)))


def reached(compose: dict[str, Any]) -> list[str]:
    """What of the cluster is reached from outside it, and is not a service."""
    found = [] if compose["networks"]["cluster"].get("internal") is True else ["its network"]
    for name, service in compose["services"].items():
        if service.get("profiles") != ["cluster"]:
            continue
        networks = set(service.get("networks", ["default"]))
        if name.startswith("service-"):
            networks.discard("default")
        elif service.get("ports"):
            found.append(f"{name}: {service['ports']}")
        found += [f"{name}: network {network}" for network in networks - {"cluster"}]
    return found


def test_of_the_cluster_only_the_services_are_reached() -> None:
    assert reached(read_yaml(COMPOSE.read_text())) == []
    ports = {name: one["ports"] for name, one in read_yaml(COMPOSE.read_text())["services"].items() if "ports" in one}
    assert len({port.split(":")[1] for (port,) in ports.values()}) == len(ports) == 3


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    internal: true", "    internal: false"),
        ("    networks: {cluster: {aliases: [postgres.cluster]}}", '    ports: ["127.0.0.1:5432:5432"]'),
        ("{cluster: {aliases: [node-1.cluster]}}", "{default: {}, cluster: {aliases: [node-1.cluster]}}"),
        ("    networks: {cluster: {aliases: [objects.cluster]}}\n", ""),
    ],
)
def test_a_part_of_the_cluster_that_is_reached_is_found(old: str, new: str) -> None:
    text = COMPOSE.read_text()
    assert old in text
    assert reached(read_yaml(text.replace(old, new)))


def test_every_name_in_the_cluster_is_of_a_part_of_it() -> None:
    text = COMPOSE.read_text()
    aliases = set[str]()
    for service in read_yaml(text)["services"].values():
        in_cluster: dict[str, Any] = dict(service.get("networks", {})).get("cluster", {})
        aliases |= set(in_cluster.get("aliases", []))
    assert aliases == {f"{name}.cluster" for name in [*CLUSTER, "postgres"]}
    assert set(re.findall(r"[\w-]+\.cluster\b", text)) == aliases


def test_what_is_mounted_in_memory_suits_podman_too() -> None:
    """podman refuses what docker takes besides: `uid`, `gid`."""
    texts = [COMPOSE.read_text(), WORKFLOW.read_text(), (ROOT / "docs" / "ci.md").read_text()]
    found = [options for text in texts for options in re.findall(r"(?:--tmpfs|  -) /[\w/]+:([\w=,]+)", text)]
    assert len(found) == 6 + 2 + 2
    for options in found:
        assert {one.split("=")[0] for one in options.split(",")} <= {"size", "mode", "nosuid", "nodev"}


def test_compose_sets_settings_that_there_are() -> None:
    from app.settings import Settings, unknown_variables

    services = read_yaml(COMPOSE.read_text())["services"]
    environment = [name for name in OURS for name in services[name].get("environment", {})]
    written = [name for file in DOCKERFILES for name in re.findall(r"(BLENDPROOF_\w+)=", file.read_text())]
    assert {"BLENDPROOF_TOKEN", "BLENDPROOF_DATABASE", "BLENDPROOF_CLUSTER"} <= set(environment)
    # Whoever exports them for the compose file goes on using the commands.
    exported = re.findall(r"\$\{(BLENDPROOF_\w+)", COMPOSE.read_text())
    assert {"BLENDPROOF_STORE_SECRET", "BLENDPROOF_MEMORY"} <= set(exported)
    assert list(unknown_variables([*environment, *written, *exported])) == []
    assert list(unknown_variables(["BLENDPROOF_STORE_SECRETS"])) != []
    assert Settings.model_fields["port"].default == 8484 and "EXPOSE 8484" in DOCKERFILES[0].read_text()


def test_the_health_check_asks_whether_it_is_ready() -> None:
    (written,) = re.findall(r"^    CMD (\[.*\])$", DOCKERFILES[0].read_text(), re.MULTILINE)
    test: list[str] = read_yaml(COMPOSE.read_text())["services"]["blendproof"]["healthcheck"]["test"]
    assert ["CMD", *json.loads(written)] == test
    assert "http://127.0.0.1:8484/ready" in written
