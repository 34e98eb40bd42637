"""Figures to read at a glance, from the metrics of the service: counts with their shares, and times."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from prometheus_client import CollectorRegistry


@dataclass(frozen=True)
class Bar:
    """A count with its share of all, from 0 to 1."""

    name: str
    count: float
    share: float


@dataclass(frozen=True)
class Times:
    """Durations in seconds: the mean, and the bounds of half and of nine in ten; None if beyond the last bound."""

    name: str
    count: int
    mean: float
    half: float | None
    most: float | None


class Figures:
    """The metrics at one moment."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._samples: defaultdict[str, list[tuple[Mapping[str, str], float]]] = defaultdict(list)
        for family in registry.collect():
            for sample in family.samples:
                self._samples[sample.name].append((sample.labels, sample.value))

    def total(self, metric: str, **labels: str) -> float:
        """The sum of all values with these labels; 0 if there is none."""
        return sum(value for own, value in self._samples[metric] if labels.items() <= own.items())

    def bars(self, metric: str, label: str) -> list[Bar]:
        """The values by a label, the largest first; without those that are 0."""
        sums = {name: self.total(metric, **{label: name}) for name in self.values_of(metric, label)}
        every = sum(sums.values())
        bars = [Bar(name, count, count / every) for name, count in sums.items() if count]
        return sorted(bars, key=lambda bar: -bar.count)

    def values_of(self, metric: str, label: str) -> list[str]:
        """The values that a label has, in alphabetical order."""
        return sorted({own[label] for own, _ in self._samples[metric] if label in own})

    def times(self, metric: str, label: str, names: Sequence[str] | None = None) -> list[Times]:
        """The times of a histogram by a label, in the order of `names` if they are given."""
        made = [self._times(metric, label, name) for name in names or self.values_of(f"{metric}_count", label)]
        return [times for times in made if times.count]

    def _times(self, metric: str, label: str, name: str) -> Times:
        given = {label: name}
        count = self.total(f"{metric}_count", **given)
        mean = self.total(f"{metric}_sum", **given) / count if count else 0.0
        bounds = sorted(
            (float(own["le"]), value) for own, value in self._samples[f"{metric}_bucket"] if own.get(label) == name
        )
        half, most = (within(bounds, share * count) for share in (0.5, 0.9))
        return Times(name, int(count), mean, half, most)


def within(bounds: Sequence[tuple[float, float]], wanted: float) -> float | None:
    """The least bound below which at least this many lie; None if there is no finite one."""
    bound = next((bound for bound, below in bounds if below >= wanted), None)
    return None if bound in (None, float("inf")) else bound
