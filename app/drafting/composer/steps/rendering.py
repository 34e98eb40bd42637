"""Rendering: resolution, output, world, lights, cameras, passes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from app.drafting.composer.build import Build, Known, Many
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Phrases, Place, Setting
from app.drafting.composer.patterns import Env, Reading, slot
from app.drafting.composer.slots import (
    NO_NAMES,
    OBJECT_KINDS,
    VERBS,
    One,
    Set,
    Target,
    axis,
    in_a_row,
    items_of,
    name,
    number,
    one_axis,
    one_target,
    places_of,
    quantity,
    setting_names,
    skip,
    vector,
    whole_number,
)
from app.drafting.composer.slots import path as read_path
from app.drafting.composer.steps.graphs import Graph, Piece, mapped, world_topic, write_graph
from app.drafting.composer.steps.materials import add_node, node_settings
from app.drafting.composer.steps.modifiers import Topic
from app.drafting.composer.steps.objects import (
    NOUNS,
    Detail,
    Thing,
    describe,
    details_after,
    look_along,
    set_vector,
    write_thing,
)
from app.drafting.composer.steps.properties import media, not_at_once, set_scene
from app.drafting.composer.values import Color, Degrees, Vec, clean, literal, quoted, refuse
from ingest.manifest import NodeType

CAMERA: Final = Target("kind", "camera", said="the camera")


BEFORE_PASSES: Final = frozenset({
    "the", "render", "its", "extra", "following", "pass", "passes", "for", "of", "additional", "compositing", "comp",
})  # fmt: skip
AFTER_PASSES: Final = frozenset({"comp", "compositing", "compositor", "wanted", "needed", "on"})


@slot("passes")
def passes(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[Set]]]:
    """ "the mist and z pass", "passes: z, normal and cryptomatte object"."""
    table = places_of(reading, env, "ViewLayer")
    start = skip(reading, at, BEFORE_PASSES)
    place = start + (reading.mark(start) == ":")
    told = any(reading.word(each) in {"pass", "passes"} for each in range(at, place))
    found: list[Set] = []
    while table is not None:
        before = (found[-1].key,) if found else ()
        read = next(
            (
                (end, chosen, key)
                for end, settings_, key in setting_names(reading, place, table, before)
                if (
                    chosen := [
                        (each, True) for each in settings_ if "pass_" in each.prop.name and each.prop.type == "BOOLEAN"
                    ]
                )
            ),
            None,
        )
        if read is None:
            return
        found.append(Set(tuple(read[1]), reading.said(place, read[0]), None, read[2]))
        place = read[0]
        told = told or "pass" in read[2]
        if reading.word(place) in {"pass", "passes"}:
            place, told = place + 1, True
        tail = skip(reading, place, AFTER_PASSES | {"for", "the", "are", "is", "too"})
        if told and tail > place and reading.word(tail - 1) in AFTER_PASSES:
            yield tail, list(found)
        if told:
            yield place, list(found)
        while reading.mark(place) == "," or reading.word(place) in {"and", "the", "plus"}:
            place += 1


SIZES: Final = {
    ("4", "k"): (3840, 2160), ("4", "k", "uhd"): (3840, 2160), ("2", "k"): (2048, 1080), ("8", "k"): (7680, 4320), ("full", "hd"): (1920, 1080),
    ("uhd",): (3840, 2160), ("hd",): (1280, 720), ("1080", "p"): (1920, 1080), ("720", "p"): (1280, 720), ("1440", "p"): (2560, 1440),
    ("2160", "p"): (3840, 2160), ("dci", "4", "k"): (4096, 2160),
}  # fmt: skip
FEEDS: Final = frozenset({
    "stories", "story", "reels", "shorts", "instagram", "tiktok", "youtube", "phone", "phones", "mobile", "social", "media", "web", "print",
})  # fmt: skip
"""What a shape of picture is good for."""
OF_PICTURES: Final = frozenset({
    "format", "image", "render", "frame", "video", "resolution", "size", "dimensions", "of", "at", "in", "to", "is", "picture", "the", "output", "for",
})  # fmt: skip
SHAPES: Final = {"square": 0, "vertical": -1, "portrait": -1, "upright": -1, "landscape": 1, "horizontal": 1}
"""Words for the shape of a picture: as wide as high, higher, wider."""


@slot("resolution")
def resolution(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[int, int]]]:
    """ "1920x1080", "640 by 480", "full HD", "4k", "portrait format, 1080 x 1920", "square 1000 px"."""
    nouns = FEEDS | OF_PICTURES
    start = skip(reading, at, {"a", "the", *nouns})
    shape = SHAPES.get(reading.word(start))
    if shape is not None:
        start = skip(reading, start + 1, nouns)
        start += reading.mark(start) in {",", ":"}
        for end, side in whole_number(reading, start, {}, ""):
            if shape == 0 and side >= 4 and reading.word(end) not in {"x", "by"}:
                yield skip(reading, end, {"px", "pixel", "pixels"}), (side, side)
    elif start > at and reading.mark(start) in {":", "="}:
        start += 1
    for end, (width, height) in plain_size(reading, start):
        oriented = shape is None or (width > height) - (width < height) == shape
        after = skip(reading, end, {"px", "pixel", "pixels"})
        yield after, (width, height) if oriented or shape == 0 else (height, width)
        bracket = reading.mark(after) == "(" and reading.mark(after + 2) == ")"
        said = SHAPES.get(reading.word(after + bracket))
        if said is not None and shape is None and (not bracket or said == (width > height) - (width < height)):
            yield after + 1 + 2 * bracket, (width, height)


def plain_size(reading: Reading, at: int) -> Iterator[tuple[int, tuple[int, int]]]:
    """A width and a height, or a name for both."""
    for words, size in SIZES.items():
        if tuple(token.word or token.text for token in reading.tokens[at : at + len(words)]) == words:
            yield at + len(words), size
    for middle, width in whole_number(reading, at, {}, ""):
        cross = skip(reading, middle, {"px", "pixel", "pixels"})
        if reading.word(cross) in {"x", "by"}:
            for end, height in whole_number(reading, cross + 1, {}, ""):
                if width >= 4 and height >= 4:
                    yield end, (width, height)


@slot("share")
def share_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, float]]:
    """ "50 %", "half size", "half size (50%)", "full scale"."""
    named = {"half": 0.5, "full": 1.0, "quarter": 0.25, "double": 2.0}
    word = reading.word(at)
    if word in named and reading.word(at + 1) in {"size", "resolution", "scale"}:
        if reading.mark(at + 2) == "(":
            for end, given in quantity(reading, at + 3, {}, "share"):
                if given.measured("share") and given.value == named[word] and reading.mark(end) == ")":
                    yield end + 1, given.value
        yield at + 2, named[word]
    for end, given in quantity(reading, at, {}, "share"):
        if given.measured("share"):
            yield end, given.value


@step(
    "[render] [<set>] [render|image|output|final] [resolution|size|dimensions] [at|to|in|of|:|=|is] {size:resolution} [resolution] ~( {share:share} [resolution] [scale|size] )",
    "[<set>] [the] [render|image] [resolution|size] [to|at|in] {share:share} [of the resolution]",
)
def set_resolution(build: Build, size: tuple[int, int] | None, share: float | None) -> None:
    """The size of the picture."""
    scene = build.scene()
    if size is not None:
        build.line(f"{scene}.render.resolution_x = {size[0]}\n{scene}.render.resolution_y = {size[1]}")
    if share is not None:
        if size is None and not re.search(
            r"render|resolution|size|scale|image|output|scene|film|eevee|cycles|samples|\d ?[x×] ?\d",
            build.request.lower(),
        ):
            raise refuse(f"{share:g}", "of what?")
        if re.search(r"trac(e|ing)", build.request.lower()) and size is None:
            raise refuse(f"{share:g}", "of the picture, or of the rays?")
        if not 0.01 <= share <= 10:
            raise refuse(f"{share:g}", "no share of the resolution")
        build.line(f"{scene}.render.resolution_percentage = {round(share * 100)}")
    build.note(f"resolution {size} at {share or 1:g}")


def setting(build: Build, path: str, type_: str, name_: str, value: object) -> Set:
    """A setting that the request implies."""
    return Set(((Setting(Place(path, type_), build.lexicon.property(type_, name_)), value),), name_)


def engine_of(build: Build, name_: str) -> str:
    """The identifier of an engine."""
    return next(
        (each for each in build.lexicon.manifest.identifiers["engines"] if name_.upper() in each), "BLENDER_EEVEE"
    )


@slot("panel")
def panel_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """What a group of settings is called."""
    for end, found in PANELS.matches(reading.tokens, skip(reading, at, {"the"})):
        yield skip(reading, end, BEHIND_PANEL), found[0]


BEHIND_PANEL: Final = frozenset({
    "engine", "settings", "options", "shading", "rendering", "output", "'s", "renders", "render", "light", "path", "paths", "bounces",
    "sampling",
})  # fmt: skip
BACKEND: Final = "[on|with|via|using|through|to|by|:|=] {how=optix|cuda|hip|oneapi|metal} [backend|device|devices]"
PANELS: Final = Phrases[str]([
    ("workbench", "workbench"), ("mist", "mist"), ("world mist", "mist"), ("freestyle", "freestyle"), ("view layer", "view layer"),
    ("current view layer", "view layer"), ("active view layer", "view layer"), ("color management", "color management"), ("video", "video"),
    ("ffmpeg", "video"), ("movie", "video"), ("stereo", "stereo"), ("stereoscopy", "stereo"), ("multiview", "stereo"),
    ("stamp", "stamp"), ("burn in", "stamp"), ("burn in metadata", "stamp"), ("burn metadata", "stamp"), ("metadata", "stamp"), ("simplify", "simplify"), ("motion blur", "motion blur"),
    ("volumetric", "volumetrics"), ("eevee volumetric", "volumetrics"), ("unit", "units"), ("scene unit", "units"), ("eevee", "eevee"), ("cycles", "cycles"),
    ("light path", "light paths"), ("bounce", "light paths"), ("max bounce", "light paths"), ("light bounce", "light paths"), ("viewport", "viewport"),
    ("viewport render", "viewport"), ("adaptive sampling", "adaptive"),
])  # fmt: skip


@step(
    "[<set>|<enable>] {panel:panel} [:|,|-|with|using|uses|to|on|in|=|is|be|should be] [{only=only|just}] {s:settings of panel} [(into|in|on|to) the (image|images|picture|pictures|render|renders|frames)]",
    "(in|for|with|under) {panel:panel} [,|:] <set> [the] [(light paths|light path|light bounces|bounces|sampling|settings|render settings) [to|:]] {s:settings of panel}",
    "[<set>|<enable>] {r:settings of render} (on|for|in|of) {panel:panel}",
    "<set> {p:prop of render} (on|for|in|of) {panel:panel} [<to>] {v:value of p}",
    "{panel:panel} (has|have|gets|get|should have|needs|uses|use|should use|must have) {r:settings of render}",
)
def set_panel(
    build: Build, panel: str, s: list[Set] | None, r: list[Set] | None, v: Set | None, only: str | None
) -> None:
    """Settings of a panel, which is turned on where it can be."""
    if s is None:
        s = r or ([v] if v else [])
        set_scene(build, viewport_only(s) if panel == "viewport" else s, panel)
        return
    implied: dict[str, tuple[str, str, str, object]] = {
        "freestyle": ("render", "RenderSettings", "use_freestyle", True),
        "stereo": ("render", "RenderSettings", "use_multiview", True),
        "stamp": ("render", "RenderSettings", "use_stamp", True),
        "simplify": ("render", "RenderSettings", "use_simplify", True),
        "motion blur": ("render", "RenderSettings", "use_motion_blur", True),
        "adaptive": ("cycles", "CyclesRenderSettings", "use_adaptive_sampling", True),
        **{
            name_: ("render", "RenderSettings", "engine", engine_of(build, name_))
            for name_ in ("workbench", "eevee", "cycles")
        },
    }
    if panel == "viewport":
        s = viewport_only(s)
    if panel == "freestyle" and any(option.place.type == "View3DShading" for each in s for option, _ in each.options):
        raise refuse(s[0].said, "of the lines, or of Workbench?")
    others: list[Set] = []
    if only:
        if panel != "stamp":
            raise refuse(only, "only these?")
        switches = [each for each in build.lexicon.properties("RenderSettings") if each.name.startswith("use_stamp_")]
        own = {setting.prop.name for each in s for setting, _ in each.options} | {"use_stamp_labels"}
        own |= {"use_stamp_note"} if "stamp_note_text" in own else set()
        others = [
            setting(build, "render", "RenderSettings", each.name, False) for each in switches if each.name not in own
        ]
    set_scene(build, [*([setting(build, *implied[panel])] if panel in implied else []), *others, *s], panel)


def viewport_only(s: list[Set]) -> list[Set]:
    """The settings of the viewport among those that are called so."""
    s = [replace(each, options=tuple(option for option in each.options if of_viewport(option[0]))) for each in s]
    if any(not each.options and each.refused is None for each in s):
        raise refuse(s[0].said, "the viewport has no such setting")
    return s


def of_viewport(one: Setting) -> bool:
    """Whether a setting of an engine is one of the viewport only."""
    return "preview" in one.prop.name or one.prop.name == "taa_samples"


LINE: Final = (
    "~( {state=on|off|enabled|disabled} ; [with] {n:n} (px|pixels) [thick|wide|thickness|width] [lines|strokes] ; [line] (thickness|width) [of|:|=] {n:n} [px|pixels] ; [in] {hue:hue} [lines|color|line] ; [line] color [of|:|=] {hue:hue} ;"
    " (opacity|alpha) [of|:|=] {alpha:n} )"
)


@step(
    f"[<set>|<enable>] freestyle [lines|outlines|line drawing|rendering|strokes] [:|,] {LINE}",
    f"[<set>|<enable>] (lines|outlines|outline) ~( « freestyle » ; (with|via|by|using|from) freestyle ; {{state=on|off|enabled|disabled}} ) [:|,] {LINE}",
)
def freestyle_lines(build: Build, state: str | None, n: float | None, hue: Color | None, alpha: float | None) -> None:
    """Lines that Freestyle draws: whether, how thick, in which color."""
    if "freestyle" not in build.request.lower():
        raise refuse("lines", "by Freestyle?")
    off = state in {"off", "disabled"}
    said = n is not None or hue is not None or alpha is not None
    if off and said:
        raise refuse("freestyle", "on or off?")
    scene = build.scene()
    build.comment("lines by Freestyle")
    build.line(f"{scene}.render.use_freestyle = {not off}")
    if not said:
        build.note(f"Freestyle {state or 'on'}")
        return
    layer = build.view_layer()
    build.imports("typing: Any")
    build.line(f"{layer}.use_freestyle = True\nline_sets: Any = {layer}.freestyle_settings.linesets")
    build.line('style = (line_sets.active or line_sets.new("LineSet")).linestyle')
    for name_, value in (("thickness", n), ("alpha", alpha)):
        if value is not None:
            build.line(f"style.{name_} = {literal(float(value))}")
    if hue is not None:
        build.line(f"style.color = {literal(hue.rgb)}")
    build.note("lines by Freestyle")


@step(
    f"[<set>|<enable>|render] ~( {BACKEND} ; (gpu|gpu rendering|gpu compute|graphics card) ; [the] cycles ; (for|in|with|by) cycles ; [render|compute|cycles] device [type|backend] [:|=] ; (on|with|via|using) [the] gpu )",
)
def gpu_backend(build: Build, how: str | None) -> None:
    """What Cycles computes on: graphics cards, in the language that they understand, which is a preference."""
    if how is None or "denois" in build.request.lower():
        raise refuse("gpu", "by which of their languages?")
    build.comment("Cycles on the graphics card")
    build.imports("typing: Any")
    scene, backend = build.scene(), how.upper()
    if "cycles" in build.request.lower():
        build.line(f'{scene}.render.engine = "CYCLES"')
    build.line(f'settings: Any = {scene}.cycles\nsettings.device = "GPU"')
    build.need("expect")
    build.line("preferences = expect(bpy.context.preferences, bpy.types.Preferences)")
    build.line('card: Any = expect(preferences.addons["cycles"], bpy.types.Addon).preferences')
    build.line(f'card.compute_device_type = "{backend}"\ncard.refresh_devices()')
    build.line(f'for device in card.devices:\n    device.use = device.type == "{backend}"')
    build.note(f"{how} for Cycles")


@step(
    "[let|make|set] [the] [world] mist ~( (start|starts|begin|begins|starting|beginning) [at|from] {a:n} [m] ; (reach|reaches|extend|extends|go|goes|extending|reaching) [to|for] {b:n} [m] [further|deep|farther|more] ;"
    " from {a:n} [to {end:n}] ; {b:n} deep ; depth [of|<to>] {b:n} ; {how=linear|quadratic|inverse quadratic} [falloff] ; falloff [<to>] {how=linear|quadratic|inverse quadratic} )",
)
def mist(build: Build, a: float | None, b: float | None, how: str | None, end: float | None) -> None:
    """Where the mist of the world begins, and how deep it is."""
    if end is not None:
        if a is None or b is not None or end <= a:
            raise refuse("mist", "from where, and how deep?")
        b = clean(end - a)
    said = {"start": a, "depth": b, "falloff": how and how.upper().replace(" ", "_")}
    sets = [
        setting(build, "world.mist_settings", "WorldMistSettings", *each)
        for each in said.items()
        if each[1] is not None
    ]
    if not sets:
        raise refuse("mist", "from where, and how deep?")
    set_scene(build, sets, "mist")


WORLD: Final = "(world|background|sky|environment|horizon|world background|environment light|world light|ambient light)"


@step(
    f"[<set>] {WORLD} [background|lighting|surface|shader] ~( [color] [<to>] [a] [plain|uniform|solid] {{hue:color}} ; (strength|intensity|brightness) [<to>] {{n:n}} ; (at|to) {{n:n}} ; {{n:n}} strength )",
    "[<set>] [the] background color [<to>] {hue:color} [[,|and|with] [a] strength [of|to] {n:n}]",
    "(make|set|paint|turn) [the] (world|background|sky) [background|color] [to] {hue:color} [[,|and|with] [a] strength [of|to] {n:n}]",
    "[a] {hue:color} (world|background|sky) [background] [[,|and|with] [a] strength [of|to] {n:n}]",
    "[<set>] [the] (strength|intensity|brightness) of [the] (world|background) [background] [<to>] {n:n}",
    "{dark=no|without|disable|turn off} [any] (ambient light|world light|world lighting|environment light|ambient lighting|light from the world|ambient light at all|world light at all|ambient lighting at all)",
)
def world_color(build: Build, hue: Color | None, n: float | None, dark: str | None) -> None:
    """The color and the strength of the world."""
    n = 0.0 if dark else n
    if (hue is None and n is None) or (n is not None and n < 0):
        raise refuse("" if n is None else f"{n:g}", "which color or strength of the world?")
    background = background_var(build)
    if hue is not None:
        build.line(f'set_input({background}, "Color", {literal((*hue.rgb, 1.0))})')
    if n is not None:
        build.line(f'set_input({background}, "Strength", {literal(float(n))})')
    build.topic = Topic(background, (Place("", "ShaderNodeBackground"),), "background")
    build.note("world background")


def background_var(build: Build) -> str:
    """The variable of the world's Background node."""
    found: str | None = build.memory.get("_background")
    if found is None:
        build.need("world_tree", "background_of", "set_input")
        build.comment("the nodes of the world")
        tree = build.var("world_nodes")
        found = build.var("background")
        build.line(f"{tree} = world_tree()\n{found} = background_of({tree})")
        build.memory["_background"] = found
        build.memory["_world_tree"] = tree
    return found


SURROUNDING: Final = (
    "(as|for|in|to|on|into|of|onto) [the] (world|environment|world background|world lighting|lighting|background|scene) [lighting|background|texture|map|image]"
    " ; [at] (strength|intensity|brightness) [of|<to>] {n:n} ; at {n:n} ; {n:n} strength ; (rotated|turned|rotation|rotate|rotate it|turn it|spin it|spun) [by|of] {turn:angle} ; (on|around|about|in|round) z [axis]"
    " ; [and] turned to {turn:angle} ; « node setup » ; (with|using|via|through|by) [a] mapping node ; (as|with|using) [an] environment texture [node] [in the world]"
)
SKY: Final = f"~( {{s:settings of node}} ; {SURROUNDING} ; (with|and) the sun {{up:angle}} above [the] horizon )"


@step(
    f"[<set>|<add>] {WORLD} [<to>|with|from] [a|an] {{node:node of ShaderNodeTree}} [texture] [node] [background] {SKY}",
    f"[<add>|<set>] [a|an] {{node:node of ShaderNodeTree}} [texture] [node] [world|environment|background] {SKY}",
)
def world_texture(
    build: Build, node: NodeType, n: float | None, s: list[Set] | None, turn: Degrees | None, up: Degrees | None
) -> None:  # fmt: skip
    """A texture as the world's background."""
    said = set(re.findall(r"\w+", build.request.lower()))
    if "Tex" not in node.identifier or (
        node.identifier != "ShaderNodeTexSky" and not said & {"world", "background", "environment"}
    ):
        raise refuse(node.label, "say of what it is the texture")
    sky = node.identifier == "ShaderNodeTexSky"
    if up is not None and not sky:
        raise refuse(node.label, "it has no sun")
    plain = [one for one in s or [] if re.match(r"(strength|intensity|brightness)\b", one.said.lower())]
    if plain and sky:
        raise refuse(plain[0].said, "of the sun, or of the background?")
    angles = (("sun_elevation", up), ("sun_rotation", turn if sky else None))
    place = Place("", node.identifier)
    own = [(Setting(place, build.lexicon.property(place.type, name_)), value) for name_, value in angles if value]
    sets = [*(Set((each,), each[0].prop.label) for each in own), *(s or [])]
    surround(build, Piece("new", node, node.label, tuple(sets)), None if sky else turn, n)
    build.note(f"{node.label} as the background")


def surround(build: Build, texture: Piece, turn: Degrees | None, strength: float | None) -> None:
    """A texture as the background of the world, turned around the vertical, with a strength."""
    graph = Graph()
    number_ = graph.add(texture)
    graph.link(number_, graph.add(Piece("input", None, "color", socket="Base Color")))
    if turn is not None:
        mapped(build, graph, "Rotation", (0.0, 0.0, turn), "Generated")
    topic = world_topic(build)
    write_graph(build, topic, graph)
    if strength is not None:
        build.line(f'set_input({topic.shader}, "Strength", {literal(float(strength))})')


HDRI: Final = "(hdri|hdr|environment image|environment map|environment texture|hdri map|ibl|sky image|light probe|panorama|hdr panorama|hdri panorama|panoramic image|panorama image)"
HERE: Final = "[«] [(in|from) [the] [current] [working|this] (directory|folder)] [»]"


@step(
    f"[<add>|load|apply|light with] [a|an] {HDRI} [file|image|map] [from|:] {{path:path}} {HERE} ~( {SURROUNDING} )",
    f"[<set>|light|lit] {WORLD} [<to>|with|from|using] [a|an] [{HDRI}] [file|image|map] {{path:path}} {HERE} ~( {SURROUNDING} )",
    f"(light|lit) [the] (scene|everything) (with|by|using|from) [the|a|an] [{HDRI}] [file|image] {{path:path}} {HERE} [: environment texture [in the world]] ~( {SURROUNDING} )",
    f"{HDRI} (is|should be|shall be|to|:|=) {{path:path}} {HERE} ~( {SURROUNDING} )",
    f"[<add>|load|light the scene with] {{path:path}} {HERE} as [the] [world|environment|scene] (hdri|environment|environment map|environment texture|world|background|environment lighting|lighting) {HERE} ~( {SURROUNDING} )",
)
def world_image(build: Build, path: str, n: float | None, turn: Degrees | None) -> None:
    """A picture of the surroundings as the light of the world."""
    if "." not in path:
        raise refuse(path, "no picture")
    node = build.lexicon.manifest.nodes["ShaderNodeTexEnvironment"]
    surround(build, Piece("new", node, path, called=node.label, image=path), turn, n)
    build.note(f"{path} lights the world")


IT: Final = (
    "(it|this|that|the hdri|the hdr|the world|the sky|the image|the environment|the light of the world|the panorama)"
)
PLAIN: Final = "[a|the] [only] [plain|flat|solid|uniform] {hue:color} [background|backdrop] [« {level:n} »] ~( [at|with] strength [of] {n:n} )"


@step(
    f"[the] camera (should not|shouldn't|must not|does not|doesn't|is not to|cannot) see {IT} [itself] (:|,|.|-|but|, but) (show|use|show it|it sees|it should see|it shows|let it see|give it) {PLAIN} [(to|for) [the] camera [rays]] [instead] [of {IT}]",
    f"(show|use) {PLAIN} (to|for) [the] (camera rays|camera) [only] [instead] [of {IT}]",
    f"[let|make] [the] (camera|camera rays) (see|sees|show|shows|should see|shall see|must see|only sees|only see|should only see|sees only) {PLAIN} [instead] [of {IT}]",
)
def camera_sees(build: Build, hue: Color, level: float | None, n: float | None) -> None:
    """A plain color where the camera sees the world, which lights the scene as it did."""
    red, green, blue = hue.rgb
    if level is not None and not (red == green == blue and 0 <= level <= 1):
        raise refuse(f"{level:g}", "what of it?")
    background, nodes = background_var(build), build.lexicon.manifest.nodes
    tree = build.memory["_world_tree"]
    plain = add_node(build, tree, nodes["ShaderNodeBackground"], (0.0, -200.0), "Camera Background")
    shown = (red, green, blue, 1.0) if level is None else (level, level, level, 1.0)
    build.line(f'set_input({plain}, "Color", {literal(shown)})')
    if n is not None:
        build.line(f'set_input({plain}, "Strength", {literal(float(n))})')
    path = add_node(build, tree, nodes["ShaderNodeLightPath"], (0.0, 400.0))
    mix = add_node(build, tree, nodes["ShaderNodeMixShader"], (250.0, 100.0))
    links = f"{tree}.links.new"
    build.line(f'{links}({path}.outputs["Is Camera Ray"], {mix}.inputs[0])')
    build.line(f'{links}({background}.outputs["Background"], {mix}.inputs[1])')
    build.line(f'{links}({plain}.outputs["Background"], {mix}.inputs[2])')
    build.line(f'output = next(node for node in {tree}.nodes if node.type == "OUTPUT_WORLD")')
    build.line(f'{links}({mix}.outputs["Shader"], output.inputs["Surface"])')
    build.note(f"the camera sees {hue.label} where the world is")


@step(
    "[<set>] [the] [scene] world [of the scene] [<to>] [the] [world] {name:quoted}",
    "(use|take|switch to) [the] world {name:quoted} [(in|for) [the] scene]",
)
def other_world(build: Build, name: str) -> None:
    """Another world for the scene, by its name."""
    if "." in name or "/" in name:
        raise refuse(name, "a picture?")
    build.line(f"{build.scene()}.world = bpy.data.worlds[{quoted(name)}]")
    build.note(f'world "{name}"')


def loaded(build: Build, path: str) -> str:
    """The expression of a picture that is loaded once."""
    if path.startswith("//"):
        return f"bpy.data.images.load({quoted(path)}, check_existing=True)"
    build.imports("pathlib: Path")
    return f"bpy.data.images.load(str(Path.cwd() / {quoted(path)}), check_existing=True)"


@step(
    "[<add>] [a|an] {node:node of ShaderNodeTree} [shader] (in|to|into|for|as) [the] (world|world volume|volume of the world|world's volume) [volume] ~( {s:settings of node} )",
    "[<set>] [the] world [volume|with|has] [volume] [<to>|:|,] [a|an] {node:node of ShaderNodeTree} [shader] ~( {s:settings of node} )",
    "[<add>] [a|some] [light|thin|thick|dense|volumetric|volume] (fog|haze|smog|atmosphere) ~( (in|to|into|for|filling) [the|whole] (world|scene) ; [of] density [of|<to>] {n:n} ; anisotropy [of|<to>] {a:n} ; [color] {hue:color} )",
)
def world_volume(
    build: Build, node: NodeType | None, s: list[Set] | None, n: float | None, a: float | None, hue: Color | None
) -> None:  # fmt: skip
    """A volume that fills the world: fog."""
    if node is None and n is None:
        raise refuse("fog", "how dense?")
    node = node or build.lexicon.manifest.nodes["ShaderNodeVolumeScatter"]
    if "Volume" not in node.identifier:
        raise refuse(node.label, "no volume")
    build.need("set_input")
    background_var(build)
    tree = build.memory["_world_tree"]
    var = add_node(build, tree, node, (0.0, -200.0))
    node_settings(build, var, node, s or [])
    for name_, value in (("Density", n), ("Anisotropy", a), ("Color", hue and (*hue.rgb, 1.0))):
        if value is not None:
            build.line(f'set_input({var}, "{name_}", {literal(value)})')
    build.line(f'output = next(node for node in {tree}.nodes if node.type == "OUTPUT_WORLD")')
    build.line(f'{tree}.links.new({var}.outputs[0], output.inputs["Volume"])')
    build.topic = Topic(var, (Place("", node.identifier),), node.label)
    build.note(f"{node.label} fills the world")


@step("(rename|call|name) [the|this] [current|active] view layer [to|into|as] {name:name}")
def name_view_layer(build: Build, name: str) -> None:
    """The name of the open view layer."""
    build.line(f"{build.view_layer()}.name = {quoted(name)}")
    build.note(f'view layer "{name}"')


@step(
    "[<add>|<set>] [a|an] [{kind=value|color}] [shader] aov [pass|output] [<called>] {name:name} ~( [of] [type] {kind=value|color} ; « {kind=value|color} » ; (to|on|in|for) [the|this] [current|active] view layer )",
)
def shader_aov(build: Build, name: str, kind: str | None) -> None:
    """A pass that shaders fill themselves."""
    layer = build.view_layer()
    var = build.var("aov")
    build.line(
        f"{var} = next((each for each in {layer}.aovs if each.name == {quoted(name)}), None) or {layer}.aovs.add()"
    )
    build.line(f'{var}.name = {quoted(name)}\n{var}.type = "{(kind or "color").upper()}"')
    build.note(f"AOV {name}")


@step(
    "[<add>] [a|new] light group [<called>] {name:name} ~( (for|with|containing|holding|of|on) {target:object} ; (and|,) (put|assign|add) {target:object} (in|into|to) (it|that group|the group) )",
    "(put|assign|add|move) {target:object} (in|into|to) [a|the] [new] light group [<called>] {name:name}",
    "{target:object} (in|into|to|uses|gets|has) [a|the] [new] light group [<called>] {name:name}",
    "[<add>] [a|new] light group [<called>] {name:name} (to|on|in|for) [the] view layer",
    "(put|assign|add|move) {target:object} (in|into|to) (it|that group|the group|the light group)",
    "{target:object} (belong|belongs|go|goes) (to|into|in) (it|that group|the group|the light group)",
)
def light_group(build: Build, name: str | None, target: Target | None) -> None:
    """A group of lights with a pass of its own."""
    name = build.memory.get("_light_group") if name is None else name
    if name is None:
        raise refuse(target.said if target else "it", "into which group?")
    build.memory["_light_group"] = name
    layer = build.view_layer()
    build.line(f"if {quoted(name)} not in {layer}.lightgroups:\n    {layer}.lightgroups.add(name={quoted(name)})")
    if target is not None:
        with build.each(target) as known:
            build.line(f"{known.var}.lightgroup = {quoted(name)}")
    build.note(f"light group {name}")


@step(
    "(override|replace) (material|materials|all materials|every material|all of the materials|all shaders) [of|on|in|for] [the] [view layer|active view layer|layer|scene] (with|by|: use|use|:) [the] [material] {name:name} [for everything|for all objects]",
    "[<set>] [a|the] material override [to|of|=|:|for|on] [the] [view layer] [to|=|:] [material] {name:name}",
)
def override(build: Build, name: str) -> None:
    """One material for everything in the open view layer."""
    made: dict[str, str] = build.memory.get("_materials", {})
    build.line(f"{build.view_layer()}.material_override = {made.get(name) or f'bpy.data.materials[{quoted(name)}]'}")
    build.note(f"material override {name}")


@step(
    "(make|turn|change|convert|switch|swap|exchange|replace) {target:object} [to|into|for|with|by] [a softbox (:|,|-)] {what:thing}",
    "{target:object} (becomes|should be|as|is to be|to|:|=|shall be|must be|has to be) [a softbox (:|,|-)] {what:thing}",
    "((make|turn|change|convert|swap|exchange|replace) {target:object} [to|into|for|with|by]|(change|set) [the] type of {target:object} to|{target:object} (becomes|should be|as|is to be|to|:|=))"
    " [a|an] {kind=point|sun|spot|area} [light] [,|with|and] [{s:settings of kindlight}]",
)
def light_type(build: Build, target: Target, kind: str | None, s: list[Set] | None, what: Thing | None) -> None:
    """Change the type of a light, with its settings, its place and what it looks at."""
    known = build.one(target)
    if known.type not in {"LIGHT", ""}:
        raise refuse(target.said, "no light")
    build.need("expect")
    if what is not None:
        noun = NOUNS[what.noun]
        if noun.type != "LIGHT" or what.count != 1 or re.search(r"\b(new|another)\b", what.said):
            raise refuse(what.said, "which kind of light?")
        kind = noun.kind.removesuffix(" light")
    if kind is None:
        return
    data_type = {"point": "PointLight", "sun": "SunLight", "spot": "SpotLight", "area": "AreaLight"}[kind]
    build.line(f'expect({known.var}.data, bpy.types.Light).type = "{kind.upper()}"')
    known.type, known.data, known.kind = "LIGHT", data_type, f"{kind} light"
    if what is not None:
        describe(build, known, what)
        build.it = known
        build.note(f"{target.said} -> {kind} light")
        return
    var = build.var(f"{known.var}_data")
    build.line(f"{var} = expect({known.var}.data, bpy.types.{data_type})")
    if s:
        build.assign(var, build.choose(s, build.lexicon.places(data_type), f"a {kind} light"))
    build.note(f"{target.said} -> {kind} light")


NOT_CAST: Final = "(((should|must|shall|does|do|is to) not|shouldn't|mustn't|doesn't|don't|not) (cast|throw)|[should|must] (cast|casts|casting|throw|throws|gets) no)"
LINKED: Final = "[« (light linking|shadow linking) »|(via|with|using|by) (light linking|shadow linking)]"


@step(
    "[light linking] [:] [let|make|restrict|limit] {light:object} [should|must|to] (only lights|lights only|only light|light only|only affects|only affect|affects only|affect only|illuminates only|only illuminates) {target:object}",
    "(link|restrict|limit) {light:object} to [only] {target:object} [only] (with|via|using) [light linking]",
    "(link|restrict|limit) {light:object} to only {target:object}",
    "(link|restrict|limit) {light:object} to {target:object} only",
    "(restrict|limit) {light:object} to {target:object}",
    f"[let|make] {{light:object}} [should|must|shall|may] only (light|affect|illuminate|shine on|hit|reach) {{target:object}} {LINKED}",
    "[light linking] [:] [let|make] {light:object} (should not|must not|does not|do not|doesn't|shouldn't|never) {no=light|affect|illuminate|lights|affects} {target:object}",
    "{no=exclude} {target:object} from {light:object} ['s] [light] [linking|via light linking|with light linking]",
    f"[shadow linking] [:] [let|make] {{light:object}} {NOT_CAST} [a] {{shadow=shadow}} (of|from|for|behind) {{no:object}} {LINKED}",
    f"[shadow linking] [:] [let|make] {{no:object}} {NOT_CAST} [a] {{shadow=shadow}} (from|by|in the light of|under|for|of) [the] [light] {{light:object}} {LINKED}",
    f"(keep|stop|prevent|hinder) {{no:object}} from casting [a] {{shadow=shadow}} (from|by|in the light of|under|for|of) [the] [light] {{light:object}} {LINKED}",
    f"(exclude|leave out|remove) {{no:object}} from [the] {{shadow=shadow}} (of|from|cast by) [the] [light] {{light:object}} {LINKED}",
    f"[shadow linking] [:] only {{target:object}} (cast|casts|should cast|may cast|throws) [a] {{shadow=shadow}} (from|by|in the light of|under|for) [the] [light] {{light:object}} {LINKED}",
)
def light_linking(
    build: Build, light: Target, target: Target | None, no: Target | str | None, shadow: str | None
) -> None:
    """What a light shines on, or does not; of what it casts shadows."""
    known = build.one(light)
    others = no if isinstance(no, Target) else target
    if others is None or (
        known.type != "LIGHT"
        and not re.search(r"light|lamp|sun|spot|illuminat|shadow linking", build.request, re.IGNORECASE)
    ):
        raise refuse(light.said, "a light? Say so")
    if not build.lexicon.manifest.find("Object", "light_linking"):
        raise refuse(light.said, "this Blender has no light linking")
    if known.type not in {"LIGHT", ""}:
        raise refuse(light.said, "no light")
    role = "blocker" if shadow else "receiver"
    var = build.var(f"{role}s")
    title = quoted(f"{'Shadow' if shadow else 'Light'} Linking for {known.name or 'Light'}")
    build.need("expect")
    build.line(f"{var} = bpy.data.collections.get({title}) or bpy.data.collections.new({title})")
    with build.each(others) as other:
        build.line(f"if {other.var}.name not in {var}.objects:\n    {var}.objects.link({other.var})")
    if no:
        build.line(f'for each in {var}.collection_objects:\n    each.light_linking.link_state = "EXCLUDE"')
    build.line(f"expect({known.var}.light_linking, bpy.types.ObjectLightLinking).{role}_collection = {var}")
    build.memory["_linked"] = role
    build.note(f"{light.said} and {others.said} -> {role} collection")


@step(
    "(use|do it with|do this with|do that with|with|via|through) [light|shadow] linking [(with|and|through|via|using) [a] {role=receiver|blocker} collection] [for (it|that|this)]",
    "(use|with|via|through) [a] [light linking] {role=receiver|blocker} collection [for (it|that|this)]",
)
def as_linked(build: Build, role: str | None) -> None:
    """How a light is kept to some objects anyhow."""
    if build.memory.get("_linked") is None or role not in {None, build.memory["_linked"]}:
        raise refuse(role or "light linking", "of which light?")
    build.note("light linking")


SCENE_CAMERA: Final = "(active|scene|render|active scene) camera [of the scene] [again]"


@step(
    f"[and] (use|make|set) {{target:object}} [be|as|to be] [the] {SCENE_CAMERA}",
    "(set|make) [the] (active|scene) camera [to] {target:object}",
    "(use|take) {target:object} (for|in) [the] (render|rendering|renders)",
    "(render|look) (through|from) {target:object}",
    f"{{target:object}} (is|as|becomes|should be|should become|has to be|must be|shall be) [the] [new] {SCENE_CAMERA}",
    "(render|scene|active) camera [:|is|=|should be] {target:object}",
)
def active_camera(build: Build, target: Target) -> None:
    """The camera that renders."""
    known = build.one(target)
    if known.type not in {"CAMERA", ""}:
        raise refuse(target.said, "no camera")
    known.type, known.data = "CAMERA", known.data or "Camera"
    build.it = known
    build.line(f"{build.scene()}.camera = {known.var}")
    build.note("scene camera")


@step(
    "(frame|fit) {target:object} (with|in|into|inside|to) [the (view|frame|picture) of] {cam:object of one} ['s] [view|frame|picture]",
    "(move|position|adjust|place|make|let) {cam:object of one} [so|so that|such that|to] (frame|frames|fit|fits|framing|see all of|show all of|it frames|it fits|it sees all of) {target:object}",
)
def fit_camera(build: Build, target: Target, cam: Target) -> None:
    """Move a camera along the way it looks until objects fill its picture."""
    found, known = build.objects(target), build.one(cam)
    named = known.type or re.search("cam|view", f"{cam.said} {cam.name}", re.IGNORECASE)
    whole = re.search(rf"\b(everything|all|whole|rest|most|parts?|side|top) of {re.escape(cam.said)}", build.request)
    seen = re.search(rf"\b(view|frame|picture) of {re.escape(target.said)}", build.request)
    if known.type not in {"CAMERA", ""} or not named or whole or seen:
        raise refuse(cam.said, "no camera")
    build.need("frame_objects")
    expression = f"[{found.var}]" if isinstance(found, Known) else found.expression
    build.line(f"frame_objects({known.var}, {expression})")
    build.note(f"{cam.said} frames {target.said}")


@step(
    "[<add>|<set>|show|use|load|render with] [the] {path:path} (as|for) [the|a] [camera] (background image|backplate|backdrop|background picture|background|camera background image|reference) [image] [of|for|on|in|to] [{cam:object of one}] ~( [«] {s:settings of CameraBackgroundImage} [»] )",
)
def backplate(build: Build, path: str, cam: Target | None, s: list[Set] | None) -> None:
    """A picture behind what a camera sees in the viewport."""
    if not re.search(r"[./\\]", path):
        raise refuse(path, "which file?")
    known = build.one(cam or CAMERA)
    build.need("expect")
    lens, var, plate = build.var("lens"), build.var("image"), build.var("plate")
    build.line(f"{lens} = expect({known.var}.data, bpy.types.Camera)\n{lens}.show_background_images = True")
    build.line(f"{var} = {loaded(build, path)}")
    build.line(f"{plate} = next((each for each in {lens}.background_images if each.image == {var}), None)")
    build.line(f"{plate} = {plate} or {lens}.background_images.new()\n{plate}.image = {var}")
    build.assign(plate, build.choose(s or [], (Place("", "CameraBackgroundImage"),), "the background image"))
    build.note(f"{path} behind the camera's view")


PANORAMAS: Final = {
    "fisheye": "FISHEYE_EQUIDISTANT", "fisheye equidistant": "FISHEYE_EQUIDISTANT", "equidistant fisheye": "FISHEYE_EQUIDISTANT",
    "fisheye equisolid": "FISHEYE_EQUISOLID", "equisolid fisheye": "FISHEYE_EQUISOLID", "equirectangular": "EQUIRECTANGULAR",
    "360 degrees": "EQUIRECTANGULAR", "mirror ball": "MIRRORBALL", "mirrorball": "MIRRORBALL",
}  # fmt: skip
"""Kinds of panoramic cameras."""
ROUND: Final = "|".join(f"{kind}{noun}" for kind in PANORAMAS for noun in (" lens", " panorama", ""))
WIDE: Final = (
    "~( lens ; projection ; [with] [a] (field of view|fov|angle of view|opening angle|angle) [of|=|:] {fov:angle} ; {fov:angle} [field of view|fov|wide|angle of view] ;"
    " [with] [a] (focal length|lens) [of|=|:] {mm:n} [mm] ; {mm:n} mm [lens|focal length] )"
)


@step(
    "[<set>|shift|move] [the] [camera] lens [shift] ~( {way=up|down|left|right|upwards|downwards|upward|downward} ; [by|of|to|:|=] {n:n} ; (of|on|for) {target:object of one} )",
    "(shift|move) [the] lens of {target:object of one} ~( {way=up|down|left|right|upwards|downwards|upward|downward} ; [by|of|to|:|=] {n:n} )",
)
def lens_shift(build: Build, target: Target | None, way: str | None, n: float | None) -> None:
    """Where the lens of a camera is shifted to, in parts of the sensor."""
    if way is None or n is None or n < 0:
        raise refuse("lens", "shifted where, and how far?")
    known = build.one(target or CAMERA)
    if known.type not in {"CAMERA", ""}:
        raise refuse(known.name, "no camera")
    build.need("expect")
    sign = -1.0 if way.startswith("down") or way == "left" else 1.0
    axis = "x" if way in {"left", "right"} else "y"
    build.line(f"expect({known.var}.data, bpy.types.Camera).shift_{axis} = {literal(clean(sign * n))}")
    build.note(f"lens shifted {way}")


@step(
    "(switch|set|change|make) {target:object} [to] [be] {kind=orthographic|perspective|panoramic} [[,|with|and] [orthographic] [scale] [of|=|to] {n:n}] [and (put|place|move) it (at|to) {v:vector}] [looking along {axis:axis}]",
    "(switch|set|change|make) {target:object} [to] [be] {kind=orthographic|ortho} ~( [orthographic|ortho] scale [of|=|to] {n:n} ; (at|to|placed at) {v:vector} ; looking along {axis:axis} ; (looking|pointing) [straight] {way=down} )",
    "{kind=orthographic|perspective|panoramic} {target:object} [[,|with] [orthographic] scale [of] {n:n}]",
    f"[switch|set|change|make|turn|give|use] {{target:object}} [to|into|be|gets|uses|has|with|:] [a] [panoramic|panorama] [with] [a] {{kind={ROUND}}} {WIDE}",
    f"{{kind={ROUND}}} [lens|projection|panorama] (for|on) {{target:object}} {WIDE}",
    f"{{kind={ROUND}}} {{target:object}} {WIDE}",
)
def projection(
    build: Build, target: Target, kind: str, n: float | None, v: Vec | None, axis: str | None, way: str | None, fov: Degrees | None, mm: float | None
) -> None:  # fmt: skip
    """How the camera projects."""
    known = build.one(target)
    if known.type not in {"CAMERA", ""} or (not known.type and "cam" not in build.request.lower()):
        raise refuse(target.said, "no camera")
    build.need("expect")
    var = build.var(f"{known.var}_data")
    panorama = PANORAMAS.get(kind.removesuffix(" panorama").removesuffix(" lens"), "")
    if panorama == "FISHEYE_EQUIDISTANT" and mm is not None:
        panorama = "FISHEYE_EQUISOLID"  # the one that has a focal length
    if (fov is not None and not panorama.startswith("FISHEYE")) or (mm is not None and panorama != "FISHEYE_EQUISOLID"):
        raise refuse(kind, "it has no such angle or lens")
    identifier = "PANO" if panorama else {"panoramic": "PANO", "perspective": "PERSP"}.get(kind, "ORTHO")
    build.line(f'{var} = expect({known.var}.data, bpy.types.Camera)\n{var}.type = "{identifier}"')
    if panorama:
        build.line(f'{var}.panorama_type = "{panorama}"')
    if fov is not None:
        build.line(f"{var}.fisheye_fov = {build.literal(fov)}")
    if mm is not None:
        build.line(f"{var}.fisheye_lens = {literal(float(mm))}")
    if n is not None:
        if not kind.startswith("ortho"):
            raise refuse(f"{n:g}", "only an orthographic camera has a scale")
        build.line(f"{var}.ortho_scale = {literal(float(n))}")
    if v is not None:
        set_vector(build, f"{known.var}.location", v, 0.0, target.said)
    axis = "-Z" if way else axis
    if axis is not None:
        look_along(build, known.var, axis)
    build.note(f"{kind} camera")


@step(
    "add [a|an] orthographic camera [<called> {name:name}] straight above [the] origin [,] {up:n} up and {wide:n} wide",
    "add [a|an] orthographic camera [<called> {name:name}] (at|straight above) {v:vector} [,] [{up:n} up] [with|and|,] [scale|ortho scale|orthographic scale] [of] [{wide:n}] [wide] [looking|pointing|that looks] [straight] [down]",
)
def ortho_camera(build: Build, name: str | None, v: Vec | None, up: float | None, wide: float | None) -> None:
    """An orthographic camera that looks straight down."""
    title = name or "Camera"
    build.comment("a camera that looks straight down")
    known = build.new_object(
        "camera",
        title,
        called=bool(name),
        type_="CAMERA",
        data="Camera",
        data_code=f"bpy.data.cameras.new({quoted(title)})",
    )
    x, y, z = (float(p or 0.0) for p in (v.parts if v else (0.0, 0.0, 0.0)))
    build.line(f"{known.var}.location = {literal((x, y, z + float(up or 0.0)))}")
    build.need("expect")
    build.line(f'lens = expect({known.var}.data, bpy.types.Camera)\nlens.type = "ORTHO"')
    if wide is not None:
        build.line(f"lens.ortho_scale = {literal(float(wide))}")
    build.note("orthographic camera")


WITHIN: Final = "[with|in|using|at] {s:settings of render} ; « {s:settings of render} »"
INTO: Final = "(to|into|as|under|in|and save it as|and save it to|and save it under|and write it to|and save to|and write|write|save|save as)"


@step(
    "[and] render [only] ~( [a|the] {size:resolution} ; (still|image|picture|still image|current frame|single frame|single image|test image|preview|it|current view|scene|view) [of this animation] ;"
    f" [of] [only] [the] frame {{f:int}} [only] ; [of] [only] [the] frames {{several:numbers}} [only] [of (this|the) animation] ; {WITHIN} ;"
    f" {INTO} [the] [png|jpeg|exr] [file|files] {{path:path}} {HERE} ; {INTO} [the] [png|jpeg|exr] [files] {{paths:paths}} {HERE} ; (in|into) [the] [current] [working|this] (directory|folder) )",
    f"(save|write|output) [only] [the] frame {{f:int}} ~( {WITHIN} ; {INTO} [the] [png|jpeg|exr] [file] {{path:path}} {HERE} )",
    f"(save|write) [a|the] (render|rendered image|picture|still|rendering|rendered picture) [of the scene] (to|into|as) [the] [file] {{path:path}} {HERE} ~( {WITHIN} )",
)
def render_still(
    build: Build, size: tuple[int, int] | None, s: list[Set] | None, f: int | None, several: list[float] | None,
    path: str | None, paths: list[str] | None,
) -> None:  # fmt: skip
    """Render a picture of the current frame, or of each of some frames, into files."""
    told = [value for each in s or [] for found, value in each.options if found.prop.name == "filepath"]
    found = paths or ([path] if path else told)
    numbers = [int(each) for each in several or ([] if f is None else [f])]
    if len(found) != max(len(numbers), 1) or (told and told != found):
        raise refuse("render", "into which file?")
    extensions = {each.rsplit(".", 1)[-1].lower() for each in found}
    if len(extensions) > 1 or not extensions <= PICTURES.keys() or "#" in found[0]:
        raise refuse(found[0], "no picture")
    sets = [each for each in s or [] if not any(option.prop.name == "filepath" for option, _ in each.options)]
    scene = build.scene()
    write_format(build, PICTURES[extensions.pop()])
    if sets:
        set_scene(build, sets)
    build.comment("render a picture")
    if size:
        set_resolution(build, size, 1.0)
    if numbers:
        build.line(f"shown = {scene}.frame_current")
    if len(found) > 1:
        with build.block(f"for frame, path in zip({literal(tuple(numbers))}, {literal(tuple(found))}, strict=True):"):
            write_picture(build, "path", "frame", local=found[0].startswith("//"))
    else:
        write_picture(build, quoted(found[0]), str(numbers[0]) if numbers else "", local=found[0].startswith("//"))
    if numbers:
        build.line(f"{scene}.frame_set(shown)")
    build.memory["_pictures"] = found
    build.note(f"render to {', '.join(found)}")


@slot("shots")
def shots_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[tuple[str, Target]]]]:
    """Pictures, each with the camera that takes it: "front.png through Cam_Front", "from Cam_Top to top.png"."""

    def one(place: int) -> tuple[int, tuple[str, Target]] | None:
        first = skip(reading, place, {"one", "the", "as", "to", "into"})
        for end, path in read_path(reading, first, {}, ""):
            if reading.word(end) in VIA and "." in path:
                for last, cam in one_target(reading, skip(reading, end + 1, {"the"})):
                    return last, (path, cam)
        start = first + (reading.word(first) in VIA)
        for end, cam in one_target(reading, start) if start > first else ():
            if reading.word(end) in {"to", "into", "as"} or reading.mark(end) in {":", ","}:
                for last, path in read_path(reading, skip(reading, end + 1, {"the", "file"}), {}, ""):
                    if "." in path:
                        return last, (path, cam)
        return None

    yield from listed(reading, at, one, 1)


VIA: Final = frozenset({"through", "from", "with", "via", "by", "using"})


@step(
    "[and] (render|take|make|shoot|save|write) ~( [{n:int}|a|these] [small|quick|little|test] {sets:settings of render}"
    " (stills|images|pictures|renders|still|picture|image|shots) ; [{n:int}|a|these] [small|quick|little|test]"
    " (stills|images|pictures|renders|still|picture|image|shots) ; [the] scene ; "
    + WITHIN
    + " ; [:] {shots:shots} ; [both|all|each] (in|into) [the] [current] [working|this] (directory|folder) )",
)
def render_through(
    build: Build, shots: list[tuple[str, Target]] | None, s: list[Set] | None, sets: list[Set] | None, n: int | None
) -> None:
    """Render a picture through each of some cameras, into a file of its own."""
    if not shots or (n is not None and n != len(shots)):
        raise refuse("render", "which pictures, through which cameras?")
    scene = build.scene()
    extensions = {path.rsplit(".", 1)[-1].lower() for path, _ in shots}
    if len(extensions) > 1 or not extensions <= PICTURES.keys() or len({path for path, _ in shots}) < len(shots):
        raise refuse(shots[0][0], "as many pictures of one format were expected")
    cameras = [build.one(cam) for _, cam in shots]
    for known, (_, cam) in zip(cameras, shots, strict=True):
        if known.type not in {"CAMERA", ""}:
            raise refuse(cam.said, "no camera")
    write_format(build, PICTURES[extensions.pop()])
    if [*(sets or []), *(s or [])]:
        set_scene(build, [*(sets or []), *(s or [])])
    if any(o.prop.name == "resolution_x" for each in [*(sets or []), *(s or [])] for o, _ in each.options):
        build.line(f"{scene}.render.resolution_percentage = 100")
    build.comment("render through each camera")
    build.line(f"before = {scene}.camera")
    for known, (path, _) in zip(cameras, shots, strict=True):
        build.line(f"{scene}.camera = {known.var}")
        write_picture(build, quoted(path), "", local=path.startswith("//"))
    build.line(f"{scene}.camera = before")
    build.memory["_pictures"] = [path for path, _ in shots]
    build.note(f"render through {len(shots)} cameras")


def write_picture(build: Build, path: str, frame: str, *, local: bool) -> None:
    """Render a frame into a file; `local` paths begin with "//" and are Blender's own."""
    scene = build.scene()
    if frame:
        build.line(f"{scene}.frame_set({frame})")
    if not local:
        build.imports("pathlib: Path")
    build.line(f"{scene}.render.filepath = {path if local else f'str(Path.cwd() / {path})'}")
    build.line("bpy.ops.render.render(write_still=True)")


@step(
    "(go|come|jump|switch) back to [the] frame (we|it|i|that) (were|was|had) [on|at] [before]",
    "(put|save|write|store) (them|it) [in|into|to|under] [the] [current] [working] directory",
    "no other (frame|frames) [is|are] [rendered]",
)
def as_rendered(build: Build) -> None:
    """What holds for pictures as they are rendered here: by their own paths, of no other frames, the frame kept."""
    if any(each.startswith("/") for each in build.memory.get("_pictures", ["/"])):
        raise refuse("", "of what was rendered?")


@step(
    "[and] render [out] [all|every|the] [whole] (animation|sequence|frame range|frames|frame) ~( [frames] {r:frames} [of the animation] ; "
    + WITHIN
    + " )",
    f"[and] (render|rerender|bring out) [out] [only] [the] frames {{r:frames}} [of the animation] ~( {WITHIN} )",
)
def render_frames(build: Build, s: list[Set] | None, r: tuple[int, int] | None) -> None:
    """Render a picture for each frame."""
    sets = list(s or [])
    for name_, value in zip(("frame_start", "frame_end"), r or (), strict=False):
        sets.append(Set(((Setting(Place("", "Scene"), build.lexicon.property("Scene", name_)), value),), "frames"))
    if not any(found.prop.name == "filepath" for each in sets for found, _ in each.options):
        raise refuse("render", "into which folder?")
    chosen = {found.prop.name: value for each in sets for found, value in each.options}
    container = CONTAINERS.get(str(chosen["filepath"]).rpartition(".")[2].lower())
    for name_, wanted in (("format", container), ("codec", "H264")) if container is not None else ():
        if name_ not in chosen:
            sets.append(setting(build, "render.ffmpeg", "FFmpegSettings", name_, wanted))
    set_scene(build, sets)
    build.line("bpy.ops.render.render(animation=True)")
    build.note("render every frame")


CONTAINERS: Final = {"mp4": "MPEG4", "mkv": "MKV", "mov": "QUICKTIME"}
"""What video a file is by its extension, where H.264 may be in it."""


@slot("paths")
def paths_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[str]]]:
    """Several files: "a.png, b.png and c.png"."""
    yield from listed(reading, at, lambda place: next(read_path(reading, place, {}, ""), None))


BORDER: Final = "(render region|border region|render border|border|region)"
CROPPED: Final = f"~( (with|using|by|via|as) [a] {BORDER} ; {{crop=crop|cropped|cropping}} [(the|to the) (image|picture|render|frame)] [to it|it|to {BORDER}] )"
HALF_OF_IT: Final = "{side=left|right|upper|lower|top|bottom|middle|central} half [of the (frame|image|picture)]"


@step(
    "(save|write|output|render|store|export) [the] [output|renders|render|picture|pictures|frames|images|image|result|stills|animation|video|files] [as|in|to|into|under|:] [a|an] {s:settings of render}",
    "[<set>] [the] [render] (output|output path|output folder|output file|file output|output format|file format|image format|renders|out|result|results|pictures|frames) [settings] [to|:|=|is|as|in|into|,] [a|an] {s:settings of render}",
    f"[<set>] [the] {BORDER} [on|to|:|of|=|is] [from] {{v:vector}} (to|-|and) {{to:vector}} {CROPPED}",
    f"[render] only [the] (region|part|area) [from|between] {{v:vector}} (to|-|and) {{to:vector}} {CROPPED}",
    f"[render|<set>] [only] [the] ({BORDER}|part|area) [on|to|:|of|=|is] {{edges:edges}} {CROPPED}",
    f"([<set>] [the] {BORDER} [on|to|:|of|=|is] [only]|[only|just] render [only|just]) [the] {HALF_OF_IT} {CROPPED}",
)
def output(
    build: Build, s: list[Set] | None, side: str | None, crop: str | None, v: Vec | None, to: Vec | None, edges: Edges | None
) -> None:  # fmt: skip
    """Where renders go, and in which format; the part of the picture that is rendered."""
    if re.search(r"file output\b.*\bpass", build.request, re.IGNORECASE):
        raise refuse("file output", "the node of the compositor?")
    not_at_once(build, s or [])
    if v is not None and to is not None and (len(v.parts) != 2 or len(to.parts) != 2):
        raise refuse("region", "two corners of the picture were expected, each with x and y from 0 to 1")
    if v is not None and to is not None:
        edges = (v.parts[0], to.parts[0], v.parts[1], to.parts[1])
    edges = HALVES.get(side, (0.25, 0.75, 0.25, 0.75)) if side else edges
    if edges is not None:
        names = ("border_min_x", "border_max_x", "border_min_y", "border_max_y")
        s = [setting(build, "render", "RenderSettings", *each) for each in zip(names, edges, strict=True)]
        s += [setting(build, "render", "RenderSettings", "use_crop_to_border", True)] if crop else []
    set_scene(build, s or [])


Edges = tuple[float | None, float | None, float | None, float | None]
"""From where to where a part of the picture goes, in x and in y, from 0 to 1."""
HALVES: Final[dict[str, Edges]] = {
    "left": (0.0, 0.5, 0.0, 1.0), "right": (0.5, 1.0, 0.0, 1.0), "upper": (0.0, 1.0, 0.5, 1.0), "top": (0.0, 1.0, 0.5, 1.0),
    "lower": (0.0, 1.0, 0.0, 0.5), "bottom": (0.0, 1.0, 0.0, 0.5),
}  # fmt: skip


@slot("edges")
def edges_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Edges]]:
    """ "x 25%-75%, y 25%-75%", "from 0.25 to 0.75 in x and 0.1 to 0.9 in y"."""
    found: dict[str, tuple[float, float]] = {}
    place = at
    while (read := next(iter(one_span(reading, place)), None)) is not None and read[1] not in found:
        place, found[read[1]] = read[0], read[2]
        if {"x", "y"} == found.keys():
            yield place, (*found["x"], *found["y"])
        place += reading.mark(place) == ","
        place = skip(reading, place, {"and"})


def one_span(reading: Reading, at: int) -> Iterator[tuple[int, str, tuple[float, float]]]:
    """ "x 25 % to 75 %", "0.25 to 0.75 in x": an axis, and from where to where."""
    ahead = next(axis(reading, at, {}, ""), (at, ""))
    for middle, low in quantity(reading, skip(reading, ahead[0], {"from", "between", "is"}), {}, "share"):
        joined = reading.word(middle) in {"to", "and", "until"} or reading.mark(middle) == "-"
        for end, high in quantity(reading, middle + joined, {}, "share"):
            if not joined and high.number >= 0:
                continue  # "25%-75%": a sign was read
            given = replace(low, unit=low.unit or high.unit).value, abs(high.value)
            behind = (
                next(axis(reading, skip(reading, end, {"in", "on", "along"}), {}, ""), None) if not ahead[1] else None
            )
            if 0 <= given[0] < given[1] <= 1 and (ahead[1] or behind):
                yield (behind or (end, ""))[0], (ahead[1] or (behind or (0, ""))[1]).lower(), given


PICTURES: Final = {
    "png": "PNG", "jpg": "JPEG", "jpeg": "JPEG", "exr": "OPEN_EXR", "openexr": "OPEN_EXR", "tif": "TIFF", "tiff": "TIFF", "bmp": "BMP", "webp": "WEBP",
}  # fmt: skip
"""The identifiers of formats by their names and extensions."""


def write_format(build: Build, item: str) -> None:
    """The format of pictures; Blender 5.0 asks first whether it is one of several layers."""
    set_ = setting(build, "render.image_settings", "ImageFormatSettings", "file_format", item)
    media(build, set_.options)
    build.line(f'{build.scene()}.render.image_settings.file_format = "{item}"')


@step(
    "(go|jump|move) to frame {n:int}",
    "set [the] frame [to|=] {n:int}",
    "(set|put|park|leave|place|move) [the] (playhead|time cursor) (to|at|on) [frame] {n:int} [when (you are|it is|that is) done]",
)
def go_to_frame(build: Build, n: int) -> None:
    """The frame that is shown."""
    build.line(f"{build.scene()}.frame_set({n})")
    build.note(f"frame {n}")


@slot("rays")
def rays(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[str]]]:
    """Kinds of rays to which an object is visible: "the camera", "reflections and shadows"."""
    for end, found in listed(reading, at, lambda place: RAYS.first(reading.tokens, skip(reading, place, {"the"})), 1):
        yield skip(reading, end, {"ray", "rays"}), found


RAYS: Final = Phrases[str]([
    ("camera", "visible_camera"), ("scene camera", "visible_camera"), ("diffuse", "visible_diffuse"), ("glossy", "visible_glossy"),
    ("reflection", "visible_glossy"), ("mirror", "visible_glossy"), ("transmission", "visible_transmission"), ("refraction", "visible_transmission"),
    ("volume scatter", "visible_volume_scatter"), ("volume", "visible_volume_scatter"), ("shadow", "visible_shadow"), ("viewport", "hide_viewport"),
    ("render", "hide_render"), ("final render", "hide_render"), ("rendering", "hide_render"),
])  # fmt: skip


SEEN: Final = "(visible|seen|shown|present|showing)"
UNSEEN: Final = "(invisible|hidden|not visible|not seen|unseen|excluded|not shown|not be seen|not be visible|not show up|not appear)"

SHOWS: Final = "(appear in|appears in|show up in|shows up in|show in|make|makes|cast|casts|be seen in|be visible in)"
STAYING: Final = f"([but] [it] [should] (but|still|keep it|leave it|stays|remains|{SEEN}) [{SEEN}] [still] (to|in|for|{SHOWS})|[but] [it] [should] [still] {SHOWS}|[but] (keep|keeps|keeping|leave) [its]) {{on:rays}}"


@step(
    f"(hide|exclude|keep|make|set|let) {{target:object}} ({UNSEEN}|out|away|hidden) (to|from|for|in|of|by) {{off:rays}} [only] ~( {STAYING} )",
    f"{{target:object}} [is|are|should|be|must|to|should be|must be] {UNSEEN} (to|from|in|for|by) {{off:rays}} [only] ~( {STAYING} )",
    f"[make|set|let] {{target:object}} [is|are|should be|must be|be] {{only=only}} {SEEN} (to|in|for|by) {{on:rays}}",
    f"(hide|exclude|omit|leave out|keep out) {{target:object}} (from|of|in|to) {{off:rays}} [only] ~( {STAYING} )",
    "(leave|keep) {target:object} out (from|of) {off:rays}",
    "{target:object} (with|has|have|shall have) no {off:rays}",
    f"{{target:object}} {NOT_CAST} [a] {{off:rays}}",
    "(no|disable|turn off|switch off|without) {off:rays} (from|of|for|on) {target:object}",
    "(disable|turn off|switch off) {target:object} ['s] {off:rays} [casting]",
    "{target:object} [:|is|are|should|must|shall|does|do|to|should be|must be] {no=not render|not be rendered|not rendered|never render|never rendered|unrendered}",
    "[is|should|must|should be|must be] {no=not render|not be rendered|not rendered|never rendered|unrendered}",
)
def visible_to(
    build: Build, target: Target | None, off: list[str] | None, on: list[str] | None, only: str | None, no: str | None = None
) -> None:  # fmt: skip
    """To which rays objects are visible; of a light, whether it casts shadows."""
    if target is None and (build.it is None or build.topic is not None):
        raise refuse(no or "", "what is not rendered?")
    target = target or Target("it", said="it")
    if target.said.lower().startswith("the emitter"):
        raise refuse(target.said, "hidden in renders it would emit nothing")
    states = dict.fromkeys(off or (["hide_render"] if no else []), False) | dict.fromkeys(on or [], True)
    if only:
        states = {name_: name_ in states for name_ in sorted(set(RAYS.meanings())) if name_.startswith("visible")}
    with build.each(target) as known:
        if known.type == "LIGHT" and list(states) == ["visible_shadow"]:
            build.need("expect")
            build.line(f"expect({known.var}.data, bpy.types.Light).use_shadow = {states['visible_shadow']}")
        elif not known.type and target.how != "all" and list(states) == ["visible_shadow"]:
            with build.block(f"if isinstance({known.var}.data, bpy.types.Light):"):
                build.line(f"{known.var}.data.use_shadow = {states['visible_shadow']}")
            with build.block("else:"):
                build.line(f"{known.var}.visible_shadow = {states['visible_shadow']}")
        else:
            build.line(
                "\n".join(
                    f"{known.var}.{name_} = {state != name_.startswith('hide')}" for name_, state in states.items()
                )
            )
    seen = ", ".join(f"{name_.partition('_')[2]} {'shown' if state else 'hidden'}" for name_, state in states.items())
    build.note(f"{target.said} -> {seen}")


@slot("display")
def display(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """How the viewport draws an object: "wireframe", "bounds", "solid"."""
    yield from items_of(reading, at, reading.lexicon.property("Object", "display_type"))


@step(
    "(display|show|draw|set) {target:object} (as|in|to) [a] {how:display} [only] [display|mode|drawing] [in [the] viewport]",
    "(set|change) [viewport] display [type] of {target:object} to {how:display}",
    "{how:display} (display|drawing|view|mode) (for|of|on) {target:object} [in [the] viewport]",
)
def display_as(build: Build, target: Target, how: str) -> None:
    """How the viewport draws objects."""
    with build.each(target) as known:
        build.line(f'{known.var}.display_type = "{how}"')
    build.note(f"{target.said} -> drawn as {how}")


DOF_OF: Final = "~( (on|for|of) {cam:object} ; [:] {s:settings of CameraDOFSettings} )"


@step(
    f"[turn on|enable|use|add] (depth of field|dof) {DOF_OF}",
    "(turn off|disable|no) {off=depth of field|dof} [on|for] [{cam:object}]",
    "(depth of field|dof) [wide open] [at|with] {s:settings of CameraDOFSettings}",
    f"[<add>] [a|an] {{blades:int}} (bladed|blade|sided) (bokeh|aperture) {DOF_OF}",
    "(focus) {cam:object} on {goal:object of one} [[,|with|and|at] {s:settings of CameraDOFSettings}]",
)
def depth_of_field(
    build: Build, cam: Target | None, s: list[Set] | None, off: str | None, goal: Target | None, blades: int | None
) -> None:  # fmt: skip
    """Depth of field of a camera."""
    known = build.one(cam or (None if getattr(build.it, "type", "") == "CAMERA" else CAMERA))
    wanted = build.one(goal) if goal else None
    build.need("expect")
    build.line(
        f"lens = expect({known.var}.data, bpy.types.Camera)\nfocus = expect(lens.dof, bpy.types.CameraDOFSettings)\nfocus.use_dof = {not off}"
    )
    if wanted:
        build.line(f"focus.focus_object = {wanted.var}")
    if blades is not None:
        build.line(f"focus.aperture_blades = {blades}")
    if s:
        build.assign("focus", build.choose(s, (Place("", "CameraDOFSettings"),), "depth of field"))
    build.it = known
    build.note("depth of field")


@slot("rig")
def rig(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[tuple[str, list[Detail]]]]]:
    """Lights by name, each with what is said of it: "key 1000 W at (4, -4, 5), fill 300 W at (-4, -4, 3)"."""
    ways: list[tuple[int, list[tuple[str, list[Detail]]]]] = [(at, [])]
    while ways:
        place, found = ways.pop(0)
        while reading.mark(place) in {",", ";"} or reading.word(place) in {"and", "a", "the", "one"}:
            place += 1
        token = reading.tokens[place] if place < len(reading.tokens) else None
        if (
            token is None
            or token.kind not in {"word", "quoted"}
            or token.word in VERBS | NO_NAMES | OBJECT_KINDS.keys()
            or len(found) >= 8
        ):
            continue
        after = skip(reading, place + 1, {"light", "lights"})
        after += reading.mark(after) in {":", "="}
        every = details_after(reading, after, "area light")
        # The longest without a name: that would be of the next one.
        end, details = next(each for each in every if not any(one.what == "name" for one in each[1]))
        if details:
            both = [*found, (token.text if token.kind == "quoted" else token.text.title(), details)]
            if len(both) > 1:
                yield end, both
            ways.append((end, both))


@step(
    "[<add>] [{n:int}] [{kind=area|spot|point|sun}] lights [around [the] (origin|object|scene|subject)|in the scene] [:|,|-|«] {lights:rig} ~( » ; (all|each) [of them] [{kind=area|spot|point|sun}] [lights] ; [.] [all|they|each] [of them] (aimed|pointed|pointing|looking|facing|aim|point) [them] at ({goal:object of one}|[the] [world|scene] {centre=origin|center}) )",
)
def light_rig(
    build: Build, lights: list[tuple[str, list[Detail]]], n: int | None, kind: str | None, goal: Target | None, centre: str | None
) -> None:  # fmt: skip
    """Lights by name, each with its place and power."""
    if n is not None and n != len(lights):
        raise refuse(str(n), f"{len(lights)} lights are described")
    wanted = build.one(goal) if goal is not None else None
    made: list[Known] = []
    for title, details in lights:
        own = [d.value for d in details if d.what == "kind"]
        if len(own) > 1 or (own and kind):
            raise refuse(title, "of which kind?")
        rest = [d for d in details if d.what != "kind"]
        noun = f"{own[0] if own else kind or 'area'} light"
        known = write_thing(build, Thing(noun, 1, (Detail("name", title, ""), *rest), title))
        if centre is not None:
            build.need("aim")
            build.imports("mathutils: Vector")
            build.line(f"aim({known.var}, Vector((0.0, 0.0, 0.0)))")
        if wanted is not None:
            build.need("aim")
            build.line(f"aim({known.var}, {wanted.var}.matrix_world.translation)")
        made.append(known)
    build.it = Many(f"({', '.join(each.var for each in made)})", "LIGHT", made)
    build.note(f"{len(made)} lights")


@step(
    "[<add>] {what:thing} ~( <called> {names:names} ; <called> {numbered:pattern} ; {energies:numbers} (watts|watt|w) ;"
    " (at|on) {places:places} ; [all] (aimed|pointed|pointing|looking|facing) at {goal:object of one} )",
)
def several_things(
    build: Build, what: Thing, names: list[str] | None, numbered: tuple[str, int, int] | None,
    energies: list[float] | None, places: list[Vec] | None, goal: Target | None,
) -> None:  # fmt: skip
    """Several things of a kind, each with its place, and perhaps its name and power."""
    if places is None or not what.count == len(places) > 1:
        raise refuse(what.said, "as many places as things were expected")
    if numbered is not None:
        stem, digits, first = numbered
        names = [f"{stem}{number:0{digits}}" for number in range(first, first + what.count)]
    if len(names or places) != what.count or len(energies or places) != what.count:
        raise refuse(what.said, "as many names and powers as things were expected")
    made: list[Known] = []
    wanted = build.one(goal) if goal is not None else None
    for index, place in enumerate(places):
        details = [*what.details, Detail("location", place, "")]
        if names is not None:
            details.append(Detail("name", names[index], ""))
        if energies is not None:
            details.append(Detail("energy", float(energies[index]), ""))
        known = write_thing(build, Thing(what.noun, 1, tuple(details), what.said))
        if wanted is not None:
            build.need("aim")
            build.line(f"aim({known.var}, {wanted.var}.matrix_world.translation)")
        made.append(known)
    build.it = Many(f"({', '.join(each.var for each in made)})", made[0].type, made)
    build.note(f"{what.said}: {what.count} at their places")


def listed(
    reading: Reading, at: int, one: Callable[[int], tuple[int, One] | None], least: int = 2
) -> Iterator[tuple[int, list[One]]]:
    """So many or more of something, with commas, "and" or "or" between them."""
    yield from in_a_row(reading, at, one, least, words={"and", "or"}, joined=True)


@slot("names")
def names_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[str]]]:
    """Several names: "Key, Fill and Back"."""
    yield from listed(reading, at, lambda place: next(name(reading, place, {}, "bare"), None))


@slot("numbers")
def numbers_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[float]]]:
    """Several numbers: "800, 300 and 500"."""
    yield from listed(reading, at, lambda place: next(number(reading, place), None))


@slot("places")
def places_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[Vec]]]:
    """Several places: "(1, 0, 0), (2, 0, 0) and (3, 0, 0)", "x = 4 and x = 8"."""

    def one(place: int) -> tuple[int, Vec] | None:
        if reading.mark(place) in {"(", "["}:
            return next(((end, v) for end, v in vector(reading, place, {}, "") if v.whole), None)
        single = next(one_axis(reading, place), None)
        if single is None:
            return None
        end, index, value = single
        return end, Vec(tuple(value.value if k == index else None for k in range(3)), value.unit)

    yield from listed(reading, at, one)
