"""Cuts a request into tokens. Nothing is dropped but white space, the hyphens and quotes around words, and the dot of "max."."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["word", "number", "quoted", "path", "hex", "mark", "junk"]


@dataclass(frozen=True)
class Token:
    """One piece of the request, `request[start:end]`.

    `word` is the form that grammar and lexicon know: lower case, one spelling; empty for what is no word. `text` is
    what was written; for something in quotes, what is between them. `junk` is nothing that any request can hold.
    """

    kind: Kind
    text: str
    word: str
    start: int
    end: int


_TOKEN: Final = re.compile(
    r"""
      (?P<space>\s+ | (?:(?<=\b[mM]ax)|(?<=\b[mM]in)|(?<=\bapprox)|(?<=\bincl)|(?<=\bresp)|(?<=\bi\.e))\.(?=\s+[a-z\d]))
    | "(?P<double>[^"\n]*)" | (?<!\w)'(?P<single>[^'\n]*)'(?!\w) | `(?P<tick>[^`\n]*)`
    | (?P<hex>\#(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3})(?!\w))
    | (?P<code>(?<=hex\s)[0-9a-fA-F]{6}(?!\w) | (?<![\w#/.-])(?=[A-F]*\d)(?=\d*[A-F])[0-9A-F]{6}(?![\w.]))
    | (?P<path>(?<![\w])[A-Za-z]:[/\\](?:[\w.#-]+[/\\])*[\w.#-]*[\w#] | (?:\.{0,2}/)?(?:[\w-]+/)*[<{]\w+[>}]\.\w+ | //[\w./#-]*[\w/#] | (?<!\S)\.{1,2}/[\w./#-]*[\w/#] | (?<!\S)/(?:[\w.#-]+/)+[\w.#-]*(?<=[\w/#]) | (?:\.{0,2}/)?(?:[\w-]+/)*[\w#-]+\.(?:png|jpe?g|exr|tiff?|bmp|webp|mp4|mkv|avi|mov|obj
        |stl|ply|fbx|glb|gltf|abc|usd[acz]?|csv|json|txt|py|blend|hdr|wav|mp3|ttf|svg|bvh)(?!\w))
    | (?P<dim>(?<!\w)[23][dD](?!\w))
    | (?P<ordinal>(?<!\w)\d{1,2}(?:st|nd|rd|th)(?!\w))
    | (?P<arrow>->|=>|→)
    | (?P<plus>(?<=\s)\+(?=\s))
    | (?P<stop>(?<!\w)[fF](?=/?\s?\d+\.\d|/))
    | (?P<f>(?<!\w)f(?=\d+(?!\w)))
    | (?P<number>(?:(?<![\w)\]])[-+−–])?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?)
    | (?P<by>(?<=\d)x(?=\d))
    | (?P<short>\bw/o?(?=\s))
    | (?P<signed>(?<![\w)])[-+−–][XYZxyz](?!\w))
    | (?P<hyphen>(?<=[\w"'])[-–](?=[^\W_]))
    | (?P<apostrophe>['’]s(?!\w)|(?<=s)['’](?=\s))
    | (?P<word>[^\W\d_](?:\w|(?<=\w)[.](?=[^\W_]))*(?:['’](?!s\b)\w+)?|_\w+|[°%@])
    | (?P<mark>\.{2,3}|…|[,.;:!?=()\[\]/×*+&^|<>-])
    | (?P<junk>\S+)
    """,
    re.VERBOSE,
)
_LIST: Final = re.compile(r"(?![1-9]\d{0,2}(?:,\d{3})+(?!\d))[-+]?[\d.]+(?:,[-+]?[\d.]*\d){2,}(?!\w|,\d)")
"""Three numbers or more with commas and nothing between them; "1,000,000" is one."""
_PLAIN: Final = str.maketrans("“”‘’−–—", "\"\"''--,")
_KINDS: Final[dict[str, Kind]] = {
    "double": "quoted", "single": "quoted", "tick": "quoted", "hex": "hex", "code": "hex", "path": "path", "number": "number",
    "by": "word", "dim": "word", "ordinal": "word", "arrow": "word", "plus": "word", "stop": "word", "f": "word", "short": "word", "signed": "word", "apostrophe": "word", "word": "word", "mark": "mark", "junk": "junk",
}  # fmt: skip

_SPELLINGS: Final = {
    "colour": "color", "colours": "colors", "coloured": "colored", "grey": "gray", "spec": "specular", "col": "color", "kids": "children", "recolour": "recolor", "dupe": "duplicate", "dupes": "duplicates", "centre": "center", "°": "degrees",
    "centred": "centered", "metre": "meter", "metres": "meters", "%": "percent", "lamp": "light", "lamps": "lights",
    "uvs": "uv", "bézier": "bezier", "colourful": "colorful", "normalise": "normalize", "initialise": "initialize", "randomise": "randomize",
    "texts": "text", "vertexes": "vertices", "fcurve": "f-curve", "f-curve": "f-curve", "×": "x", "&": "and",
    "dont": "don't", "can not": "cannot", "greyscale": "grayscale", "organise": "organize", "blurr": "blur",
    "w/": "with", "w/o": "without", "segs": "segments", "seg": "segment", "verts": "vertices", "vert": "vertex",
    "obj": "object", "objs": "objects", "mat": "material", "mats": "materials", "mod": "modifier", "mods": "modifiers",
    "rot": "rotation", "loc": "location", "res": "resolution", "anim": "animation", "kf": "keyframe", "tex": "texture",
    "cam": "camera", "cams": "cameras", "bg": "background", "pic": "picture", "pics": "pictures", "coll": "collection", "lvl": "level", "lvls": "levels", "interp": "interpolation", "amt": "amount",
    "img": "image", "anticlockwise": "counterclockwise", "ctrl": "control",
    "@": "at", "cwd": "directory", "dir": "directory", "incl": "including", "sel": "selected", "diff": "difference",
    "centimetre": "centimeter", "centimetres": "centimeters", "millimetre": "millimeter", "millimetres": "millimeters", "prop": "property", "props": "properties",
    "->": "to", "=>": "to", "→": "to", "+": "and", "1st": "first", "2nd": "second", "3rd": "third", "4th": "fourth", "5th": "fifth",
    "sim": "simulation", "sims": "simulations", "stuff": "objects", "fresh": "new",
    "mm": "mm", "center-align": "center", "axes": "axis", "keyframed": "keyframed", "render's": "render",
    "fr": "frame", "thru": "through", "op": "operator", "fmodifier": "modifier", "fmodifiers": "modifiers",
}  # fmt: skip


def tokenize(request: str) -> list[Token]:
    """Cut the request into tokens, in order."""
    plain = request.translate(_PLAIN)
    tokens: list[Token] = []
    position = depth = listed = 0
    while match := _TOKEN.match(plain, position):
        kind = match.lastgroup or "junk"
        position = match.end()
        if kind in {"space", "hyphen"}:
            continue
        start, end = match.span(kind)
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(plain[start:end], 0)
        if kind == "number" and start >= listed and (several := _LIST.match(plain, start)):
            listed = several.end()
        if kind == "number" and depth <= 0 and end > listed and re.match(r",\d", plain[end:]):
            kind = "junk"  # "0,5": a decimal comma, or two numbers? "0,5,0" are three
        text = plain[start:end] if kind in {"number", "signed", "mark"} else request[start:end]
        tokens.append(Token(_KINDS[kind], text, _word(kind, text), match.start(), position))
    return tokens


def _word(kind: str, text: str) -> str:
    if kind in {"apostrophe", "stop", "f"}:
        return {"apostrophe": "'s", "stop": "fstop", "f": "frame"}[kind]
    if _KINDS.get(kind) != "word" and text not in "×&":
        return ""
    lower = text.lower()
    if text == "OBJ":  # the file format; "obj" is an object
        return lower
    return _SPELLINGS.get(lower, lower)


WORDS_KEPT: Final = 1 << 16
"""How many words are kept with what was found out about them; requests bring any number of them."""


@functools.lru_cache(maxsize=WORDS_KEPT)
def singular(word: str) -> str:
    """The word without the ending of the plural."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return {"vertices": "vertex", "indices": "index", "matrices": "matrix", "axes": "axis"}.get(word, word[:-1])
    return word
