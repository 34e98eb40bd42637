"""Gathers the material of an object: several places of a request may speak of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.drafting.composer.looks import Look
from app.drafting.composer.plan import SetMaterial, Target, Vector
from app.drafting.composer.settings import Setting
from app.drafting.draft import NotUnderstood


@dataclass
class Surface:
    """The material of one target, as far as the request has been read. What was given once cannot be given again."""

    target: Target
    name: str | None = None
    labels: list[str] = field(default_factory=list[str])
    colour: Vector | None = None
    inputs: dict[str, float] = field(default_factory=dict[str, float])

    def call(self, name: str) -> None:
        """Take on a name."""
        if self.name is not None:
            raise NotUnderstood([name], f'"{name}": the material was given a name before')
        self.name = name

    def add_look(self, look: Look) -> None:
        """Take on a colour or a finish."""
        self.labels.append(look.label)
        if look.colour is not None:
            if self.colour is not None:
                raise NotUnderstood([look.words], f'"{look.words}": the colour was given before')
            self.colour = look.colour
        for name, value in look.inputs.items():
            self._set_input(name, value, look.words)

    def add_setting(self, setting: Setting) -> None:
        """Take on "roughness 0.2"."""
        for name in setting.property.attributes:
            if isinstance(setting.value, float):
                self._set_input(name, setting.value, setting.words)

    def _set_input(self, name: str, value: float, words: str) -> None:
        if name in self.inputs:
            raise NotUnderstood([words], f'"{words}": the {name} was given before')
        self.inputs[name] = value

    def step(self) -> SetMaterial:
        """What the plan does."""
        name = self.name or " ".join(self.labels) or "Material"
        return SetMaterial(self.target, name, self.colour, dict(self.inputs))
