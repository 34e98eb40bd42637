"""The answers of the service for a language model: short, the most important first, with ids to look further."""

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


def verdict(answer: Json) -> str:
    """Every stage of the last attempt, with its findings."""
    if not answer["attempts"]:
        return "There was no attempt."
    lines: list[str] = []
    for stage in answer["attempts"][-1]["verdict"]["stages"]:
        lines.append(f"{stage['name']} {stage['state']}: {stage['reason']}")
        for finding in stage["findings"][:10]:
            where = f"line {finding['line']}: " if finding["line"] else ""
            hint = f" Hint: {finding['hint']}" if finding["hint"] else ""
            lines.append(f"  {finding['severity']}: {where}{line(finding['message'] + hint, 400)} [{finding['code']}]")
    return "\n".join(lines)


def quick_check(answer: Json) -> str:
    """The findings of a check on each Blender, and what the rules would make of the snippet."""
    lines: list[str] = []
    for row in answer["blenders"]:
        ended = "No fault found" if row["passed"] else "Faulty"
        lines.append(f"{ended} on Blender {row['blender']}; nothing was executed, so nothing is proven.")
        found = [one for stage in row["stages"] for one in stage["findings"] if one["severity"] != "info"]
        for finding in found[:MOST_ITEMS]:
            hint = f" Hint: {finding['hint']}" if finding["hint"] else ""
            said = line(f"line {finding['line'] or 1}: {finding['message']}{hint}", 300)
            lines.append(f"- {finding['severity']}: {said} [{finding['check']}/{finding['code']}]")
        lines += [f"Rule, line {fix['line']}: {line(fix['reason'])}" for fix in row["fixes"][:MOST_ITEMS]]
        lines += [cut(f"```python\n{row['fixed']}```", WHOLE)] if row["fixed"] else []
    return "\n".join(lines)


def attempts(answer: Json) -> str:
    """Every attempt: who wrote it, how far it came, what was changed and why."""
    parts: list[str] = []
    for attempt in answer["attempts"]:
        ended = "proven" if attempt["verdict"]["passed"] else f"failed at {attempt['verdict']['reached']}"
        parts.append(f"Attempt {attempt['number']} by {attempt['author']}: {ended}")
        parts += [f"- {line(note, 400)}" for note in attempt["notes"][:MOST_ITEMS]]
        parts += [cut(attempt["diff"], 4000)] if attempt["diff"] else []
    return "\n".join(parts) or "There was no attempt."


def matrix(answer: Json) -> str:
    """The result on each Blender."""
    lines: list[str] = []
    for row in answer["matrix"]:
        problem = row["problem"] or (f"failed at {row['verdict']['reached']}" if row["verdict"] else "not judged")
        lines.append(f"Blender {row['blender']}: {'proven' if row['proven'] else line(problem)}")
    return "\n".join(lines) or "It was judged on no further Blender; `verify_on` asks for that."


def symbols(answer: Json) -> str:
    """The symbols that were found, a line or two each."""
    lines = [f"Blender {answer['reference']['series']}:"]
    for hit in answer["hits"]:
        entry = hit["symbol"]
        lines.append(f"{entry['address']} {line(entry['signature'] or entry['type'])}".rstrip())
        lines.append(f"  {line(entry['description'])} ({hit['why'][0] if hit['why'] else entry['kind']})")
    return "\n".join(lines) if answer["hits"] else NOTHING


def exemplars(answer: Json) -> str:
    """Known answers with their code, the nearest first."""
    return "\n".join(f"{hit['name']}: {hit['title']}\n{cut(hit['snippet'], CODE)}" for hit in answer["hits"]) or NOTHING


def artifacts(answer: Json) -> str:
    """Artifacts that were found."""
    lines = [
        f"{hit['artifact']['id']} (Blender {hit['artifact']['blender']['version']}): {line(hit['artifact']['title'])}"
        for hit in answer["hits"]
    ]
    lines += [f"Not searched by {way}" for way in answer["missing"]]
    return "\n".join(lines) if answer["hits"] else "\n".join([NOTHING, *lines])


NOTHING: Final = "Nothing was found. Use other words, or another `kind`."


def symbol(entry: Json) -> str:
    """A symbol whole, as far as a model needs it."""
    lines = [f"{entry['address']} ({entry['kind']})", entry["signature"] or entry["type"]]
    lines.append(cut(entry["description"], 800))
    lines += [f"read-only: {entry['readonly']}"] if entry["readonly"] else []
    for parameter in entry["parameters"][:MOST_ITEMS]:
        default = f" = {parameter['default']}" if parameter["default"] else ""
        lines.append(
            f"- {parameter['name']}: {parameter['type']}{default} {line(parameter['description'], 120)}".rstrip()
        )
    lines += [f"Items: {items(entry['items'])}"] if entry["items"] else []
    lines += [f"Bases: {', '.join(entry['bases'])}"] if entry["bases"] else []
    lines += [cut(entry["example"], CODE)] if entry["example"] else []
    lines += [f"See also: {', '.join(entry['see_also'][:8])}"] if entry["see_also"] else []
    return "\n".join(filter(None, lines))


def items(entries: Sequence[Json]) -> str:
    """The items of an enumeration."""
    names = [entry["identifier"] for entry in entries]
    more = f" and {len(names) - MOST_ITEMS} more" if len(names) > MOST_ITEMS else ""
    return ", ".join(names[:MOST_ITEMS]) + more


def changes(answer: Json) -> str:
    """The changes between two Blenders."""
    lines = [f"From Blender {answer['old']['version']} to {answer['new']['version']}:"]
    for change in answer["changes"]:
        lines.append(f"- {change['kind']} {change['address']}: {line('; '.join(change['says']), 400)}")
    if not answer["changes"]:
        lines.append("- nothing changed here")
    return "\n".join(lines + (["... and more"] if answer["next"] is not None else []))


def artifact(facts: Json) -> str:
    """The facts about an artifact."""
    lines = [
        f"{facts['id']} proven {facts['proven']} on Blender {facts['blender']['version']}, {facts['created_at']}",
        line(facts["request"] or facts["title"], 800),
        f"Objects: {', '.join(facts['objects'][:MOST_ITEMS])}",
        f"Symbols: {', '.join(facts['symbols'][:MOST_ITEMS])}",
        f"Run {facts['run']}; further views: {', '.join(facts['views']) or 'none'}",
    ]
    return "\n".join(lines)


SHAPE: Final = 3500
"""Characters of the structure of a repository."""


def repositories(answer: Json) -> str:
    """The names of the repositories."""
    lines = [f"{known['name']}: {known['url'] or known['root']}" for known in answer["repositories"]]
    return "\n".join(lines) or "There is none; the operator adds one with `blendproof repo add`."


def places(answer: Json) -> str:
    """Places in a repository, the best first, with the lines that share words with the question."""
    return "\n".join([answer["brief"], *commit(answer)]) if answer["hits"] else NO_PLACE


NO_PLACE: Final = "Nothing was found. Use names from the code, a path, or the whole traceback."


def explained(answer: Json) -> str:
    """An answer about a repository; without a model, the places."""
    parts = [answer["text"]] if answer["text"] else []
    parts += [f"Struck out: {struck['citation']}: {struck['reason']}" for struck in answer["struck"]]
    if answer["status"] == "places":
        parts += [
            f"{shown['citation']} {shown['name']} ({'; '.join(shown['reasons'][:2])})" for shown in answer["passages"]
        ]
    return "\n".join([*parts, *filter(None, [answer["note"]]), *commit(answer)])


def related(answer: Json) -> str:
    """The places in a relation to a symbol, nearest first, each with its edge."""
    lines = [
        f"{edge['place']['citation']} {edge['source']} {edge['kind']} {edge['target']}"
        f" ({edge['certainty']}, {edge['line']})"
        for edge in answer["relations"][:MOST_RELATED]
    ]
    unshown = len(answer["relations"]) - MOST_RELATED
    more = [f"... and {unshown} more"] if unshown > 0 else []
    unknown = [f"{len(answer['gaps'])} calls cannot be followed"] if answer["gaps"] else []
    nothing = [] if lines else [f"Nothing is known for {answer['symbol']['name']}."]
    return "\n".join([*lines, *more, *nothing, *unknown, *commit(answer)])


def checked(answer: Json) -> str:
    """A check of add-ons: a line per add-on and Blender, then the findings."""
    if answer["report"] is None:
        return line(answer["error"]["message"] if answer["error"] else f"It ended as {answer['status']}.")
    lines: list[str] = []
    for addon in answer["report"]["addons"]:
        lines.append(f"{addon['place'] or addon['module']}: {'passed' if addon['passed'] else 'did not pass'}")
        for row in addon["blenders"]:
            shares = [f"{row[of]['done']} of {row[of]['all']} {of}" for of in ("operators", "draws", "others", "lines")]
            lines.append(f"  Blender {row['blender']}: {line(row['said'])}; used: {', '.join(shares)}")
        grave = [one for one in addon["findings"] if one["severity"] != "info"]
        lines += [
            line(f"  {one['severity']} {one['file'] or ''}:{one['line'] or ''} {one['message']}") for one in grave
        ]
    unshown = len(lines) - MOST_RELATED
    return "\n".join([*lines[:MOST_RELATED], *([f"... and {unshown} more"] if unshown > 0 else [])])


def diagnosis(answer: Json) -> str:
    """The places that a log leads to: its crash lines, and the suspects with their reasons."""
    lines = [f"Crash: {crash['citation']}" for crash in answer["crashes"][:MOST_ITEMS]]
    lines += [
        f"Suspect ({suspect['likelihood']}): {suspect['citation']} {suspect['name']}: "
        f"{'; '.join(suspect['reasons'][:2])}"
        for suspect in answer["suspects"][:MOST_ITEMS]
    ]
    lines += [line(change["says"]) for change in answer["drift"][:MOST_ITEMS]]
    return "\n".join([*lines, *filter(None, [answer["stopped"]]), *commit(answer)])


MOST_RELATED: Final = 40


def commit(answer: Json) -> list[str]:
    """The commit that was looked at, if it is a Git repository."""
    name = answer["freshness"]["commit"]
    return [f"Commit {name}"] if name else []
