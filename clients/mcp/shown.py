"""What the service answers, written for a language model: short, the most important first, with ids to look further."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

Json = Mapping[str, Any]

LINE: Final = 200
CODE: Final = 900
WHOLE: Final = 20_000
"""Characters of a text that is asked for as a whole."""
MOST_ITEMS: Final = 24


def cut(text: str, length: int) -> str:
    """The beginning of a text, and how much is missing."""
    if len(text) <= length:
        return text
    return f"{text[:length].rstrip()}\n... ({len(text) - length} more characters)"


def line(text: str, length: int = LINE) -> str:
    """A text in one line."""
    joined = " ".join(text.split())
    return joined if len(joined) <= length else f"{joined[: length - 3]}..."


def run(brief: Json) -> str:
    """A run in short, with what to do next."""
    lines = [brief["text"], "", f"Run {brief['id']}"]
    if brief["artifact"]:
        lines[-1] += f", artifact {brief['artifact']}"
        lines.append("`artifact` shows the picture; `generate` with `continues` changes this snippet.")
    if brief["left_out"] or (brief["snippet"] and not brief["artifact"]):
        lines.append("`run` has the rest: part snippet, verdict, attempts or matrix.")
    return "\n".join(lines)


def verdict(found: Json) -> str:
    """Every stage of the last attempt, with its findings."""
    if not found["attempts"]:
        return "There was no attempt."
    lines: list[str] = []
    for stage in found["attempts"][-1]["verdict"]["stages"]:
        lines.append(f"{stage['name']} {stage['state']}: {stage['reason']}")
        for one in stage["findings"][:10]:
            where = f"line {one['line']}: " if one["line"] else ""
            hint = f" Hint: {one['hint']}" if one["hint"] else ""
            lines.append(f"  {one['severity']}: {where}{line(one['message'] + hint, 400)} [{one['code']}]")
    return "\n".join(lines)


def attempts(found: Json) -> str:
    """Every attempt: who wrote it, how far it came, what was changed and why."""
    parts: list[str] = []
    for one in found["attempts"]:
        ended = "proven" if one["verdict"]["passed"] else f"failed at {one['verdict']['reached']}"
        parts.append(f"Attempt {one['number']} by {one['author']}: {ended}")
        parts += [f"- {line(note, 400)}" for note in one["notes"][:MOST_ITEMS]]
        parts += [cut(one["diff"], 4000)] if one["diff"] else []
    return "\n".join(parts) or "There was no attempt."


def matrix(found: Json) -> str:
    """The result on each Blender."""
    lines: list[str] = []
    for row in found["matrix"]:
        problem = row["problem"] or (f"failed at {row['verdict']['reached']}" if row["verdict"] else "not judged")
        lines.append(f"Blender {row['blender']}: {'proven' if row['proven'] else line(problem)}")
    return "\n".join(lines) or "It was judged on no further Blender; `verify_on` asks for that."


def symbols(found: Json) -> str:
    """The symbols that were found, a line or two each."""
    lines = [f"Blender {found['reference']['series']}:"]
    for hit in found["hits"]:
        one = hit["symbol"]
        lines.append(f"{one['address']} {line(one['signature'] or one['type'])}".rstrip())
        lines.append(f"  {line(one['description'])} ({hit['why'][0] if hit['why'] else one['kind']})")
    return "\n".join(lines) if found["hits"] else NOTHING


def exemplars(found: Json) -> str:
    """Known answers with their code, the nearest first."""
    return "\n".join(f"{hit['name']}: {hit['title']}\n{cut(hit['snippet'], CODE)}" for hit in found["hits"]) or NOTHING


def artifacts(found: Json) -> str:
    """Artifacts that were found."""
    lines = [
        f"{hit['artifact']['id']} (Blender {hit['artifact']['blender']['version']}): {line(hit['artifact']['title'])}"
        for hit in found["hits"]
    ]
    lines += [f"Not searched by {one}" for one in found["missing"]]
    return "\n".join(lines) if found["hits"] else "\n".join([NOTHING, *lines])


NOTHING: Final = "Nothing was found. Use other words, or another `kind`."


def symbol(one: Json) -> str:
    """A symbol whole, as far as a model needs it."""
    lines = [f"{one['address']} ({one['kind']})", one["signature"] or one["type"], cut(one["description"], 800)]
    lines += [f"read-only: {one['readonly']}"] if one["readonly"] else []
    for parameter in one["parameters"][:MOST_ITEMS]:
        default = f" = {parameter['default']}" if parameter["default"] else ""
        lines.append(
            f"- {parameter['name']}: {parameter['type']}{default} {line(parameter['description'], 120)}".rstrip()
        )
    lines += [f"Items: {items(one['items'])}"] if one["items"] else []
    lines += [f"Bases: {', '.join(one['bases'])}"] if one["bases"] else []
    lines += [cut(one["example"], CODE)] if one["example"] else []
    lines += [f"See also: {', '.join(one['see_also'][:8])}"] if one["see_also"] else []
    return "\n".join(filter(None, lines))


def items(found: Sequence[Json]) -> str:
    """The items of an enumeration."""
    names = [one["identifier"] for one in found]
    more = f" and {len(names) - MOST_ITEMS} more" if len(names) > MOST_ITEMS else ""
    return ", ".join(names[:MOST_ITEMS]) + more


def changes(found: Json) -> str:
    """What changed between two Blenders."""
    lines = [f"From Blender {found['old']['version']} to {found['new']['version']}:"]
    for one in found["changes"]:
        lines.append(f"- {one['kind']} {one['address']}: {line('; '.join(one['says']), 400)}")
    if not found["changes"]:
        lines.append("- nothing changed here")
    return "\n".join(lines + (["... and more"] if found["next"] is not None else []))


def artifact(one: Json) -> str:
    """What is known of an artifact."""
    lines = [
        f"{one['id']} proven {one['proven']} on Blender {one['blender']['version']}, {one['created_at']}",
        line(one["request"] or one["title"], 800),
        f"Objects: {', '.join(one['objects'][:MOST_ITEMS])}",
        f"Symbols: {', '.join(one['symbols'][:MOST_ITEMS])}",
        f"Run {one['run']}; further views: {', '.join(one['views']) or 'none'}",
    ]
    return "\n".join(lines)


SHAPE: Final = 3500
"""Characters of the structure of a repository."""
PASSAGE: Final = 400


def repositories(found: Json) -> str:
    """The names of the repositories."""
    lines = [f"{one['name']}: {one['url'] or one['root']}" for one in found["repositories"]]
    return "\n".join(lines) or "There is none; the operator adds one with `blendproof repo add`."


def places(found: Json) -> str:
    """Places in a repository, the best first, with the beginning of each."""
    parts = [
        f"{one['citation']} {line(one['signature'] or one['name'])} ({'; '.join(one['reasons'][:2])})\n"
        f"{cut(one['text'], PASSAGE)}"
        for one in found["hits"]
    ]
    return "\n".join([*parts, *commit(found)]) if parts else NO_PLACE


NO_PLACE: Final = "Nothing was found. Use names from the code, a path, or the whole traceback."


def explained(found: Json) -> str:
    """An answer about a repository; without a model, the places."""
    parts = [found["text"]] if found["text"] else []
    parts += [f"Struck out: {one['citation']}: {one['reason']}" for one in found["struck"]]
    if found["status"] == "places":
        parts += [f"{one['citation']} {one['name']} ({'; '.join(one['reasons'][:2])})" for one in found["passages"]]
    return "\n".join([*parts, *filter(None, [found["note"]]), *commit(found)])


def related(found: Json) -> str:
    """What stands in a relation to a symbol, nearest first, each with its edge."""
    lines = [
        f"{one['place']['citation']} {one['source']} {one['kind']} {one['target']} ({one['certainty']}, {one['line']})"
        for one in found["relations"][:MOST_RELATED]
    ]
    left = len(found["relations"]) - MOST_RELATED
    more = [f"... and {left} more"] if left > 0 else []
    unknown = [f"{len(found['gaps'])} calls cannot be followed"] if found["gaps"] else []
    nothing = [] if lines else [f"Nothing is known for {found['symbol']['name']}."]
    return "\n".join([*lines, *more, *nothing, *unknown, *commit(found)])


def diagnosis(found: Json) -> str:
    """Where a log leads: its crash lines, and the suspects with their reasons."""
    lines = [f"Crash: {one['citation']}" for one in found["crashes"][:MOST_ITEMS]]
    lines += [
        f"Suspect ({one['likelihood']}): {one['citation']} {one['name']}: {'; '.join(one['reasons'][:2])}"
        for one in found["suspects"][:MOST_ITEMS]
    ]
    lines += [line(one["says"]) for one in found["drift"][:MOST_ITEMS]]
    return "\n".join([*lines, *filter(None, [found["stopped"]]), *commit(found)])


MOST_RELATED: Final = 40


def commit(found: Json) -> list[str]:
    """The commit that was looked at, if it is a Git repository."""
    name = found["freshness"]["commit"]
    return [f"Commit {name}"] if name else []
