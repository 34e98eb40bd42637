"""Rendering: engine, resolution, output, world, lights, cameras, passes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from app.drafting.composer.build import Build, Known, Many
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Place
from app.drafting.composer.patterns import Env, Reading, slot
from app.drafting.composer.slots import (
    Set,
    Target,
    name,
    number,
    one_axis,
    places_of,
    quantity,
    skip,
    vector,
    whole_number,
)
from app.drafting.composer.steps.modifiers import Topic
from app.drafting.composer.steps.objects import Detail, Thing, look_along, write_thing
from app.drafting.composer.values import Color, Quantity, Vec, literal, quoted, refuse
from ingest.manifest import NodeType


@slot("passes")
def passes(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[Set]]]:
    """ "the mist and z pass": several names before the word."""
    table = places_of(reading, env, "ViewLayer")
    if table is None:
        return
    found: list[Set] = []
    place = skip(reading, at, {"the", "render", "its"})
    while True:
        start = place
        read = None
        for end, settings in table.named.matches(reading.tokens, place):
            chosen = [each for each in settings if each.prop.name.startswith("use_pass")]
            if chosen:
                read = end, chosen
                break
        if read is None:
            return
        place = read[0]
        found.append(Set(tuple((each, True) for each in read[1]), reading.said(start, place)))
        if reading.word(place) in {"pass", "passes"}:
            place += 1
            yield place, list(found)
            if reading.word(place) not in {"plus", "and"}:
                return
        elif any(reading.word(each) in {"pass", "passes"} for each in range(at, place)):
            yield place, list(found)
        while reading.mark(place) == "," or reading.word(place) in {"and", "the", "plus"}:
            place += 1


@slot("resolution")
def resolution(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[int, int]]]:
    """ "1920x1080", "640 by 480", "1920 x 1080", "full HD", "4k"."""
    known = {
        ("4", "k"): (3840, 2160),
        ("4", "k", "uhd"): (3840, 2160),
        ("2", "k"): (2048, 1080),
        ("full", "hd"): (1920, 1080),
        ("uhd",): (3840, 2160),
        ("hd",): (1280, 720),
        ("1080", "p"): (1920, 1080),
        ("720", "p"): (1280, 720),
    }
    for words, size in known.items():
        if (
            tuple(
                reading.word(at + k) or (reading.tokens[at + k].text if at + k < len(reading.tokens) else "")
                for k in range(len(words))
            )
            == words
        ):
            yield at + len(words), size
    for middle, width in whole_number(reading, at, {}, ""):
        if reading.word(middle) in {"x", "by"}:
            for end, height in whole_number(reading, middle + 1, {}, ""):
                if width >= 4 and height >= 4:
                    yield skip(reading, end, {"px", "pixel", "pixels"}), (width, height)


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
    "[render] [<set>] [the] [render|image|output|final] [resolution|size|dimensions] [at|to|in|of|:|=|is] {size:resolution} [resolution] ~( {share:share} [resolution] [scale|size] )",
    "[render] [<set>] [the] [render|image|output] resolution [to|:|=|is] {size:resolution} (at|,|and) {s:settings of render}",
)
def set_resolution(build: Build, size: tuple[int, int], share: float | None, s: list[Set] | None) -> None:
    """The size of the picture."""
    scene = build.scene()
    build.line(f"{scene}.render.resolution_x = {size[0]}\n{scene}.render.resolution_y = {size[1]}")
    if share is not None:
        if not 0.01 <= share <= 10:
            raise refuse(f"{share:g}", "no share of the resolution")
        build.line(f"{scene}.render.resolution_percentage = {round(share * 100)}")
    if s:
        from app.drafting.composer.steps.properties import set_render

        set_render(build, s)
    build.note(f"resolution {size[0]} x {size[1]}")


@step(
    "[<set>] [the] [render|rendering] [engine] [to|=|:|is|with|in] {engine=cycles|eevee|workbench} [as] [the] [render] [engine] [[,] (with|and|,|at|using) {s:settings of render}]",
    "(use|render with|render in|switch to|render using) {engine=cycles|eevee|workbench} [[,] (with|and|,|at|using) {s:settings of render}]",
)
def set_engine(build: Build, engine: str, s: list[Set] | None) -> None:
    """The render engine."""
    known = build.lexicon.manifest.identifiers["engines"]
    identifier = next((name for name in known if engine.upper() in name), "BLENDER_EEVEE")
    build.line(f'{build.scene()}.render.engine = "{identifier}"')
    build.memory["_engine"] = engine
    if s:
        from app.drafting.composer.steps.properties import set_render

        # "samples" are those of the engine that was just chosen
        wanted = "CyclesRenderSettings" if engine == "cycles" else "SceneEEVEE"
        narrowed = [
            replace(each, options=tuple(o for o in each.options if o[0].place.type == wanted) or each.options)
            for each in s
        ]
        set_render(build, narrowed)
    build.note(f"engine {identifier}")


@step(
    "[<set>] [the] transparent background (for|in|on) [the] (renders|render|film) [[,|and] [save] [as|to] png with alpha]",
    "(make|render) [the] [film|background] transparent [background] [for|in] [renders|the render] [[,|and] [save] [as|to] png with alpha]",
    "render with [a] transparent background [[,|and] [save] [as|to] png with alpha]",
    "(png|save as png|output png|png output) with alpha [channel]",
    "(switch|set|turn) [the] film to transparent {off=off|on}",
    "(switch|turn) {off=off|on} [the] (film transparent|transparent film|film transparency)",
    "(switch|set|turn) [the] film [to] transparent {off=off|on}",
)
def transparent(build: Build, off: str | None) -> None:
    """A transparent film, and pictures that can hold it."""
    scene = build.scene()
    build.line(f"{scene}.render.film_transparent = {off != 'off'}")
    if off != "off":
        build.line(
            f'{scene}.render.image_settings.file_format = "PNG"\n{scene}.render.image_settings.color_mode = "RGBA"'
        )
    build.note("transparent film")


@step(
    "[<set>] [the] world [background] [color] [<to>|:] {hue:color} [[,|and|with|at|«] [a] strength [of|to|=|:] {n:n}]",
    "[<set>] [the] world [background] [color] [<to>|:] ({hue:color}) [[,|and|with] [a] strength [of|to] {n:n}]",
    "(make|set|paint|turn) [the] (world|background|sky) [background|color] [to] {hue:color} [[,|and|with] [a] strength [of|to] {n:n}]",
    "[set] [the] background [color] (to|:) {hue:color} [[,|and|with] [a] strength [of|to] {n:n}]",
    "[a] {hue:color} (world|background|sky) [background] [[,|and|with] [a] strength [of|to] {n:n}]",
    "[<set>] [the] (world|background) [background] strength [<to>|:] {n:n}",
    "[<set>] [the] strength of [the] (world|background) [background] [<to>] {n:n}",
)
def world_color(build: Build, hue: Color | None, n: float | None) -> None:
    """The color and the strength of the world."""
    background = background_var(build)
    if hue is not None:
        build.line(f'set_input({background}, "Color", {literal((*hue.rgb, 1.0))})')
    if n is not None:
        if n < 0:
            raise refuse(f"{n:g}", "no strength")
        build.line(f'set_input({background}, "Strength", {literal(float(n))})')
    build.topic = Topic(background, (Place("", "ShaderNodeBackground"),), "background")
    build.note("world background")


def background_var(build: Build) -> str:
    """The variable of the world's Background node."""
    found: str | None = build.memory.get("_background")
    if found is None:
        build.need("world_tree", "background_of", "set_input")
        build.comment("the world's background")
        tree = build.var("world_nodes")
        found = build.var("background")
        build.line(f"{tree} = world_tree()\n{found} = background_of({tree})")
        build.memory["_background"] = found
        build.memory["_world_tree"] = tree
    return found


@step(
    "[let|make] [the] mist [should] (start|starts|begin|begins) at {a:n} [m] [and|,] [should] [it] (reach|reaches|extend|extends|go|goes|be|is|depth|has a depth of) [of] {b:n} [m] [further|deep|farther] [with] [a] [{how=linear|quadratic|inverse quadratic}] [falloff]",
    "(mist|world mist) [:|,] [from|start] {a:n} [,|and] depth [of] {b:n} [,] [{how=linear|quadratic|inverse quadratic}] [falloff]",
)
def mist(build: Build, a: float, b: float, how: str | None) -> None:
    """Where the mist of the world begins, and how deep it is."""
    build.need("expect")
    build.line(f"world = expect({build.scene()}.world, bpy.types.World)")
    build.line(f"world.mist_settings.start = {literal(float(a))}\nworld.mist_settings.depth = {literal(float(b))}")
    if how:
        build.line(f'world.mist_settings.falloff = "{how.upper().replace(" ", "_")}"')
    build.note("mist")


@step("(rename|call|name) [the] [current|active] view layer [to|into|as] {name:name}")
def name_view_layer(build: Build, name: str) -> None:
    """The name of the open view layer."""
    build.line(f"{build.view_layer()}.name = {quoted(name)}")
    build.note(f'view layer "{name}"')


@step(
    "(use|add|set|make|put) [a|an] {node:node of ShaderNodeTree} [texture] (as|for|to|in) [the] world [background] [« node setup »] [with|and|,] [strength {n:n}]",
    "[<set>] [the] world [background] [to] [a|an] {node:node of ShaderNodeTree} [texture] [with|and|,] [strength {n:n}]",
)
def world_texture(build: Build, node: NodeType, n: float | None) -> None:
    """A texture as the world's background."""
    if "Tex" not in node.identifier:
        raise refuse(node.label, "no texture")
    background = background_var(build)
    tree = build.memory["_world_tree"]
    from app.drafting.composer.steps.materials import add_node

    var = add_node(build, tree, node, (-300.0, 0.0))
    build.line(f'{tree}.links.new({var}.outputs[0], {background}.inputs["Color"])')
    if n is not None:
        build.line(f'set_input({background}, "Strength", {literal(float(n))})')
    build.note(f"{node.label} as the background")


@step(
    "(make|turn|change|convert) {target:object} [to|into] [a|an] [{w:n}] {kind=point|sun|spot|area} [light] [,|with|and] [{s:settings of kindlight}]",
    "(change|set) [the] type of {target:object} to {kind=point|sun|spot|area} [light]",
    "(make|turn|change) {target:object} [to|into] [a|an] {q:quantity of power} {kind=point|sun|spot|area} [light] [of|,|with|and] [{s:settings of kindlight}]",
)
def light_type(build: Build, target: Target, kind: str, w: float | None, s: list[Set] | None, q: object | None) -> None:
    """Change the type of a light, with its settings."""
    known = build.one(target)
    if known.type not in {"LIGHT", ""}:
        raise refuse(target.said, "no light")
    build.need("expect")
    data_type = {"point": "PointLight", "sun": "SunLight", "spot": "SpotLight", "area": "AreaLight"}[kind]
    build.line(f'expect({known.var}.data, bpy.types.Light).type = "{kind.upper()}"')
    known.type, known.data, known.kind = "LIGHT", data_type, f"{kind} light"
    var = build.var(f"{known.var}_data")
    build.line(f"{var} = expect({known.var}.data, bpy.types.{data_type})")
    energy = w if w is not None else getattr(q, "value", None)
    if energy is not None:
        build.line(f"{var}.energy = {literal(float(energy))}")
    if s:
        build.assign(var, build.choose(s, build.lexicon.places(data_type), f"a {kind} light"))
    build.note(f"{target.said} -> {kind} light")


@step(
    "(use|make|set) {target:object} [be|as|the] [the] (active|scene|render) camera",
    "[and] (make|set) (it|this) [as|to be] [the] (active|scene|render|active scene) camera",
    "(set|make) [the] (active|scene) camera [to] {target:object}",
    "(render|look) (through|from) {target:object}",
)
def active_camera(build: Build, target: Target | None) -> None:
    """The camera that renders."""
    known = build.one(target)
    if known.type not in {"CAMERA", ""}:
        raise refuse(target.said if target else "it", "no camera")
    build.line(f"{build.scene()}.camera = {known.var}")
    build.note("scene camera")


@step(
    "(switch|set|change|make) {target:object} [to] [be] {kind=orthographic|perspective|panoramic} [[,|with|and] [orthographic] [scale] [of|=|to] {n:n}] [and (put|place|move) it (at|to) {v:vector}] [looking along {axis:axis}]",
    "{kind=orthographic|perspective} {target:object} [[,|with] [orthographic] scale [of] {n:n}]",
)
def projection(build: Build, target: Target, kind: str, n: float | None, v: Vec | None, axis: str | None) -> None:
    """How the camera projects."""
    known = build.one(target)
    if known.type != "CAMERA":
        raise refuse(target.said, "no camera")
    build.need("expect")
    var = build.var(f"{known.var}_data")
    build.line(
        f'{var} = expect({known.var}.data, bpy.types.Camera)\n{var}.type = "{kind[:5].upper() if kind == "orthographic" else kind[:5].upper() if kind != "panoramic" else "PANO"}"'
    )
    if n is not None:
        if kind != "orthographic":
            raise refuse(f"{n:g}", "only an orthographic camera has a scale")
        build.line(f"{var}.ortho_scale = {literal(float(n))}")
    if v is not None:
        from app.drafting.composer.steps.objects import set_vector

        set_vector(build, f"{known.var}.location", v, 0.0, target.said)
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


@step(
    "make it the (scene|active) camera",
)
def make_scene_camera(build: Build) -> None:
    """The camera that was spoken of renders."""
    active_camera(build, None)


@step(
    "(render|and render) [a|an|the] [{size:resolution}] [still|image|picture|frame|current frame|single frame] [image] [with|in|using] [{engine=cycles|eevee|workbench}] [«] [at|with|,] [{n:int}] [samples] [»] (to|into|as|and save it as|and save it to) [the] [file] {path:path} [in [the] [current] [working] (directory|folder)]",
)
def render_still(build: Build, size: tuple[int, int] | None, engine: str | None, n: int | None, path: str) -> None:
    """Render a picture into a file."""
    scene = build.scene()
    build.comment("render a picture")
    if size:
        set_resolution(build, size, 1.0, None)
    if engine:
        set_engine(build, engine, None)
    if n is not None:
        if (engine or build.memory.get("_engine")) != "cycles":
            raise refuse(str(n), "samples of which engine?")
        build.imports("typing: Any")
        build.line(f"cycles: Any = {scene}.cycles\ncycles.samples = {n}")
    build.imports("pathlib: Path")
    extension = path.rsplit(".", 1)[-1].lower()
    if extension not in PICTURES:
        raise refuse(path, "no picture")
    write_format(build, PICTURES[extension])
    build.line(f"{scene}.render.filepath = str(Path.cwd() / {quoted(path)})")
    build.line("bpy.ops.render.render(write_still=True)")
    build.note(f"render to {path}")


OUTPUT: Final = (
    "~( [a] {kind=png|jpeg|jpg|open exr|openexr|exr|tiff|webp|bmp|multilayer openexr|multilayer exr|openexr multilayer|multilayer open exr}"
    " [sequence|image sequence|images|files|format|stills] [with alpha] ; (as|in) {layout=rgba|rgb|bw} ; {layout=rgba|rgb|bw} ;"
    " {depth=8|16|32} (bit|bits) ; {depth=half float|full float} ; {codec:codec} [compression] ;"
    " [a] quality [of] {n:n} ; {q:quantity of share} quality ; [at] quality {q:quantity of share} ;"
    " (to|into|under|in) [the] [folder|path|file|directory] {path:path} ; {squeeze:int} percent compression ; {film=transparent} (film|background) )"
)


@step(
    f"(save|write|output|render|store|export) [the] [output|renders|render|picture|pictures|frames|images|image|result] [as|in|to|into] [a|an] {OUTPUT}",
    f"[<set>] [the] [render] (output|output path|output folder|output file|file output|output format|file format|image format) [to|:|=|is|as|in|into] {OUTPUT}",
)
def output(
    build: Build, kind: str | None, n: float | None, path: str | None, q: Quantity | None, layout: str | None,
    depth: str | None, codec: str | None, squeeze: int | None, film: str | None = None,
) -> None:  # fmt: skip
    """Where renders go, and in which format."""
    n = q.number if q is not None else n
    scene = build.scene()
    if all(each is None for each in (kind, n, path, layout, depth, codec)) or (squeeze is not None and kind != "png"):
        raise refuse("output", "where, and as what?")
    image = f"{scene}.render.image_settings"
    if kind is not None:
        item = PICTURES.get(kind, "OPEN_EXR_MULTILAYER" if "multilayer" in kind else "OPEN_EXR")
        write_format(build, item)
    if film is not None:
        build.line(f"{scene}.render.film_transparent = True")
    if layout is not None:
        build.line(f'{image}.color_mode = "{layout.upper()}"')
    if depth is not None:
        bits = {"half float": "16", "full float": "32"}.get(depth, depth)
        build.line(f'{image}.color_depth = "{bits}"')
    if codec is not None:
        build.line(f'{image}.exr_codec = "{codec}"')
    if squeeze is not None:
        build.line(f"{image}.compression = {squeeze}")
    if n is not None:
        if not 0 <= n <= 100:
            raise refuse(f"{n:g}", "no quality")
        build.line(f"{image}.quality = {round(n)}")
    if path is not None:
        build.line(f"{scene}.render.filepath = {quoted(path)}")
    build.note("output")


PICTURES: Final = {
    "png": "PNG", "jpg": "JPEG", "jpeg": "JPEG", "exr": "OPEN_EXR", "openexr": "OPEN_EXR", "tif": "TIFF", "tiff": "TIFF", "bmp": "BMP", "webp": "WEBP",
}  # fmt: skip
"""The identifiers of formats by their names and extensions."""


def write_format(build: Build, item: str) -> None:
    """The format of pictures; Blender 5.0 asks first whether it is one of several layers."""
    scene = build.scene()
    try:
        build.lexicon.property("ImageFormatSettings", "media_type")
    except KeyError:
        pass
    else:
        kind = "MULTI_LAYER_IMAGE" if "MULTILAYER" in item else "IMAGE"
        build.line(f'{scene}.render.image_settings.media_type = "{kind}"')
    build.line(f'{scene}.render.image_settings.file_format = "{item}"')


@slot("codec")
def codec_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """How an OpenEXR file is compressed: "ZIP", "lossless", "DWAA", as the manifest has it."""
    from app.drafting.composer.slots import items_of

    try:
        prop = reading.lexicon.property("ImageFormatSettings", "exr_codec")
    except KeyError:
        return
    yield from items_of(reading, at, prop)


@step(
    "render [frames] {f:frames} as [an|a] [ffmpeg] (video|movie|animation) [in|with|as] [an|a] [mpeg-4|mpeg 4|mp4] [container]",
    "(set|use) [the] output [format] [to] [ffmpeg] (video|movie|ffmpeg|mp4) [(in|with) [an|a] {container=mpeg 4|mp4} container]",
)
def video(build: Build, f: tuple[int, int] | None, container: str | None) -> None:
    """A video as the output."""
    del container
    scene = build.scene()
    if f:
        build.line(f"{scene}.frame_start = {f[0]}\n{scene}.frame_end = {f[1]}")
    settings = f"{scene}.render.image_settings"
    try:
        build.lexicon.property("ImageFormatSettings", "media_type")
        build.line(f'{settings}.media_type = "VIDEO"')
    except KeyError:
        pass
    build.need("expect")
    build.line(f'{settings}.file_format = "FFMPEG"')
    build.line(
        f'movie = expect({scene}.render.ffmpeg, bpy.types.FFmpegSettings)\nmovie.format = "MPEG4"\nmovie.codec = "H264"'
    )
    build.note("video output")


@step(
    "(turn on|enable|use|add) (depth of field|dof) [on|for] [{cam:object}] [[,|with|and|:] {s:settings of CameraDOFSettings}]",
    "(depth of field|dof) [on|for] [{cam:object}] [[,|with|and|:] {s:settings of CameraDOFSettings}]",
    "(turn off|disable|no) {off=depth of field|dof} [on|for] [{cam:object}]",
    "(focus) {cam:object} on {goal:object of one}",
)
def depth_of_field(build: Build, cam: Target | None, s: list[Set] | None, off: str | None, goal: Target | None) -> None:
    """Depth of field of a camera."""
    known = (
        build.one(cam or Target("kind", "camera", said="the camera"))
        if cam or not (build.it and getattr(build.it, "type", "") == "CAMERA")
        else build.one(None)
    )
    wanted = build.one(goal) if goal else None
    build.need("expect")
    build.line(
        f"lens = expect({known.var}.data, bpy.types.Camera)\nfocus = expect(lens.dof, bpy.types.CameraDOFSettings)\nfocus.use_dof = {not off}"
    )
    if wanted:
        build.line(f"focus.focus_object = {wanted.var}")
    if s:
        build.assign("focus", build.choose(s, (Place("", "CameraDOFSettings"),), "depth of field"))
    build.it = known
    build.note("depth of field")


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


def listed(reading: Reading, at: int, one: Callable[[int], tuple[int, Any] | None]) -> Iterator[tuple[int, list[Any]]]:
    """Two or more of something, with commas and "and" between them, the most last."""
    found: list[Any] = []
    place = at
    while (read := one(place)) is not None:
        place = read[0]
        found.append(read[1])
        if len(found) > 1:
            yield place, list(found)
        if reading.mark(place) != "," and reading.word(place) not in {"and", "or"}:
            return
        while reading.mark(place) == "," or reading.word(place) in {"and", "or"}:
            place += 1


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
