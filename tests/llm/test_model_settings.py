"""Setting models up: from the environment and from blendproof.toml; what is wrong is said, and no key with it."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from app.errors import SettingsInvalid
from app.settings import Settings, in_force, read_settings
from tests.model_server import KEY

SEVERAL = f"""
port = 9000

[providers.openrouter]
model = "somebody/some-coder"
key = "{KEY}"
context = 65536
price_in = 0.5

[providers.ollama]
model = "coder:14b"
requests_per_minute = 30
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BLENDPROOF_CONFIG", str(tmp_path / "blendproof.toml"))
    return tmp_path / "blendproof.toml"


def test_without_anything_there_is_no_model() -> None:
    assert Settings().model_providers() == []


def test_auto_takes_what_is_set_up_local_first(file: Path) -> None:
    file.write_text(SEVERAL)
    settings = read_settings()
    ollama, openrouter = settings.model_providers()
    assert (ollama.name, ollama.url, ollama.requests_per_minute) == ("ollama", "http://127.0.0.1:11434/v1", 30)
    assert (openrouter.name, openrouter.context, openrouter.price_in) == ("openrouter", 65536, 0.5)
    assert settings.port == 9000
    assert KEY not in repr(settings) and KEY not in repr(openrouter)


def test_hedging_needs_another_address(file: Path) -> None:
    file.write_text(SEVERAL + "hedge_after_s = 20\n")
    with pytest.raises(SettingsInvalid, match="`hedge_after_s` needs another address"):
        read_settings().model_providers()
    file.write_text(SEVERAL + 'hedge_after_s = 20\nreplicas = ["http://127.0.0.2:11434/v1"]\n')
    assert read_settings().model_providers()[0].hedge_after_s == 20


def test_the_environment_goes_before_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text(SEVERAL)
    monkeypatch.setenv("BLENDPROOF_PORT", "9001")
    monkeypatch.setenv("BLENDPROOF_MODEL_PROVIDER", "ollama")
    monkeypatch.setenv("BLENDPROOF_MODEL_NAME", "coder:32b")
    monkeypatch.setenv("BLENDPROOF_MODEL_CONTEXT", "32768")
    settings = read_settings()
    (ollama,) = settings.model_providers()
    assert (settings.port, ollama.model, ollama.context, ollama.requests_per_minute) == (9001, "coder:32b", 32768, 30)
    monkeypatch.setenv("BLENDPROOF_MODEL_PROVIDER", "off")
    assert read_settings().model_providers() == []


def test_one_provider_is_set_up_by_the_environment_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLENDPROOF_MODEL_PROVIDER", "custom")
    monkeypatch.setenv("BLENDPROOF_MODEL_NAME", "m")
    monkeypatch.setenv("BLENDPROOF_MODEL_URL", "http://gpu.local:8000/v1")
    monkeypatch.setenv("BLENDPROOF_MODEL_KEY", KEY)
    monkeypatch.setenv("BLENDPROOF_MODEL_IMAGES", "true")
    (one,) = read_settings().model_providers()
    assert (one.url, one.images, one.key and one.key.get_secret_value()) == ("http://gpu.local:8000/v1", True, KEY)


WRONG: list[tuple[str, dict[str, str], str]] = [
    ("no such provider", {"MODEL_PROVIDER": "gpt"}, "BLENDPROOF_MODEL_PROVIDER='gpt'"),
    ("no model", {"MODEL_PROVIDER": "vllm"}, "providers.vllm: no model is named.*BLENDPROOF_MODEL_NAME"),
    ("no key", {"MODEL_PROVIDER": "openai", "MODEL_NAME": "m"}, "providers.openai: no key.*BLENDPROOF_MODEL_KEY"),
    ("no address", {"MODEL_PROVIDER": "custom", "MODEL_NAME": "m"}, "providers.custom: no address"),
    ("no script", {"MODEL_PROVIDER": "scripted", "MODEL_SCRIPT": "/nowhere.toml"}, "file of written answers"),
    ("which provider", {"MODEL_NAME": "m"}, "name the provider that has BLENDPROOF_MODEL_NAME"),
    ("no number", {"MODEL_CONTEXT": "many"}, "BLENDPROOF_MODEL_CONTEXT='many'"),
    ("a key that is none", {"MODEL_KEY": f"{KEY}\u00e9"}, "BLENDPROOF_MODEL_KEY: a key is made of printable"),
]


@pytest.mark.parametrize(("variables", "said"), [one[1:] for one in WRONG], ids=[one[0] for one in WRONG])
def test_a_wrong_value_is_told_with_what_to_write(
    variables: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(f"BLENDPROOF_{name}", value)
    with pytest.raises(SettingsInvalid, match=said) as caught:
        read_settings()
    assert KEY not in str(caught.value) + str(caught.value.__cause__)


WRONG_FILES: list[tuple[str, str, str]] = [
    ("an unknown setting", "portt = 1", "portt: there is no such setting; did you mean port"),
    ("a key under an unknown name", f"openai_key = '{KEY}'", "openai_key: there is no such setting"),
    ("an unknown provider", "[providers.acme]\nmodel = 'm'", "acme"),
    (
        "an unknown entry",
        f"[providers.vllm]\nkey = '{KEY}'\nmodle = 'x'",
        "vllm.modle: .* did you mean model",
    ),
    ("a wrong number", f"[providers.vllm]\nmodel = 'm'\nkey = '{KEY}'\ncontext = 12", "providers.vllm.context=12"),
    ("a key that is a number", "[providers.vllm]\nmodel = 'm'\nkey = 123456789", "providers.vllm.key: "),
    ("no TOML", f"[providers\nkey = '{KEY}'", "blendproof.toml"),
]


@pytest.mark.parametrize(("text", "said"), [one[1:] for one in WRONG_FILES], ids=[one[0] for one in WRONG_FILES])
def test_a_wrong_file_is_told_without_its_keys(text: str, said: str, file: Path) -> None:
    file.write_text(text)
    with pytest.raises(SettingsInvalid, match=said) as caught:
        read_settings()
    assert KEY not in str(caught.value) and "123456789" not in str(caught.value)


def test_a_script_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "answers.toml"
    script.write_text("[[answer]]\ntext = 1\n")
    monkeypatch.setenv("BLENDPROOF_MODEL_PROVIDER", "scripted")
    monkeypatch.setenv("BLENDPROOF_MODEL_SCRIPT", str(script))
    with pytest.raises(SettingsInvalid, match=r"answers.toml"):
        read_settings()


@pytest.mark.parametrize(
    ("name", "address", "shown"),
    [
        ("MODEL_URL", "htp:/user:hunter2@gpu.local/v1", "BLENDPROOF_MODEL_URL='htp:/gpu.local/v1'"),
        ("TRACING", "http://user:hunter2@gpu.local:4318", "BLENDPROOF_TRACING='http://gpu.local:4318'"),
        ("ARTIFACTS", "s3://key:hunter2@bucket", "BLENDPROOF_ARTIFACTS='s3://bucket'"),
        ("CLUSTER", "user:hunter2@head:6379", "BLENDPROOF_CLUSTER='head:6379'"),
        ("MODEL_URL", "htp:/gpu.local/v1", "BLENDPROOF_MODEL_URL='htp:/gpu.local/v1'"),
    ],
)
def test_a_wrong_address_is_told_without_its_user(
    name: str, address: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"BLENDPROOF_{name}", address)
    with pytest.raises(SettingsInvalid) as caught:
        read_settings()
    assert shown in caught.value.message and "hunter2" not in caught.value.message


def test_an_address_in_force_is_shown_without_its_user(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("PROVIDER", "custom"), ("NAME", "m"), ("URL", "http://user:hunter2@gpu.local/v1?key=hunter2")):
        monkeypatch.setenv(f"BLENDPROOF_MODEL_{name}", value)
    settings = read_settings()
    assert {one.name: one.value for one in in_force(settings)}["model_url"] == "http://gpu.local/v1"
    assert settings.model_providers()[0].url.startswith("http://user:hunter2@"), "it is asked with its user"


def test_a_folder_of_nobody_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folders, wrong in ((f"{tmp_path}:~no-such-user/src", True), (f"{tmp_path}:~/src", False)):
        monkeypatch.setenv("BLENDPROOF_REPOSITORIES", folders)
        with pytest.raises(SettingsInvalid, match="no such user") if wrong else contextlib.nullcontext():
            read_settings()
