"""The video sequencer: strips of every type, where and when they are, and what is done with them.

"a text strip "THE END" on channel 4, frames 200-260, size 96, yellow, fade in over 12 frames"
   \\_ kind _/   body       place       time         settings           fade
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from app.drafting.composer.build import WIDTH, Build, refuse_bare_text
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Kind, Lexicon, Phrases, Place
from app.drafting.composer.patterns import ARTICLES, Env, Reading, compile_pattern, slot
from app.drafting.composer.slots import (
    Set,
    in_a_row,
    known_name,
    looks_like_name,
    most_first,
    one_range,
    places_of,
    quantity,
    settings,
    skip,
    vector,
)
from app.drafting.composer.slots import path as path_at
from app.drafting.composer.steps.modifiers import Topic
from app.drafting.composer.values import Color, Degrees, clean, literal, quoted, refuse

TYPES: Final = {"MOVIECLIP": "MovieClip", "SPEED": "SpeedControl", "COLORMIX": "ColorMix"}
FILES: Final = {"MOVIE": "new_movie", "SOUND": "new_sound", "IMAGE": "new_image"}
PAIRED: Final = frozenset({
    "CROSS", "GAMMA_CROSS", "WIPE", "ADD", "SUBTRACT", "MULTIPLY", "ALPHA_OVER", "ALPHA_UNDER", "COLORMIX", "OVER_DROP",
})  # fmt: skip
"""Effects of two strips."""
SINGLE: Final = frozenset({"SPEED", "GLOW", "GAUSSIAN_BLUR", "TRANSFORM"})


def strip_places(lexicon: Lexicon, identifier: str) -> tuple[Place, ...]:
    """Where the settings of a strip of this type are; of any type if none is given."""
    names = [strip_type(lexicon, identifier)] if identifier else [strip_type(lexicon, each) for each in lexicon.manifest.identifiers["strips"]]  # fmt: skip
    return tuple(dict.fromkeys(place for name in names if name for place in lexicon.places(name)))


def strip_type(lexicon: Lexicon, identifier: str) -> str:
    """The type of strips of a kind; Blender 4.4 renamed them."""
    stem = TYPES.get(identifier) or "".join(part.title() for part in identifier.split("_"))
    return next((name for name in (f"{stem}Strip", f"{stem}Sequence") if name in lexicon.manifest.types), "")


@slot("strip_kind")
def strip_kind(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Kind]]:
    """ "text strip", "crossfade", "adjustment layer"."""
    for end, found in reading.lexicon.families["strips"].matches(
        reading.tokens, skip(reading, at, {"a", "an", "the", "new"})
    ):
        for each in found:
            places = strip_places(reading.lexicon, each.identifier)
            if places:
                yield end, replace(each, places=places)


@dataclass(frozen=True)
class Span:
    """How long something is: frames, or seconds."""

    number: float
    seconds: bool

    @property
    def code(self) -> str:
        """The number of frames in the snippet."""
        return f"round({literal(self.number)} * scene.render.fps)" if self.seconds else str(int(self.number))


@slot("duration")
def span(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Span]]:
    """ "24 frames", "2 seconds", "1.5 s"; of "bare", a number alone is one of frames."""
    for end, found in quantity(reading, at, {}, ""):
        if found.measured("seconds") or found.measured("frames") or (of == "bare" and found.unit is None):
            yield end, Span(found.value, found.measured("seconds"))


@dataclass(frozen=True)
class Strip:
    """A strip that is spoken of: its name, or the kind of one of this request; `said` how."""

    said: str
    name: str = ""
    kind: str = ""


@slot("strip")
def strip_ref(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Strip]]:
    """'the strip "A"', 'the text strip', "it"; of "named", the word "strip" may be missing."""
    start = skip(reading, at, {"the"})
    if reading.word(at) in {"a", "an"}:
        return  # a new one
    if reading.word(at) in {"it", "this"}:
        yield at + 1, Strip("it")
    kinds = [(end, kind.identifier) for end, kind in strip_kind(reading, start, {}, "")]
    named = bool(kinds) and looks_like_name(reading.tokens[start].text, reading, start)  # "the strips Title and Logo"
    for middle, kind in [(start, ""), *kinds] if named else [*kinds, (start, "")]:
        after = skip(reading, middle, {"strip", "strips", "clip"})
        for end, title in strip_name(reading, after):
            if after > middle or kind not in {"", "COLOR"} or of == "named":  # "color Dragon red" speaks of no strip
                yield skip(reading, end, {"strip"}), Strip(reading.said(at, end), title, kind)
        if kind and (after > middle or of == "named"):
            yield after, Strip(reading.said(at, after), kind=kind)
    for end, title in strip_name(reading, start):
        if reading.word(end) in {"strip", "clip"}:
            yield end + 1, Strip(reading.said(at, end + 1), title)
        elif of != "named" and title in spoken_strips(reading):
            yield end, Strip(reading.said(at, end), title)


def spoken_strips(reading: Reading) -> set[str]:
    """What the request calls strips anywhere: what stands behind that word, and the files without their ending."""
    names = {token.text for place, token in enumerate(reading.tokens) if reading.word(place - 1) in {"strip", "clip"}}
    return names | {path_title(token.text) for token in reading.tokens if token.kind == "path"}


def strip_name(reading: Reading, at: int) -> Iterator[tuple[int, str]]:
    """The name of a strip: one that is known as such, or capitals ("strip A")."""
    yield from known_name(reading, at, {}, "")
    token = reading.tokens[at] if at < len(reading.tokens) else None
    if token is not None and token.kind == "word" and token.text.isupper() and token.word not in {"vse", "x", "y"}:
        yield at + 1, token.text


@slot("strips")
def strips(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[Strip, ...]]]:
    """Several strips in a row, or those just made; of a kind, only where it is an effect on strips."""
    kind = env.get(of)
    if isinstance(kind, Kind) and kind.identifier not in PAIRED | SINGLE | {"META"}:
        return
    if reading.word(at) in {"them", "both", "these"}:
        yield at + 1, (Strip("first"), Strip("second"))
    waiting: list[tuple[int, tuple[Strip, ...]]] = [(skip(reading, at, {"the", "strips", "clips"}), ())]
    ends: dict[int, tuple[Strip, ...]] = {}
    while waiting:
        place, so_far = waiting.pop(0)
        for end, one in strip_ref(reading, place, {}, "named"):
            if end not in ends and one.said != "it":
                ends[end] = (*so_far, one)
                start = skip(reading, end + (reading.mark(end) in {",", "+"}), {"and", "to", "then", "with"})
                if start > end:
                    waiting.append((start, ends[end]))
    for end in sorted(ends, reverse=True):
        yield end, ends[end]


@functools.lru_cache(maxsize=8)
def strip_modifiers(lexicon: Lexicon) -> Phrases[Kind]:
    """What may change the picture of a strip."""
    found = Phrases[Kind](())
    owner = next(name for name in ("StripModifier", "SequenceModifier") if name in lexicon.manifest.types)
    for item in lexicon.property(owner, "type").items:
        type_name = "".join(part.title() for part in item.identifier.split("_")) + "Modifier"
        if type_name in lexicon.manifest.types:
            kind = Kind("strip modifiers", item.identifier, item.name, type_name, lexicon.places(type_name))
            for phrase in (item.name, item.identifier.replace("_", " "), type_name.removesuffix("Modifier")):
                found.add(phrase, kind)
    return found


@slot("strip_modifier")
def strip_modifier(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Kind]]:
    """ "a brightness/contrast modifier"."""
    for end, found in strip_modifiers(reading.lexicon).matches(reading.tokens, skip(reading, at, ARTICLES)):
        if reading.word(end) == "modifier":
            yield end + 1, found[0]


ENDINGS: Final = {
    **dict.fromkeys(("mp4", "mkv", "avi", "mov"), "MOVIE"), **dict.fromkeys(("wav", "mp3"), "SOUND"),
    **dict.fromkeys(("png", "jpg", "jpeg", "exr", "tif", "tiff", "bmp", "webp"), "IMAGE"),
}  # fmt: skip


@slot("media")
def media(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[Kind, str]]]:
    """A film, a sound or a picture, by its file: which kind of strip it becomes, and its path."""
    for end, path in path_at(reading, skip(reading, at, {"the", "file", "clip"}), {}, "bare"):
        identifier = ENDINGS.get(path.rpartition(".")[2].lower(), "")
        if identifier:
            kind = reading.lexicon.kind("strips", identifier)
            yield end, (replace(kind, places=strip_places(reading.lexicon, identifier)), path)


MEDIA: Final = {
    "image": "IMAGE", "picture": "IMAGE", "movie": "MOVIE", "video": "MOVIE", "sound": "SOUND", "audio": "SOUND",
}  # fmt: skip
"""What a file is said to be."""
TIMED: Final = frozenset(
    {"channel", "frame_start", "frame_final_start", "frame_final_end", "frame_final_duration", "name"}
)
"""Settings that are said in words of their own."""


@slot("own")
def own_settings(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[Set]]]:
    """Settings of a strip beside its place and its time."""
    for end, found in settings(reading, at, env, of):
        timed = any(setting.prop.name in TIMED for each in found for setting, _ in each.options)
        if not timed and not any(MOVING.search(each.said) for each in found):
            yield end, found


@slot("pair")
def pair(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[Set]]]:
    """Settings that have an X and a Y: "scale 0.3", "offset 700, 380", "position (10, 20)", "flip horizontally"."""
    table = places_of(reading, env, of) or reading.lexicon.table(strip_places(reading.lexicon, ""))
    for end, said in [*SIZED(reading, at, {}), *SHIFTED(reading, at, {})]:
        placed: dict[str, float] = {each: said["size"] for each in ("scale x", "scale y") if "size" in said}
        for side, count in (("x", "across"), ("y", "up")):
            if count in said:
                ways = -1.0 if said[f"{count}_way"] in {"left", "down"} else 1.0
                placed[f"translate {side}"] = ways * said[count]
        chosen = [(next(iter(table.named.of(name)), None), clean(value)) for name, value in placed.items()]
        yield end, [Set(((each, value),), reading.said(at, end)) for each, value in chosen if each]
    for words, name in PAIRS:
        if tuple(reading.word(at + k) for k in range(len(words))) != words:
            continue
        both = [next(iter(table.named.of(f"{name} {axis}")), None) for axis in "xy"]
        start = skip(reading, at + len(words), {"to", "of", "by", "is", "at", "about"})
        options: list[tuple[int, tuple[float | None, ...]]] = [
            (end, found.parts) for end, found in vector(reading, start, {}, "")
        ]
        options += [
            (end, (found.value,) * 2) for end, found in quantity(reading, start, {}, "share/times") if name == "scale"
        ]
        for end, parts in options:
            values = [(each, clean(part)) for each, part in zip(both, parts, strict=False) if each and part is not None]
            if len(parts) in {2, 3} and values:
                last = skip(reading, end, {"px", "pixels"})
                yield last, [Set(((each, float(value)),), reading.said(at, last)) for each, value in values]


PAIRS: Final = tuple((tuple(words.split()), name) for words, name in (
    ("scale", "scale"), ("scaled", "scale"), ("offset", "translate"), ("position", "translate"), ("moved", "translate"),
    ("position offset", "translate"), ("translate", "translate"), ("translation", "translate"), ("shifted", "translate"), ("offset by", "translate"),
))  # fmt: skip

SIZED: Final = compile_pattern("[scaled to] {size:n} of (its|the) [original|full] size")
SHIFTED: Final = compile_pattern(
    "[moved|shifted|offset|placed] [by] ({across:n} [px|pixels] [to the] {across_way=left|right} [and|,] {up:n} [px|pixels] {up_way=up|down}|"
    "{up:n} [px|pixels] {up_way=up|down} [and|,] {across:n} [px|pixels] [to the] {across_way=left|right}|{across:n} [px|pixels] [to the] {across_way=left|right}|{up:n} [px|pixels] {up_way=up|down})"
)
"""A strip's size as a share of its own, and how far it is from the middle."""

VSE: Final = (
    "(video sequencer|sequencer|video editor|vse|video sequence editor|sequence editor|video editing workspace|edit)"
)
IN_VSE: Final = f"[in|to|on|into] [{VSE}] [:|,]"
HERE: Final = "(in|from) [the] [current] working (directory|folder)"
ROW_WORDS: Final = (
    "back to back|one after another|one after the other|in a row|end to end|in sequence|behind each other"
)
SEAMLESS: Final = "[without (a|any) gap|with no gap|seamlessly]"
TIMES: Final = (
    "{f:range} ; (starting|starts|start|begin|beginning|begins|placed) [at|on|from|with] [frame] {start:int} ; at frame {start:int} ; from frame {start:int} [on|onwards] ;"
    " [for|lasting|lasts|length|duration|over] [of] {length:duration} [long|in length|duration] ; (length|duration) [of] {length:duration of bare} ;"
    " (until|till|up to|ending at|ends at|ending on|to) [frame] {last:int} ; [the] last {tail:int} frames ;"
    " [over|for|across|spanning|covering] [the] {whole=whole timeline|entire timeline|whole scene|whole frame range|whole range|entire scene|full timeline|whole edit|scene range|full frame range|entire frame range} [of the scene] ;"
    " {same=of the same length|over the same frames|same length|same frames|with the same length|for the same time}"
)
FADES: Final = (
    "(fade|fading|fades|faded) in [over|for|during] [the] [first] {fin:duration of bare} ; [and] (fade|fading|fades|faded) out [over|for|during] [the] [last] {fout:duration of bare} ;"
    " (fade|fading|fades|faded) (in and out|in out) [over|for|during|with] {fboth:duration of bare} [each] ; [and] out (over|in) [the] [last] {fout:duration of bare} ;"
    " {why=as fade out|as a fade out|as fade in|as a fade in} [:] ; [its] (alpha|opacity) [is] [keyframed|animated|fades|going|goes] [from] {a:n} to {b:n}"
)
PLACE: Final = "(on|in|to|into|at) (channel|track|ch) {channel:int} ; (channel|track|ch) {channel:int} ; {above=above everything|on top of everything|above all|on top|above it|above them} [else]"


@step(
    f"{IN_VSE} [<add>] [and] [above it] [,] [(on|in) (channel|track) {{channel:int}}] [,] [a|an] [{{hue:color}}] [{{length:duration}}] {{k:strip_kind}} [{{w=strip|effect|transition|clip}}] ~( {{body:quoted}} ; (saying|that says|reading|with [the] text|text|says) {{body:quoted}} ;"
    f" (called|named) {{name:name}} ; {PLACE} ; {TIMES} ; {FADES} ; {{hue:color}} ; {{p:pair of k}} ; {{q:pair of k}} ; {{s:own of k}} ; {{r:own of k}} ; {{path:path of bare}} ; (from|of|with|showing) [file] {{path:path}} ;"
    f" [of|from|for] [the] scene {{scene:name}} ; [between|of|from|to|on|for|over|with|affecting] {{t:strips of k}} ; {{mid=centered|in the middle|in the center|center aligned|left aligned|right aligned}} ; {{muted=muted|locked}} ; (directly|right|immediately|straight) after {{after:strip of named}} {SEAMLESS} ; (in|to|on|into) {VSE} ; {HERE} ; as one [single] strip ;"
    " {path:path of bare} (-|to|through|until|...) {upto:path of bare} ; (in|over|during|for|across) [the|their] overlap ; (where|while) they overlap ; (with|and) {sm:strip_modifier} ; {ms:settings of sm} )",
    f"{IN_VSE} [load|import|<add>] {{file:media}} ~( as [a|an] [{{w=image|movie|sound|picture|video|audio}}] strip ; {PLACE} ; {TIMES} ; {FADES} ; {{s:settings of strip}} ; (directly|right|immediately|straight) after {{after:strip of named}} {SEAMLESS} )",
)
def add_strip(
    build: Build, k: Kind | None = None, w: str | None = None, hue: Color | None = None, body: str | None = None, name: str | None = None, channel: int | None = None, above: str | None = None,
    f: tuple[int, int] | None = None, start: int | str | None = None, length: Span | None = None, last: int | None = None, tail: int | None = None, same: str | None = None,
    fin: Span | None = None, fout: Span | None = None, fboth: Span | None = None, a: float | None = None, b: float | None = None, p: list[Set] | None = None, q: list[Set] | None = None,
    s: list[Set] | None = None, r: list[Set] | None = None, path: str | None = None, scene: str | None = None, t: tuple[Strip, ...] | None = None, after: Strip | None = None,
    mid: str | None = None, why: str | None = None, muted: str | None = None, upto: str | None = None, sm: Kind | None = None, ms: list[Set] | None = None,
    file: tuple[Kind, str] | None = None, whole: str | None = None,
) -> None:  # fmt: skip
    """A strip in the sequencer with its time, its channel, its settings and its fades."""
    if file is not None:
        k, path = file
    if k is None:
        return
    kind = k.identifier
    if file is not None and w in MEDIA and MEDIA[w] != kind:
        raise refuse(w or "", f"{path} is none")
    if above and channel is not None:
        raise refuse(above, f"or on channel {channel}?")
    if fboth and (fin or fout):
        raise refuse("fade", "over how many frames?")
    mine = [*(s or []), *(r or []), *(p or []), *(q or [])]
    if kind == "SCENE" and scene is None:
        named = [each for each in mine for setting, _ in each.options if setting.prop.name == "scene"]
        scene = next((str(each.options[0][1].target) for each in named), None)
        mine = [each for each in mine if each not in named]
    words = set(build.request.lower().replace(":", " ").replace(",", " ").split())
    told = bool(w or t or sm or channel is not None or (file and "_strip_list" in build.memory))
    told = told or bool({"sequencer", "vse", "strip", "strips", "editor", "crossfade"} & words)
    if not told:
        raise refuse(k.label, "a strip?")
    if (kind == "TEXT" and body is None) or (
        hue is None and kind == "COLOR" and not any(each.said for each in s or ())
    ):
        raise refuse(k.label, "what does it say, or which color has it?")
    if body is not None and kind != "TEXT" and name is None:
        if (t and kind != "META") or kind not in {"COLOR", "ADJUSTMENT", "SOUND", "MOVIE", "IMAGE", "SCENE", "META"}:
            raise refuse(body, "its name?")
        name, scene = (None, body) if kind == "SCENE" and scene is None else (body, scene)
    for said, kinds in ((path, FILES.keys()), (upto, {"IMAGE"}), (scene, {"SCENE"})):
        if said and kind not in kinds:
            raise refuse(said, f"what is it to a {k.label} strip?")
    build.pending = ""
    build.comment(f"{k.label.lower()} strip")
    sources = [strip_var(build, each) for each in t or ()]
    paired = kind in PAIRED or kind in SINGLE
    if kind == "META":
        if any((f, start, length, last, tail, same, fin, fout, fboth, why, mine, after, mid, above, muted, hue, sm)):
            raise refuse(k.label, "say more of it in a sentence of its own")
        make_meta(build, sources, name or "MetaStrip", channel)
        return
    if (kind in PAIRED and len(sources) != 2) or (kind in SINGLE and len(sources) != 1) or (sources and not paired):
        raise refuse(k.label, "of which strips?")
    if kind in BLENDING and length is not None and not any((f, start, last, tail, same, after)):
        build.line(overlap(sources[0], sources[1], length))
        start = build.var("begin")
        build.line(f"{start} = {sources[1]}.frame_final_start")
    first, end = times(build, f, start, length, last, tail, same, after)
    if whole is not None:
        if first is not None or end is not None or whole.endswith("edit"):
            raise refuse(whole, "from which frame to which?")
        first, end = f"{build.scene()}.frame_start", f"{build.scene()}.frame_end"
    if first is None and not paired and kind not in FILES:
        raise refuse(k.label, "from which frame to which?")
    title = name or body or path_title(path) or scene or (hue.label if hue else k.label)
    taken: list[str] = build.memory.setdefault("_titles", [])
    title = f"{title} {taken.count(title) + 1}" if title in taken and not name else title
    taken.append(name or body or title)
    number = channel or (f"{strip_var(build, after)}.channel" if after and not above else 0)
    var = build.var(f"{kind} strip")
    build.scene()
    build.imports("typing: Any")
    if kind in FILES or kind == "SCENE":
        write_media(build, var, kind, title, path, scene, number, first, end, stills(path, upto))
    else:
        build.need("add_strip")
        inputs = "".join(f", {each}" for each in sources)
        given = f'scene, {quoted(title)}, "{kind}", {number}, {first or 1}, {end or first or 1}{inputs}'
        given = given if len(given) < WIDTH - 15 else f"\n    {given}\n"
        build.line(f"{var}: Any = add_strip({given})")
    if kind == "TEXT":
        build.line(f"{var}.text = {quoted(body or '')}")
    if hue is not None:
        build.line(f"{var}.color = {literal(hue.rgb if kind == 'COLOR' else (*hue.rgb, 1.0))}")
    write_sets(build, var, kind, mine)
    if sm is not None:
        write_modifier(build, var, sm, ms or [])
    if mid:
        if kind != "TEXT":
            raise refuse(mid, "only a text is")
        build.line(f'{var}.alignment_x = "{mid.split()[0].upper() if "aligned" in mid else "CENTER"}"')
    if muted:
        build.line(f"{var}.{'mute' if muted == 'muted' else 'lock'} = True")
    topic = Topic(var, k.places, "strip")
    write_fades(build, var, kind, fin or fboth, fout or fboth)
    write_opacity(build, var, kind, why, a, b)
    build.memory.setdefault("_strip_list", []).append((var, kind, title))
    if first is not None and end is not None:
        build.memory["_span"] = (first, end)
    build.topic = topic
    build.note(f"{k.label} strip on channel {channel or 'above'}" + (f", frames {first} to {end}" if end else ""))


BLENDING: Final = frozenset({"CROSS", "GAMMA_CROSS", "WIPE"})
"""Effects that lead from one strip to another one: they are where both are."""


def overlap(one: str, other: str, length: Span) -> str:
    """The later strip begins so long before the end of the earlier one: an effect lasts as long as both are there."""
    return f"{other}.frame_start += {one}.frame_final_end - {length.code} - {other}.frame_final_start"


def write_modifier(build: Build, var: str, kind: Kind, sets: list[Set]) -> None:
    """What changes the picture of a strip."""
    build.need("strip_modifier")
    changer = build.var(kind.label)
    build.line(f'{changer} = strip_modifier({build.scene()}, {var}, {quoted(kind.label)}, "{kind.identifier}")')
    build.assign(changer, build.choose(sets, kind.places, f"the {kind.label} modifier"))


MOVING: Final = re.compile(r"\bfrom\b.+\bto\b")
"""What is said of a value that changes: no setting."""


def write_sets(build: Build, var: str, kind: str, sets: list[Set]) -> None:
    """Settings of a strip; "centered" means both the text and where it is."""
    animated = next((each.said for each in sets if MOVING.search(each.said)), None)
    if animated:
        raise refuse(animated, "at which frames?")
    if sets:
        chosen = build.choose(sets, strip_places(build.lexicon, kind), "the strip")
        build.assign(var, chosen)
        levels: dict[tuple[str, str], float] = build.memory.setdefault("_levels", {})
        levels.update({(var, setting.prop.name): value for setting, value in chosen if isinstance(value, float)})


def path_title(path: str | None) -> str:
    """A file's name without its folder and ending."""
    return path.rpartition("/")[2].rpartition(".")[0] if path else ""


def times(
    build: Build, f: tuple[int, int] | None, start: int | str | None, length: Span | None, last: int | None, tail: int | None, same: str | None, after: Strip | None,
) -> tuple[Any, Any]:  # fmt: skip
    """The first and the last frame, as numbers or as code."""
    if f is not None:
        if tail is not None and f[1] - f[0] + 1 != tail:
            raise refuse(f"{tail} frames", "more or less than from the first to the last")
        if start is not None or length is not None or last is not None or after is not None:
            raise refuse(f"frames {f[0]} to {f[1]}", "and other frames?")
        return f
    others = [each for each in (start, length, last, tail, after) if each is not None]
    if tail is not None or (same and others) or (after and start is not None) or (length and last and (start or after)):
        raise refuse("frames", "from which frame to which?")
    if same or not others:
        return build.memory.get("_span", (None, None)) if same else (None, None)
    if after is not None:
        first: Any = f"{strip_var(build, after)}.frame_final_end"
    elif start is None and length is not None and last is not None and not length.seconds:
        first = last - int(length.number) + 1
    else:
        first = start if start is not None else 1
    if last is not None:
        return first, last
    if length is None:
        return first, None
    if isinstance(first, int) and not length.seconds:
        return first, first + int(length.number) - 1
    build.scene()
    return first, f"{first} + {length.code} - 1"


def write_media(
    build: Build, var: str, kind: str, title: str, path: str | None, scene: str | None, number: int | str, first:
    Any, end: Any, more: str,
) -> None:  # fmt: skip
    """A strip of a file, of pictures or of a scene."""
    if (kind == "SCENE" and scene is None) or (kind in FILES and path is None):
        raise refuse(title, "of which scene or file?")
    build.need("media_strip")
    source = f"bpy.data.scenes[{quoted(scene)}]" if scene and kind == "SCENE" else quoted(path or "")
    given = f'scene, {quoted(title)}, "{FILES.get(kind, "new_scene")}", {source}, {number}, {first or 1}{more}'
    build.line(f"{var}: Any = media_strip(\n    {given}\n)")
    if end is not None:
        build.line(f"{var}.frame_final_end = {end + 1 if isinstance(end, int) else f'{end} + 1'}")


def stills(path: str | None, upto: str | None) -> str:
    """The further pictures of a sequence, from its first file to its last one, as arguments."""
    if path is None or upto is None:
        return ""
    one, last = (re.fullmatch(r"(.*?)(\d+)(\.\w+)", each.rpartition("/")[2]) for each in (path, upto))
    if one is None or last is None or one[1] != last[1] or one[3] != last[3] or int(last[2]) <= int(one[2]):
        raise refuse(upto, "no later picture of the same sequence")
    name = f"{one[1]}{{number:0{len(one[2])}}}{one[3]}"
    return f', *(f"{name}" for number in range({int(one[2]) + 1}, {int(last[2]) + 1}))'


@step(
    f"{IN_VSE} (wrap|group|combine|put|pack|collect|nest|bundle|merge|join|turn|make) [the] {{t:strips}} (into|in|to|as|inside) [a|one] [new] meta [strip] ~( (called|named) {{name:name}} ; {{name:quoted}} ; (on|to) (channel|track) {{channel:int}} )"
)
def wrap_strips(build: Build, t: tuple[Strip, ...], name: str | None, channel: int | None) -> None:
    """A meta strip of strips that are there."""
    make_meta(build, [strip_var(build, each) for each in t], name or "MetaStrip", channel)


def make_meta(build: Build, sources: list[str], title: str, channel: int | None) -> None:
    """A strip that holds others."""
    if not sources:
        raise refuse("meta strip", "of which strips?")
    build.need("meta_strip")
    build.line(f"meta_strip({build.scene()}, {quoted(title)}, {channel or 0}, {', '.join(sources)})")
    build.note(f"meta strip of {len(sources)}")


def strip_var(build: Build, one: Strip) -> str:
    """The variable of a strip: one of this request, or one that is there by its name."""
    made: list[tuple[str, str, str]] = build.memory.setdefault("_strip_list", [])
    if one.said in {"first", "second"} and len(made) >= 2:
        return made[-2 if one.said == "first" else -1][0]
    fitting = [each for each in made if (not one.name or each[2] == one.name) and (not one.kind or each[1] == one.kind)]
    if fitting and (one.name or one.kind or one.said == "it"):
        return fitting[-1][0]
    build.imports("typing: Any")
    if not one.name and one.kind:
        build.need("strip_of_type")
        var = build.var(f"{one.kind} strip")
        build.line(f'{var}: Any = strip_of_type({build.scene()}, "{one.kind}")')
        made.append((var, one.kind, ""))
        return var
    if not one.name:
        raise refuse(one.said, "which strip?")
    build.need("strip_named")
    var = build.var(one.name)
    build.line(f"{var}: Any = strip_named({build.scene()}, {quoted(one.name)})")
    made.append((var, one.kind, one.name))
    return var


def keys(build: Build, var: str, kind: str, places: tuple[tuple[str, float], ...]) -> None:
    """Keyframes of the opacity of a strip, of the volume of a sound."""
    if not kind:  # what kind of strip it is shows when the snippet runs
        for index, (frame, value) in enumerate(places):
            head = f'fader = "volume" if {var}.type == "SOUND" else "blend_alpha"\n' if index == 0 else ""
            build.line(
                f"{head}setattr({var}, fader, {literal(float(value))})\n{var}.keyframe_insert(fader, frame={frame})"
            )
        return
    name = "volume" if kind == "SOUND" else "blend_alpha"
    for frame, value in places:
        build.line(f'{var}.{name} = {literal(float(value))}\n{var}.keyframe_insert("{name}", frame={frame})')


def write_fades(build: Build, var: str, kind: str, fin: Span | None, fout: Span | None) -> None:
    """Keyframes from nothing to all that was said at the start, and back at the end."""
    whole = build.memory.get("_levels", {}).get((var, "volume" if kind == "SOUND" else "blend_alpha"), 1.0)
    if fin is not None:
        keys(build, var, kind, ((f"{var}.frame_final_start", 0.0), (f"{var}.frame_final_start + {fin.code}", whole)))
    if fout is not None:
        last = f"{var}.frame_final_end - 1"
        keys(build, var, kind, ((f"{last} - {fout.code}", whole), (last, 0.0)))


def write_opacity(build: Build, var: str, kind: str, why: str | None, a: float | None, b: float | None) -> None:
    """Keyframes of the opacity from the start of a strip to its end: "as fade out: alpha from 1 to 0"."""
    if why and (a is None or b is None or a == b or (a < b) != why.endswith("in")):
        raise refuse(why, "from which opacity to which?")
    if a is not None and b is not None:
        keys(build, var, kind, ((f"{var}.frame_final_start", a), (f"{var}.frame_final_end - 1", b)))


EARLIER: Final = frozenset({"earlier", "sooner", "back", "backwards", "to the left"})
SOME: Final = "{s:settings of strip} ; {u:settings of strip} ; {p:pair} ; {q:pair} ; [moved|placed|put|sits] [to|in|at] [the] (upper|lower|top|bottom) (left|right) [corner] « {o:pair} »"


@step(
    f"{IN_VSE} [<set>] [transform|crop] [(on|of|for)] [{VSE}] {{t:strip}} ['s] [:|,|to|gets|has|is|should be|must be] ~( {SOME} ; {FADES} ; {PLACE} ; [and] {{off=muted|mute|locked|lock|unmuted|unmute}} ; start at frame {{start:int}} )",
    f"<set> ~( {SOME} ; (of|on|for) {{t:strip}} )",
    "[<set>] [the] {m:prop of strip} (of|on|for) {t:strip} (to|=|:) {v:value of m}",
    "[its|the] {m:prop of strip} (is|stays|should be|remains|shall be|must be|should stay) {v:value of m}",
    f"{IN_VSE} (move|shift|put|slide|nudge) {{t:strip}} [so that it] ~( (to|on|onto) (channel|track|ch) {{channel:int}} ; [to] [start|starts|begin|begins] [at|from|to] frame {{start:int}} ;"
    " [by] {shift:duration} [{back=earlier|sooner|back|backwards|to the left|later|forward|forwards|to the right}] ; [by] {steps:int} (channel|track) {way=up|higher|down|lower} )",
    "{t:strip of named} [is|goes|sits] (above|over|on top of) {under:strip of named}",
    f"{IN_VSE} {{off=mute|unmute|lock|unlock|delete|remove}} {{t:strip}} [(from|in) [the] (sequencer|video sequencer|vse|timeline)]",
    f"{IN_VSE} flip {{t:strip}} {{way=horizontally|vertically}}",
    f"{IN_VSE} rotate {{t:strip}} [by] {{turn:angle}}",
    f"{IN_VSE} rename {{t:strip}} (to|into|as) {{name:name}}",
)
def set_strip(
    build: Build, t: Strip | None, s: list[Set] | None, u: list[Set] | None, v: Set | None, p: list[Set] | None, q: list[Set] | None, o: list[Set] | None, channel: int | None,
    start: int | None, shift: Span | None, back: str | None, steps: int | None, under: Strip | None, off: str | None, fin: Span | None, fout: Span | None, fboth: Span | None, a: float | None, b: float | None,
    way: str | None, turn: Degrees | None, name: str | None, above: str | None, why: str | None,
) -> None:  # fmt: skip
    """Settings of a strip that is there; its channel, its time, its fades."""
    if t is None and v is not None and isinstance(build.topic, Topic) and build.topic.title == "strip":
        t = Strip("it")  # "its blend mode is alpha over"
    if t is None:
        raise refuse("", "which strip?")
    if above:
        raise refuse(above, "on which channel?")
    if fboth and (fin or fout):
        raise refuse("fade", "over how many frames?")
    done = (s, u, v, p, q, o, channel, start, shift, steps, under, off, fin, fout, fboth, a, b, way, turn, name, why)
    if all(each is None for each in done):
        raise refuse(t.said, "what of it?")
    build.comment(f"settings of {t.said}")
    var = strip_var(build, t)
    kind = next((each[1] for each in build.memory["_strip_list"] if each[0] == var), "")
    write_sets(build, var, kind, [*(s or []), *(u or []), *([v] if v else []), *(p or []), *(q or []), *(o or [])])
    if channel is not None:
        build.line(f"{var}.channel = {channel}")
    if way and steps is None:
        build.line(f"{var}.use_flip_{'x' if way == 'horizontally' else 'y'} = True")
    if turn is not None:
        build.line(f"{var}.transform.rotation = {build.literal(turn)}")
    if name is not None:
        build.once()
        build.line(f"{var}.name = {quoted(name)}")
    if start is not None:
        build.line(f"{var}.frame_start += {start} - {var}.frame_final_start")
    if shift is not None:
        build.once()
        build.scene()
        build.line(f"{var}.frame_start {'-' if back in EARLIER else '+'}= {shift.code}")
    if steps is not None:
        build.once()
        build.line(f"{var}.channel {'+' if way in {'up', 'higher'} else '-'}= {steps}")
    if under is not None:
        build.line(f"{var}.channel = max({var}.channel, {strip_var(build, under)}.channel + 1)")
    if off in {"delete", "remove"}:
        refuse_bare_text(t.said)
        build.once()
        build.need("strips_of")
        build.line(f"strips_of({build.scene()}).remove({var})")
    elif off:
        build.line(f"{var}.{'mute' if 'mute' in off else 'lock'} = {not off.startswith('un')}")
    write_fades(build, var, kind, fin or fboth, fout or fboth)
    write_opacity(build, var, kind, why, a, b)
    build.topic = Topic(var, strip_places(build.lexicon, kind), "strip")
    build.note(f"{t.said}: set")


@step(
    f"{IN_VSE} fade {{t:strip of named}} ~( {{into=in}} ; {{outof=out}} ; {{both=in and out}} ; (over|for|in) [the] [{{edge=first|last}}] {{length:duration of bare}} ;"
    " [:] [its] opacity [is] [keyframed|animated] [from] {a:n} at frame {f1:int} to {b:n} at frame {f2:int} [and stays there] ; and stays there )",
    "{t:strip of named} fades {outof=out|to black} ~( [at [the] end] ; [the|its] opacity [is|goes] [keyframed|animated] [from] {a:n} to {b:n} [(over|during|in)] {frames:range} ; (over|for|in) [the] [{edge=last}] {length:duration of bare} )",
    "{t:strip of named} fades {into=in|in from black} ~( [at [the] (start|beginning)] ; [the|its] opacity [is|goes] [keyframed|animated] [from] {a:n} to {b:n} [(over|during|in)] {frames:range} ; (over|for|in) [the] [{edge=first}] {length:duration of bare} )",
    f"{IN_VSE} fade {{into=in}} {{t:strip of named}} (over|for|in) [the] [{{edge=first|last}}] {{length:duration of bare}}",
    f"{IN_VSE} fade {{outof=out}} {{t:strip of named}} (over|for|in) [the] [{{edge=first|last}}] {{length:duration of bare}}",
    "(keyframe|animate) ~( [the|its] opacity ; (of|on) {t:strip of named} ; [from] {a:n} at frame {f1:int} to {b:n} at frame {f2:int} [and stays there] )",
)
def fade(
    build: Build, t: Strip | None, into: str | None, outof: str | None, both: str | None, length: Span | None,
    a: float | None, b: float | None, f1: int | None, f2: int | None, edge: str | None, frames: tuple[int, int] | None,
) -> None:  # fmt: skip
    """Keyframes of the opacity of a strip."""
    f1, f2 = frames or (f1, f2)
    if a is not None and b is not None and (into or outof) and (a < b) != bool(into):
        raise refuse("opacity", f"fades {into or outof}?")
    if edge and (both or (into and outof) or edge == ("last" if into else "first" if outof else "")):
        raise refuse("fade", f"{into or outof or both} over the {edge}?")
    if a is not None and length is not None:
        raise refuse("fade", "from which frame to which?")
    var = strip_var(build, t or Strip("it"))
    kind = next((each[1] for each in build.memory["_strip_list"] if each[0] == var), "")
    if a is not None and b is not None:
        if f1 is None or f2 is None or f2 <= f1 or not (0 <= a <= 1 and 0 <= b <= 1):
            raise refuse("fade", "from which frame to which?")
        keys(build, var, kind, ((str(f1), a), (str(f2), b)))
    elif length is None or not (into or outof or both):
        raise refuse("fade", "in or out, over how many frames?")
    else:
        write_fades(build, var, kind, length if into or both else None, length if outof or both else None)
    build.note("opacity keyframed")


@step(
    "{off=mute|unmute|lock|unlock} (all|every) [the] (strip|strips) [(on|in|of) (channel|track) {channel:int}]",
    "{off=mute|unmute|lock|unlock} [the] (strip|strips) (on|in|of) (channel|track) {channel:int}",
    "{off=mute|unmute|lock|unlock} [all] (channel|track) {channel:int} strips",
)
def switch_strips(build: Build, off: str, channel: int | None) -> None:
    """Mute or lock every strip, or those of a channel, or the opposite."""
    build.need("strips_of")
    attribute = "mute" if "mute" in off else "lock"
    here = "" if channel is None else f"    if strip.channel == {channel}:\n    "
    build.line(f"for strip in strips_of({build.scene()}):\n{here}    strip.{attribute} = {not off.startswith('un')}")
    build.note(f"{off} every strip")


@step(
    f"{IN_VSE} {{off=mute|unmute|lock|unlock|disable|enable}} [the] [{VSE}] (channel|track) {{channel:int}} [itself] [(in|of) [the] {VSE}] [itself] [[,] not [the|its] [single|individual] strips]",
    f"{IN_VSE} {{off=mute|unmute|lock|unlock}} everything (on|in) (channel|track) {{channel:int}} [(in|of) [the] {VSE}] by (muting|unmuting|locking|unlocking) [the] channel [itself] [[,] not [the|its] [single|individual] strips]",
    f"{IN_VSE} (rename|name|call) [the] [{VSE}] (channel|track) {{channel:int}} [to|into|as] {{name:name}} [(in|of) [the] {VSE}]",
)
def set_channel(build: Build, channel: int, off: str | None, name: str | None) -> None:
    """Mute, lock or name a channel of the sequencer."""
    words = set(build.request.lower().replace(":", " ").replace(",", " ").split())
    if not {"vse", "sequencer", "editor", "strip", "strips"} & words:
        raise refuse("channel", "of the sequencer?")
    if not 1 <= channel <= CHANNELS:
        raise refuse(str(channel), f"the sequencer has the channels 1 to {CHANNELS}")
    build.need("channel_of")
    place = f"channel_of({build.scene()}, {channel})"
    if name is not None:
        build.line(f"{place}.name = {quoted(name)}")
        build.note(f"channel {channel} is called {name}")
        return
    attribute = "lock" if "lock" in (off or "") else "mute"
    build.line(f"{place}.{attribute} = {off in {'mute', 'lock', 'disable'}}")
    build.note(f"channel {channel}: {off}")


CHANNELS: Final = 128


@step(
    f"{IN_VSE} (cut|split|slice|blade|razor) [the] {{t:strip of named}} ~( (at|on) frame {{f:int}} ; [«] {{how=soft|hard}} [cut|split] [»] ;"
    " [and|,] [then] (delete|remove|drop|discard|throw away) [the] ({gone=right|second|left|first|later|earlier} (part|half|piece|one|side)|(part|half|piece|rest) {gone=after|before|behind} (it|that|the cut)) )"
)
def cut(build: Build, t: Strip, f: int, how: str | None, gone: str | None) -> None:
    """Make two strips of one, and perhaps remove one of them."""
    build.once()
    var = strip_var(build, t)
    split = f'{var}.split({f}, "{(how or "soft").upper()}")'
    if gone is None:
        build.line(split)
    else:
        build.need("strips_of")
        right = gone in {"right", "second", "later", "after", "behind"}
        build.line(f"behind = {split}\nstrips_of({build.scene()}).remove({'behind' if right else var})")
    build.note(f"{t.said} is cut at frame {f}" + (f", and the {gone} part removed" if gone else ""))


@step(
    f"{IN_VSE} (trim|cut|cut off|shave|take|remove|drop) [off] [the] {{edge=first|last}} {{length:duration}} (off|of|from|away from) [the] {{t:strip of named}} [[«] [and] {{close=close the gap|closing the gap|close up the gap}} [»]]",
    f"{IN_VSE} (trim|shorten) [the] {{t:strip of named}} by {{length:duration}} [at [the] {{edge=start|beginning|end}}] [[«] [and] {{close=close the gap|closing the gap|close up the gap}} [»]]",
)
def trim(build: Build, t: Strip, length: Span, edge: str | None, close: str | None) -> None:
    """Take frames away from the start or the end of a strip; what comes later on its channel may close up."""
    build.once()
    var, count, first = strip_var(build, t), length.code, edge in {"first", "start", "beginning"}
    scene = build.scene()
    build.line(f"{var}.frame_final_{'start +' if first else 'end -'}= {count}")
    if close:
        build.need("strips_of")
        later = f"each.frame_final_start {'>=' if first else '>'} {var}.frame_final_start"
        build.line(f"row = [each for each in strips_of({scene}) if each.channel == {var}.channel]")
        build.line(f"later = [each for each in row if {later}]")
        build.line(f"for each in later:\n    each.frame_start -= {count}")
    build.note(f"{t.said}: {count} frames shorter at the {'start' if first else 'end'}")


@step(
    "(set|make|let|match|fit|extend) [the] scene [frame] (range|length|end|end frame) (to|match|matches|fit|end at|end with|to match|cover|on) [the] [end of the] (edit|sequence|strips|last strip|timeline|end of the last strip|whole edit|last frame of the edit)",
    "(set|put|let) [the] [scene] end [frame] [of the scene|of the timeline] [to|=|on] [the] (last frame|end|end frame) [of the (edit|strips|last strip|sequence|strip)]",
    "(end|finish) [the] scene (where|when|with|at) [the] (edit|last strip|sequence) [ends]",
)
def fit_scene(build: Build) -> None:
    """The scene ends where the last strip does."""
    build.need("strips_of")
    scene = build.scene()
    build.line(f"{scene}.frame_end = max(strip.frame_final_end for strip in strips_of({scene})) - 1")
    build.note("the scene ends with the last strip")


@step(
    "(put|place|arrange|line up|lay|set) [the] [strips] {t:strips} ~( (back to back|one after another|one after the other|end to end|in a row|behind each other) ; (on|in) (channel|track) {channel:int} ; (starting|start|starts|from|beginning) [at|on] frame {start:int} ; [in this order] )"
)
def back_to_back(build: Build, t: tuple[Strip, ...], channel: int | None, start: int | None) -> None:
    """Each strip begins where the one before ends."""
    if len(t) < 2:
        raise refuse("", "which strips?")
    variables = [strip_var(build, each) for each in t]
    build.imports("itertools: pairwise")
    if start is not None:
        build.line(f"{variables[0]}.frame_start += {start} - {variables[0]}.frame_final_start")
    row = ", ".join(variables)
    build.line(
        f"for before, after in pairwise(({row})):\n    after.frame_start += before.frame_final_end - after.frame_final_start"
    )
    if channel is not None:
        build.line(f"for strip in ({row}):\n    strip.channel = {channel}")
    build.note("one after another")


@slot("several_media")
def several_media(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[tuple[Kind, str], ...]]]:
    """Files in a row, those of one place named once: "a.mp4 and b.mp4 from //clips"."""

    def one(place: int) -> tuple[int, tuple[Kind, str]] | None:
        return next(media(reading, place, {}, ""), None)

    for end, found in most_first(in_a_row(reading, at, one, 2, {",", "/", "+"}, {"and", "then"})):
        folder, _, _ = found[-1][1].rpartition("/")
        if folder and "/" not in found[0][1] and reading.tokens[end - 1].text != found[-1][1]:
            found = [(kind, path if "/" in path else f"{folder}/{path}") for kind, path in found]  # noqa: PLW2901
        yield end, tuple(found)


@step(
    f"{IN_VSE} [load|import|<add>] [the] [{{n:int}}] [movie|video|image|sound|audio|film] [clips|files|strips|movies|videos|images|pictures|sounds|films] {{files:several_media}} [as (strips|movie strips|image strips|sound strips)]"
    f" ~( {PLACE} ; {{row={ROW_WORDS}}} ; (starting|start|starts|from|beginning) [at|on|from] frame {{start:int}} ; [each] {{length:duration}} [long] [each] ; (in|to|on|into) {VSE} ; [in] this order )"
)
def several_files(
    build: Build, files: tuple[tuple[Kind, str], ...], n: int | None, channel: int | None, above: str | None, row: str | None,
    start: int | None, length: Span | None,
) -> None:  # fmt: skip
    """Strips of files, each where the one before ends."""
    if (n is not None and n != len(files)) or above or not row:
        raise refuse(files[0][1], "one after another, and where?")
    if length is None and any(kind.identifier == "IMAGE" for kind, _ in files):
        raise refuse("pictures", "how long each?")
    for index, file in enumerate(files):
        after = Strip("it", path_title(files[index - 1][1])) if index else None
        first = (start or 1) if index == 0 else None
        add_strip(build, file=file, w="strip", channel=channel or 1, start=first, length=length, after=after)


@step(
    f"{IN_VSE} [<add>] [{{n:int}}] {{k:strip_kind}} strips [:] ~( {{names:row_of_names}} ; [each] {{length:duration}} [long] [each] ; (back to back|one after another|one after the other|in a row|in sequence) ;"
    " (on|in) (channel|track) {channel:int} ; (channel|track) {channel:int} ; (starting|start|from|beginning) [at|on|with] frame {start:int} ; {s:own of k} ; {hue:color} )",
    f"{IN_VSE} [<add>|{{cross=cross fade}}] {{n:int}} {{k:strip_kind}} strips [back to back] [(on|in) (channel|track) {{channel:int}}] : {{rows:rows}}",
)
def several(
    build: Build, n: int | None, k: Kind, names: tuple[str, ...] | None, length: Span | None, channel: int | None, start: int | None,
    s: list[Set] | None, hue: Color | None, rows: tuple[Row, ...] | None, cross: str | None,
) -> None:  # fmt: skip
    """Strips of one kind: texts one after another, or colors each with its frames."""
    if n is not None and n != len(names or rows or ()):
        raise refuse(k.label, "how many?")
    for row in rows or ():
        add_strip(build, k, "strip", row.hue, channel=row.channel or channel, f=row.frames)
    if cross and len(rows or ()) != 2:
        raise refuse(cross, "between which?")
    build.pending = "a strip between them" if cross else ""
    if rows:
        return
    if length is None or names is None or k.identifier not in {"TEXT", "ADJUSTMENT"}:
        raise refuse(k.label, "how long, and which?")
    for index, title in enumerate(names):
        after = Strip("it", names[index - 1]) if index else None
        first = start if index == 0 else None
        add_strip(build, k, "strip", hue, title, channel=channel or 1, s=s, length=length, after=after, start=first)


@dataclass(frozen=True)
class Row:
    """A color strip of several: its color, its frames, its channel."""

    hue: Color
    frames: tuple[int, int]
    channel: int | None


ROW: Final = compile_pattern(
    "[the|a|one] {hue:color} [from|on|in] {f:range} [[on] (channel|track) {channel:int}] [and|,]"
)


@slot("rows")
def rows_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[Row, ...]]]:
    """ "red from frame 1 to 60 on channel 1, green from frame 40 to 100 on channel 2"."""
    found: list[Row] = []
    ends: list[int] = []
    place = at
    while (read := next(ROW(reading, place, {}), None)) is not None:
        place = read[0]
        found.append(Row(read[1]["hue"], read[1]["f"], read[1].get("channel")))
        ends.append(place - (reading.word(place - 1) == "and" or reading.mark(place - 1) == ","))
    for count in range(len(found), 1, -1):
        yield ends[count - 1], tuple(found[:count])


@slot("range")
def range_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[int, int]]]:
    """ "frames 10 to 90", "(227-250)": from one frame to another, not how many."""
    opened = reading.mark(at) == "("
    start = skip(
        reading, at + opened, {"from", "over", "between", "during", "for", "at", "on", "the", "in", "frame", "frames"}
    )
    for end, found in one_range(reading, start, {}):
        if not opened or reading.mark(end) == ")":
            yield end + opened, found


@slot("row_of_names")
def names(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Names in a row."""

    def one(place: int) -> tuple[int, str] | None:
        return next(known_name(reading, place, {}, ""), None)

    for end, found in most_first(in_a_row(reading, at, one, 1, {",", "/", "+"}, {"and", "then"})):
        yield end, tuple(found)
