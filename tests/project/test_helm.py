"""The Helm chart, rendered and held to the schemas of Kubernetes. Helm itself is no package, so the test renders it."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from app.settings import unknown_variables

ROOT = Path(__file__).resolve().parents[2]
CHART = ROOT / "deploy" / "helm"
TEMPLATES = sorted((CHART / "templates").glob("*.yaml"))
VERSION = "1.33"
SCHEMAS: Any = importlib.import_module("kubernetes_validate")
"""It says nothing of its types."""
DEFINED = re.compile(r'\{\{- define "([\w.]+)" \}\}\n(.*?)\{\{- end \}\}\n', re.DOTALL)
INCLUDED = re.compile(r'\n *\{\{- include "([\w.]+)" \. \| nindent (\d+) \}\}')
VALUE = re.compile(r"\{\{ \.(Values|Release)\.([\w.]+) \}\}")


def read(text: str) -> list[Any]:
    """The documents of a file of YAML, in which no key is there twice."""
    return list(YAML(typ="safe").load_all(text))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]


def rendered(text: str) -> list[Any]:
    """The resources of a template: what Helm makes of the few words of its language that the chart uses."""
    parts = dict(DEFINED.findall((CHART / "templates" / "_parts.tpl").read_text()))
    (values,) = read((CHART / "values.yaml").read_text())

    def include(found: re.Match[str]) -> str:
        lines = parts[found[1]].rstrip().splitlines()
        return "".join(f"\n{' ' * int(found[2])}{line}" for line in lines)

    def value(found: re.Match[str]) -> str:
        there: Any = {"Values": values, "Release": {"Name": "bp"}}[found[1]]
        for name in found[2].split("."):
            there = there[name]
        return str(there)

    whole = VALUE.sub(value, INCLUDED.sub(include, text))
    assert "{{" not in whole, "the chart uses words that this does not render"
    return read(whole)


def problems(text: str) -> list[str]:
    """What is wrong with the resources of a template by the schemas of Kubernetes, and by what is promised of them."""
    found: list[str] = []
    for resource in rendered(text):
        try:
            SCHEMAS.validate(resource, VERSION, strict=True)
        except SCHEMAS.ValidationError as error:
            found.append(error.message)
        pod = resource["spec"].get("template", {}).get("spec", {})
        found += [f"{name} is not confined" for name, one in containers(pod) if one["securityContext"] != CONFINED]
        variables = [one["name"] for _, container in containers(pod) for one in container.get("env", [])]
        found += unknown_variables(variables)
        labels = resource["spec"].get("template", {}).get("metadata", {}).get("labels")
        if labels and labels != resource["spec"]["selector"]["matchLabels"]:
            found.append(f"{resource['metadata']['name']} does not select its own pods")
        if pod and not (pod["securityContext"]["runAsNonRoot"] and pod["automountServiceAccountToken"] is False):
            found.append(f"{resource['metadata']['name']} runs as root, or with rights at Kubernetes")
        volumes = {one["name"] for one in pod.get("volumes", [])}
        mounted = {mount["name"] for _, one in containers(pod) for mount in one["volumeMounts"]}
        found += [f"{name} is no volume" for name in mounted - volumes]
    return found


CONFINED = {
    "readOnlyRootFilesystem": True,
    "allowPrivilegeEscalation": False,
    "capabilities": {"drop": ["ALL"]},
}


def containers(pod: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The containers of a pod by their names."""
    return [(one["name"], one) for one in [*pod.get("initContainers", []), *pod.get("containers", [])]]


@pytest.mark.parametrize("file", TEMPLATES, ids=lambda file: file.name)
def test_the_resources_are_valid_and_confined(file: Path) -> None:
    assert problems(file.read_text()) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("          startupProbe:", "          startUpProbe:"),
        ("replicas: {{ .Values.services.replicas }}", 'replicas: "{{ .Values.services.replicas }}"'),
        ("containerPort: 8484", "containerPort: http"),
        ("BLENDPROOF_ENGINE", "BLENDPROOF_MOTOR"),
        ("        part: service\n    spec:", "        part: services\n    spec:"),
        (
            "            - name: cache\n              mountPath: /filled",
            "            - name: full\n              mountPath: /filled",
        ),
    ],
)
def test_a_resource_that_is_wrong_is_found(old: str, new: str) -> None:
    text = (CHART / "templates" / "service.yaml").read_text()
    assert old in text
    assert problems(text.replace(old, new))


def test_only_services_are_reached_from_outside_the_cluster() -> None:
    every = [one for file in TEMPLATES for one in rendered(file.read_text())]
    policies = {one["metadata"]["name"]: one["spec"] for one in every if one["kind"] == "NetworkPolicy"}
    assert policies["bp-cluster"]["podSelector"]["matchLabels"] == {"app": "bp"}
    assert policies["bp-cluster"]["ingress"] == [{"from": [{"podSelector": {"matchLabels": {"app": "bp"}}}]}]
    assert policies["bp-service"]["podSelector"]["matchLabels"] == {"app": "bp", "part": "service"}
    assert policies["bp-service"]["ingress"] == [{"ports": [{"port": 8484}]}]
    (inside, outside) = [one["spec"] for one in every if one["kind"] == "Service"]
    assert (inside["clusterIP"], [port["port"] for port in outside["ports"]]) == ("None", [8484])
