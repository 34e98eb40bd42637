"""Settings of objects, scene, render, world and other things that are there, by their manifest names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from app.drafting.composer.build import Build, Known, Many
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Place, Setting
from app.drafting.composer.patterns import Env, Reading, slot
from app.drafting.composer.slots import FACTORS, SUBJECTS, Set, Target, changes, settings, switches
from app.drafting.composer.tokens import singular, tokenize
from app.drafting.composer.values import Change, Quantity, Ref, clean, quoted, refuse

DATA_TYPES: Final = {
    "CAMERA": ("Camera",), "LIGHT": ("SpotLight", "AreaLight", "SunLight", "PointLight", "Light"), "FONT": ("TextCurve",),
    "CURVE": ("Curve",), "ARMATURE": ("Armature",), "LATTICE": ("Lattice",), "MESH": ("Mesh",), "META": ("MetaBall",),
}  # fmt: skip


OF_CAMERA: Final = frozenset({"data.dof", "data.stereo"})
"""Parts of a camera's data; other parts of data are those of lights."""
LIGHTS: Final = ("SpotLight", "AreaLight", "SunLight", "PointLight")
KIND_OF_LIGHT: Final = {"area": "AreaLight", "spot": "SpotLight", "sun": "SunLight", "point": "PointLight"}


def object_places(build: Build, known: Known | Many, said: str = "") -> list[Place]:
    """Where settings of an object may be, its data first; `said` are the words for it, which may tell what light it is."""
    places: list[Place] = []
    if not known.type:
        places.append(Place("", "Object"))  # what every object has
    allowed = {known.data} if isinstance(known, Known) and known.data else set(DATA_TYPES.get(known.type, ()))
    words = said.lower().split()
    if known.type == "LIGHT" and (kind := next((KIND_OF_LIGHT[word] for word in words if word in KIND_OF_LIGHT), "")):
        allowed = {kind, "Light"}
    for text in SUBJECTS["object"]:
        path, _, type_name = text.rpartition(":")
        if path.startswith("data"):
            owner = type_name if path == "data" else "Camera" if path in OF_CAMERA else "Light"
            if owner == "Light":
                if known.type in {"", "LIGHT"}:
                    places.append(Place(path, type_name))
                continue
            if known.type and owner not in allowed:
                continue
        places.append(Place(path, type_name))
    return places


def assign_object(build: Build, known: Known, chosen: Iterable[tuple[Setting, Any]]) -> None:
    """Settings of an object or of its data."""
    chosen = list(chosen)
    for setting, value in chosen:
        if isinstance(value, Ref) and isinstance(value.target, Target) and build.object(value.target) == known.var:
            raise refuse(value.target.said, f"its own {setting.prop.label.lower()}?")
    if {"focus_object", "focus_distance"} <= {setting.prop.name for setting, _ in chosen}:
        raise refuse(known.name or known.kind, "it focuses on the one or the other")
    if {"panorama_type": "EQUIRECTANGULAR", "fisheye_fov": 0}.keys() <= {
        setting.prop.name for setting, _ in chosen
    } and any(value == "EQUIRECTANGULAR" for _, value in chosen):
        raise refuse(
            known.name or known.kind, "an equirectangular camera has longitudes and latitudes, no field of view"
        )
    groups: dict[str, list[tuple[Setting, Any]]] = {}
    for setting, value in chosen:
        head = setting.place.path.split(".")[0]
        part = "Camera" if setting.place.path in OF_CAMERA else "Light"
        group = f"data:{part if '.' in setting.place.path else setting.place.type}" if head == "data" else head
        groups.setdefault(group, []).append((setting, value))
    for group, members in groups.items():
        data = ""
        if group.startswith("data:"):
            build.need("expect")
            data_type = group.removeprefix("data:")
            if data_type in LIGHTS and not known.data:
                names = {setting.prop.name for setting, _ in members}
                owning = [
                    each
                    for each in ("Light", *LIGHTS)
                    if names <= {prop.name for prop in build.lexicon.properties(each)}
                ]
                if owning[0] == "Light":
                    data_type = "Light"
                elif len(owning) > 1:
                    set_of_lights(build, known, members)
                    continue
                elif known.var != "obj":
                    known.type, known.data = "LIGHT", data_type
            curve = {prop.name for prop in build.lexicon.properties("Curve")}
            if data_type == "TextCurve" and not known.type and {setting.prop.name for setting, _ in members} <= curve:
                data_type = "Curve"  # a text is one too
            if len(members) == 1 and "." not in members[0][0].place.path:
                build.assign(known.var, members, data=f"expect({known.var}.data, bpy.types.{data_type})")
                continue
            data = build.var(f"{known.var}_data")
            build.line(f"{data} = expect({known.var}.data, bpy.types.{data_type})")
            build.assign(known.var, members, data=data)
        elif group == "rigid_body":
            build.need("rigid_body")
            build.assign(
                f"rigid_body({known.var})", [(Setting(Place("", s.place.type), s.prop), v) for s, v in members]
            )
        else:
            build.assign(known.var, members)


def only_type(sets: Iterable[Set]) -> str:
    """The one type of objects that these settings can be of, where there is one: only meshes are rigid bodies."""
    bodies = any(each.options and all(o[0].place.path == "rigid_body" for o in each.options) for each in sets)
    return "MESH" if bodies else ""


def set_of_lights(build: Build, known: Known, members: Iterable[tuple[Setting, Any]]) -> None:
    """Settings of a light of a type that is not known, which several types have each as its own: the strength."""
    build.need("expect")
    build.imports("typing: Any")
    if known.var != "obj":
        known.type = "LIGHT"
    var = build.var("light_data")
    build.line(f"{var}: Any = expect({known.var}.data, bpy.types.Light)")
    for setting, value in members:
        if isinstance(value, Change):
            build.once()
            build.line(f"{var}.{setting.prop.name} {value.operator}= {build.literal(value.number)}")
        else:
            build.line(f"{var}.{setting.prop.name} = {build.literal(value)}")


def not_at_once(build: Build, s: list[Set]) -> None:
    """Raise `NotUnderstood` where a format is said of a render that is asked for, and no file."""
    for each in s:
        formats = {option.prop.name for option, _ in each.options} & {"file_format", "format"}
        asked = rf"{AT_ONCE} (as|to|in|into) (an? )?{re.escape(each.said)}"
        if formats and re.search(asked, build.request, re.IGNORECASE):
            raise refuse(each.said, "into which file?")


AT_ONCE: Final = r"\brender (out )?(the |an? )?(whole |entire )?(animation|sequence|still|image|picture|current frame)"
"""What asks to render, and not only for a setting."""


@step(
    "<set> {s:settings of render}",
    "{bare:settings of render}",
    "[<set>] (scene|render|renders|rendering|timeline|output|film|color management|render settings|render engine|animation|frame range|view settings) ['s] [settings] [<to>] {s:settings of render}",
    "(render|rendering) (with|in|at|using|as|to) {s:settings of render}",
    "[<enable>] {s:settings of render} (on|for|in) (scene|render|renders|rendering|render settings)",
    "<set> {s:settings of render} (on|for|in) (scene|render|renders|rendering|render settings|timeline)",
)
def set_render(build: Build, s: list[Set] | None, bare: list[Set] | None = None) -> None:
    """Settings of the scene, the render, the color management."""
    s = s or bare or []
    pointed = {option.prop.name for each in s for option, _ in each.options}
    if pointed & {"node_tree", "compositing_node_group"} and "composit" not in build.request.lower():
        raise refuse(s[0].said, "the nodes of the compositor?")
    percent = any(re.fullmatch(r"[\d.]+ ?%", each.said.strip(" ,")) for each in s)
    if percent and not re.search(
        r"render|resolution|size|scale|image|output|scene|film|eevee|cycles|samples|\d ?[x×] ?\d", build.request.lower()
    ):
        raise refuse(s[0].said, "of what?")
    if any(re.search(rf"\b(its|their) {re.escape(each.said)}", build.request) for each in s):
        raise refuse(s[0].said, "of what?")
    if RENDERED.search(build.request) and any(
        option.prop.name == "filepath" for each in s for option, _ in each.options
    ):
        raise refuse(s[0].said, "every frame is rendered there")
    if (build.topic is not None and build.topic.accepts(build, s)) or (bare and is_of_object(build, s)):
        raise refuse(s[0].said, "of what?")
    not_at_once(build, s)
    ranged = {option.prop.name for each in bare or () for option, _ in each.options} & {"frame_start", "frame_end"}
    if ranged and build.notes and not RANGED.search(build.request):
        raise refuse(s[0].said, "the range of the scene, or when it moves?")
    set_scene(build, s)


RANGED: Final = re.compile(r"range|timeline|scene|render|playback|\bplay|fps|output|animation|preview", re.IGNORECASE)
"""Words of a request that speaks of the range of the scene."""
RENDERED: Final = re.compile(
    r"\brender (out )?(the |all |every )*(whole )?(frames?|animation|sequence|frame range)\b", re.IGNORECASE
)


def set_scene(build: Build, s: Iterable[Set], panel: str = "") -> None:
    """Settings of the scene, those of a panel and of the engine that is spoken of before others of the same name."""
    types = build.lexicon.manifest.types
    s = list(s)
    places = [
        Place(*split(text)) for text in (*SUBJECTS.get(panel, ()), *SUBJECTS["render"]) if split(text)[1] in types
    ]
    for _, value in [option for each in s for option in each.options]:
        for engine in ENGINES:
            if isinstance(value, str) and engine in value and value.isupper():
                build.memory["_engine"] = ENGINES[engine]
    own = {split(text)[1] for text in SUBJECTS.get(build.memory.get("_engine", ""), ())}
    every = {split(text)[1] for engine in ENGINES.values() for text in SUBJECTS[engine]}
    for index, each in enumerate(s if own and not panel else ()):  # "pixel filter width": Cycles has its own
        of_engine = tuple(option for option in each.options if option[0].place.type in own)
        s[index] = replace(each, options=of_engine or each.options)
    if own and not panel:
        places.sort(key=lambda place: (place.type not in own) + (place.type in every and place.type not in own))
    video = bool(re.search(VIDEO, build.request.lower()))
    for index, each in enumerate(s if video else ()):  # "no audio" of a video: none is written
        of_file = tuple(option for option in each.options if option[0].prop.name == "audio_codec")
        s[index] = replace(each, options=of_file or each.options)
    media_sets = {setting.prop.name for each in s for setting, _ in each.options[:1]}
    if (
        any(each.options and each.options[0][0].place.type == "FFmpegSettings" for each in s)
        and "file_format" not in media_sets
    ):
        image = Setting(
            Place("render.image_settings", "ImageFormatSettings"),
            build.lexicon.property("ImageFormatSettings", "file_format"),
        )
        s.append(Set(((image, "FFMPEG"),), "video"))
    s = [spoken_of(each, build.request.lower()) for each in s]
    chosen = looked(build, build.choose(s, list(dict.fromkeys(places)), "the scene"))
    check_scene(build, s, chosen)
    build.note(
        "; ".join(f"{each.said} -> scene.{setting.attribute}" for each, (setting, _) in zip(s, chosen, strict=True))
    )
    names = dict.fromkeys(setting.prop.label.lower() or setting.prop.name for setting, _ in chosen)
    build.comment("set up " + ", ".join(names))
    media(build, chosen)
    # What decides which values another setting takes goes first.
    chosen.sort(key=lambda one: FIRST.index(one[0].prop.name) if one[0].prop.name in FIRST else len(FIRST))
    build.assign(build.scene(), chosen)


VIDEO: Final = r"video|movie|film|ffmpeg|mp4|mkv|mov\b|webm|codec|encod|output quality|h\.?26|container|quicktime|matroska|crf|lossless"


SPOKEN_OF: Final = tuple(
    (re.compile(names), re.compile(words), doubt)
    for names, words, doubt in (
        ("tiff_codec", "tif", "the compression of which format?"),
        ("constant_rate_factor", VIDEO, "the quality of what?"),
        ("matcap_ssao.*", r"cavity|ssao|ambient occlusion", "of the cavity?"),
        ("resolution_scale", r"trac(e|ing)", "of the picture?"),
        ("fast_gi_resolution", r"\bgi\b|global illum", "of the picture?"),
        ("device", r"^(?!.*composit)", "the device of Cycles, or of the compositor?"),
        ("use_fake_user", r"(?!)", "of what?"),
    )
)
"""Settings by their names, what a request holds that speaks of them, and what is asked where it does not."""


def doubt_of(name: str, said: str) -> str | None:
    """What is asked where a request does not speak of a setting, nothing where it does; None for a setting of no row."""
    for names, words, doubt in SPOKEN_OF:
        if names.fullmatch(name):
            return "" if words.search(said) else doubt
    return None


def spoken_of(each: Set, said: str) -> Set:
    """The words for a setting, without the meanings that are not spoken of where each has a row."""
    doubts = [doubt_of(option.prop.name, said) for option, _ in each.options]
    if None in doubts or all(doubts):
        return each
    return replace(each, options=tuple(option for option, doubt in zip(each.options, doubts, strict=True) if not doubt))


def check_scene(build: Build, s: list[Set], chosen: list[tuple[Setting, Any]]) -> None:
    """Refuse words that name a setting of another format or panel than the one that is spoken of."""
    said = build.request.lower()
    formats = {value for setting, value in chosen if setting.prop.name == "file_format"}
    for each, (setting, value) in zip(s, chosen, strict=True):
        name = setting.prop.name
        if doubt := doubt_of(name, said):
            raise refuse(each.said, doubt)
        if name == "exr_codec" and (formats - {"OPEN_EXR", "OPEN_EXR_MULTILAYER"} or "png" in said):
            raise refuse(each.said, "only EXR files have such a codec")
        if name == "exr_codec" and "compression" in each.key and "exr" not in said:
            raise refuse(each.said, "the compression of which format?")
        if name == "denoising_input_passes" and value == "RGB_ALBEDO" and re.search(r"albedo (and|\+|&) ", said):
            raise refuse(each.said, "and what more?")
        if each.key == ("render",) and not re.search(r"sample|spp|viewport|preview", said):
            raise refuse(each.said, "so many samples?")
        if name == "filepath":
            check_path(each.said, str(value), formats, said)


def check_path(words: str, path: str, formats: set[Any], said: str) -> None:
    """Refuse a path that no render is written to, or where a render may be asked for."""
    extension = path.rpartition(".")[2].lower()
    if re.fullmatch(r"glb|gltf|obj|stl|ply|fbx|abc|usd\w?|csv|json|txt|blend", extension):
        raise refuse(path, "no render is written there")
    if formats - {"FFMPEG"} and extension in {"mp4", "mkv", "mov", "webm", "avi"}:
        raise refuse(path, "pictures, or a video?")
    picture = extension in {"png", "jpg", "jpeg", "exr", "tif", "tiff", "bmp", "webp"} and "#" not in path
    if picture and not re.search(r"output|path|folder|save|write|frames|animation|files", said):
        raise refuse(words, "rendered now, or only where renders go?")


ENGINES: Final = {"CYCLES": "cycles", "EEVEE": "eevee", "WORKBENCH": "workbench"}
FIRST: Final = ("engine", "file_format", "display_device", "view_transform", "format", "codec", "render_aa", "light")


def looked(build: Build, chosen: list[tuple[Setting, Any]]) -> list[tuple[Setting, Any]]:
    """The settings, a look as the view transform has it: "AgX - High Contrast"."""
    for setting, value in chosen:
        if setting.prop.name == "view_transform":
            build.memory["_view"] = value
    view = build.memory.get("_view", "AgX")
    names = {item.identifier for setting, _ in chosen if setting.prop.name == "look" for item in setting.prop.items}
    found: list[tuple[Setting, Any]] = []
    for setting, value in chosen:
        if setting.prop.name == "look":
            plain = str(value).rpartition(" - ")[2]
            value_ = next((each for each in (f"{view} - {plain}", plain) if each in names), value)
            found.append((setting, value_))
        else:
            found.append((setting, value))
    return found


def is_of_object(build: Build, sets: Iterable[Set]) -> bool:
    """Whether the object or the thing that was spoken of last may be meant as well: it has settings called so."""
    places: list[Place] = list(getattr(build.topic, "places", ()))
    if build.it is not None and build.it.type:
        places += object_places(build, build.it)
    named = build.lexicon.table(places).named if places else None
    return named is not None and all(any(True for _ in named.matches(tokenize(each.said), 0)) for each in sets)


def is_of_known(build: Build, known: Known | Many, sets: Iterable[Set]) -> bool:
    """Whether these settings may be of this object."""
    places = object_places(build, known)
    return all(any(option[0].place in places for option in each.options) for each in sets)


def media(build: Build, chosen: Iterable[tuple[Setting, Any]]) -> None:
    """Blender 5.0 asks for pictures or video before the format."""
    for setting, value in chosen:
        if setting.prop.name == "file_format":
            scene = build.scene()
            try:
                build.lexicon.property("ImageFormatSettings", "media_type")
            except KeyError:
                return
            kind = "VIDEO" if value == "FFMPEG" else "MULTI_LAYER_IMAGE" if "MULTILAYER" in value else "IMAGE"
            build.line(f'{scene}.render.image_settings.media_type = "{kind}"')


def split(text: str) -> tuple[str, str]:
    """A subject's path and type."""
    path, _, type_name = text.rpartition(":")
    return path, type_name


NOT_OBJECTS: Final = re.compile(
    r"(the )?(mesh|curve|light|camera|armature|lattice|text|speaker|volume) ", re.IGNORECASE
)
"""Where a fake user is asked for, the words before a name that tell what data is meant."""
SIZED: Final[dict[str, frozenset[str]]] = {
    "AreaLight.size": frozenset({"light", "area", "rectangle"}), "AreaLight.size_y": frozenset({"light", "area", "rectangle"}),
    "Camera.ortho_scale": frozenset({"camera", "orthographic", "ortho"}), "TextCurve.extrude": frozenset({"text", "extrude"}),
    "TextCurve.size": frozenset({"text", "font"}), "Object.empty_display_size": frozenset({"empty", "display"}),
    "TextCurve.bevel_depth": frozenset({"text", "depth"}), "Curve.bevel_depth": frozenset({"curve", "depth", "path", "round"}),
    "Lattice.vertex_group": frozenset({"lattice"}), "Armature.use_mirror_x": frozenset({"armature", "bone"}),
}  # fmt: skip
"""Settings whose names are as well those of the size of any object, and a word for what has them: of an object of a type
that is not known, one of these must be said."""


@step(
    "(use|take|choose|pick|set|assign|make) {source:object of one} (as|to be) [the] {p:prop of object} (of|for|on) {target:object of one}",
    "let {source:object of one} be [the] {p:prop of object} (of|for|on) {target:object of one}",
)
def use_as(build: Build, source: Target, p: tuple[Setting, ...], target: Target) -> None:
    """An object as what a setting of another one points at: "use Profile as the bevel object of Rail"."""
    pointing = [each for each in p if each.prop.type == "POINTER" and each.prop.name != "parent"]
    if not pointing:
        raise refuse(source.said, "a setting of which object?")
    given = Set(tuple((each, Ref(source)) for each in pointing), p[0].prop.label)
    set_object(build, target, [given])


@step(
    "[<set>] {target:object} ['s] [data|settings] [<to>] [=|:|,] {s:settings of object}",
    "<set> {s:settings of object} (of|for|on) {target:object}",
    "[<set>] {target:object} (has|have|gets|get|should have|needs|uses|use|should use|must have|shall have|takes) {s:settings of object}",
    "{s:settings of object} (of|for|on) {target:object}",
    "<set> {target:object} to [be] {s:settings of object}",
    "(display|show|draw) {target:object} (as|in) {s:settings of object}",
)
def set_object(build: Build, target: Target, s: list[Set]) -> None:
    """Settings of an object or its data."""
    s = list(s)
    if (
        target.how == "it"
        and build.it is None
        and all(is_of_camera(o[0], each.said) for each in s for o in each.options)
    ):
        target = Target("kind", "camera", said="the camera")
    if target.how == "it" and of_bone(build, s):
        raise refuse(target.said, "the bone is meant")
    if re.match(r"(the )?(active|scene|render) camera .", target.said.lower()):
        raise refuse(target.said, "is it to be the active one?")
    with build.each(target, type_=only_type(s)) as known:
        check_kind_of_light(build, known, s, target.said)
        chosen = build.choose(s, object_places(build, known, target.said), target.said)
        for setting, _ in chosen:
            if (
                setting.prop.name == "color"
                and not known.type
                and not any("color" in each.said.lower().replace("colour", "color") for each in s)
            ):
                raise refuse(target.said, "of the light, or of its material?")
            if setting.prop.name == "use_fake_user" and target.how == "it" and about_data(build):
                raise refuse(target.said, "of the data that was spoken of")
            if setting.prop.name == "use_fake_user" and (
                NOT_OBJECTS.match(target.said) or about_other_data(build, target)
            ):
                raise refuse(target.said, "the data of that name is meant")
            owner_words = SIZED.get(f"{setting.place.type}.{setting.prop.name}")
            if (
                owner_words
                and not known.type
                and not owner_words & {singular(token.word) for token in tokenize(build.request)}
            ):
                raise refuse(target.said, "its size, or that of what else?")
            if setting.prop.name in {"name", "use_gravity"}:
                raise refuse(target.said, "say it in other words")
            if setting.prop.name == "collision_shape" and not BODY.search(build.request):
                raise refuse(target.said, "a rigid body?")
            if target.how == "all" and not known.type and setting.place.path.startswith("data"):
                raise refuse(target.said, f"not every object has such a {setting.prop.label.lower()}")
            own = {"Camera", "CameraDOFSettings", "MetaBall", "Lattice", "Armature"}
            if setting.place.type in own and not known.type and known.kind == f"the {known.name.lower()}":
                raise refuse(target.said, "what is it? Put its name in quotes")
            if setting.prop.name == "ortho_scale" and not known.type and "scale" not in build.request.lower():
                raise refuse(target.said, "how wide is what?")
            if setting.prop.name == "empty_display_size" and not known.type:
                build.line(
                    f'if {known.var}.type != "EMPTY":\n    raise TypeError(f"{{{known.var}.name!r}} is no empty.")'
                )
        if known.var != "obj":
            build.comment(f"set {', '.join(setting.prop.label.lower() for setting, _ in chosen)}")
        assign_object(build, known, chosen)
    build.note(f"settings of {target.said} -> " + ", ".join(setting.attribute for setting, _ in chosen))


def of_bone(build: Build, sets: Iterable[Set]) -> bool:
    """Whether a bone was spoken of last, and has a setting of this name too."""
    about = next((place.type for place in getattr(build.topic, "places", ())), "")
    names = {option[0].prop.name for each in sets for option in each.options}
    return about in {"PoseBone", "Bone"} and any(build.lexicon.manifest.find(about, name) for name in names)


def about_other_data(build: Build, target: Target) -> bool:
    """Whether "it" may be data that the request speaks of, and not the object."""
    return target.how == "it" and OTHER_DATA.search(build.request) is not None


OTHER_DATA: Final = re.compile(
    r"\b(material|mesh|action|image|texture|world|node group|collection|curve data|brush|palette)s?\b", re.IGNORECASE
)


def about_data(build: Build) -> bool:
    """Whether the last thing that was spoken of is data of the file: an action, an image."""
    places: Sequence[Place] = getattr(build.topic, "places", ())
    return bool(places) and build.lexicon.manifest.find(places[0].type, "use_fake_user") is not None


BODY: Final = re.compile(r"rigid|shape|physic|mass|\bkg\b", re.IGNORECASE)
"""Words without which a "collision hull" is only what objects are called."""


def check_kind_of_light(build: Build, known: Known, s: Iterable[Set], said: str = "") -> None:
    """Refuse a word that is something else for each kind of light, and for an empty, where the kind is not known."""
    if known.data or known.type not in {"", "LIGHT"}:
        return
    places = object_places(build, known, said)
    kinds = [{o[0].place.type for o in each.options if o[0].place in places} for each in s]
    if any(len(each) == 1 for each in kinds):
        return
    for each in s:
        own = {o[0].prop.name for o in each.options if o[0].place.type in LIGHTS and o[0].place in places}
        if len(own) > 1:
            raise refuse(each.said, "of which kind of light? Say it with its name")


@step(
    "<set> {p:prop of object} (of|for|on) {target:object} [<to>] {v:value of p}",
    "{p:prop of object} (of|for|on) {target:object} [<to>] {v:value of p}",
    "<set> {target:object} ['s] {p:prop of object} <to> {v:value of p}",
)
def set_property(build: Build, p: tuple[Setting, ...], v: Set, target: Target) -> None:
    """One setting of objects, the value at the end."""
    del p
    set_object(build, target, [v])


@step(
    "{off=turn off|disable|switch off|hide|deactivate|uncheck|untick} {target:object} ['s] {p:prop of object}",
    "(turn on|enable|switch on|show|activate|check|tick) {target:object} ['s] {p:prop of object}",
)
def switch_property(build: Build, p: tuple[Setting, ...], target: Target, off: str | None) -> None:
    """A setting of objects that is on or off."""
    set_object(build, target, [Set(tuple(switches(p, not off)), target.said)])


BY: Final = "by ({half=half|a half|one half}|{q:quantity})"


@step(
    f"{{how=increase|raise|decrease|reduce|lower|multiply|scale|divide|brighten|dim}} {{target:object}} ['s] {{p:prop of object}} {BY}",
    f"{{how=increase|raise|decrease|reduce|lower|multiply|scale|divide}} [the] {{p:prop of object}} (of|for|on) {{target:object}} {BY}",
    f"{{how=increase|raise|decrease|reduce|lower|multiply|divide}} [the|its|their] {{p:prop of object}} {BY}",
    "{how=double|halve|triple|quarter} {target:object} ['s] {p:prop of object}",
    "{how=double|halve|triple|quarter} [the] {p:prop of object} (of|for|on) {target:object}",
    "{how=double|halve} [the|its|their] {p:prop of object}",
)
def change_property(
    build: Build, p: tuple[Setting, ...], target: Target | None, how: str, q: Quantity | None, half: str | None
) -> None:  # fmt: skip
    """A number of objects, as it is from now on by what it is."""
    up = how in {"increase", "raise", "brighten"}
    if how in FACTORS:
        change = Change("*", 3.0 if how == "triple" else FACTORS[how])
    elif how in {"multiply", "scale", "divide"}:
        number = 0.5 if half else q.value if q is not None else 0.0
        if number <= 0 or (q is not None and q.unit is not None and not q.measured("share")):
            raise refuse(how, "by how much?")
        change = Change("*", number if how != "divide" else clean(1.0 / number))
    elif half:
        change = Change("*", 1.5 if up else 0.5)
    elif q is None:
        raise refuse(how, "by how much?")
    elif q.measured("share"):
        change = Change("*", clean(1.0 + q.value if up else 1.0 - q.value))
    else:
        change = Change("+" if up else "-", q.value)
    said = Target("it", said="it") if target is None else target
    set_object(build, said, [Set(tuple(changes(p, change)), said.said)])


@step(
    "<set> {p:prop of render} (of|for|in) (scene|render|renders|output|timeline|film|animation) [<to>] {v:value of p}",
)
def set_render_property(build: Build, p: tuple[Setting, ...], v: Set) -> None:
    """One setting of the scene, the value at the end."""
    del p
    set_render(build, [v])


@slot("spoken")
def spoken(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[Set]]]:
    """Settings of something that the request named before: a modifier, a constraint, a simulation, particles."""
    said = " ".join(token.word for token in reading.tokens[:at])
    for word, subject in SPOKEN.items():
        if word in said:
            yield from settings(reading, at, {}, subject)
    for family in ("modifiers", "constraints"):
        for place in range(at):
            for _, kinds in reading.lexicon.families[family].matches(reading.tokens[:at], place):
                if kinds[0].places:
                    yield from settings(reading, at, {"kind": kinds[0]}, "kind")
                break


SPOKEN: Final = {
    "cloth": "simulation", "soft body": "simulation", "collision": "CollisionSettings", "particle": "particle system",
    "rigid body world": "RigidBodyWorld", "rigid body": "RigidBodyObject", "field": "FieldSettings", "strip": "TextStrip",
    "bone": "PoseBone", "domain": "FluidDomainSettings", "flow": "FluidFlowSettings", "canvas": "DynamicPaintSurface",
    **dict.fromkeys(("hinge", "joint", "slider", "motor", "piston"), "RigidBodyConstraint"),
}  # fmt: skip
"""Things that are no objects, by a word for them, and whose settings they have."""


def is_of_camera(one: Setting, said: str) -> bool:
    """Whether nothing but the camera has such a setting; what is "wide" may be the picture as well."""
    shared = one.prop.name in {"use_fake_user", "name"}
    return (
        one.place.type.startswith("Camera")
        and not shared
        and (one.prop.name != "ortho_scale" or "scale" in said.lower())
    )


@step(
    "<set> {s:settings of object}",
    "{s:settings of object}",
    "(display|show|draw) [it|them] (as|in) {s:settings of object}",
    "<set> {s:spoken}",
    "{s:spoken}",
    "(give|let) it [have] {s:spoken}",
)
def set_it(build: Build, s: list[Set]) -> None:
    """Settings of what was spoken of last: an object, a modifier, a constraint."""
    if any(option.prop.name == "name" for each in s for option, _ in each.options):
        raise refuse(s[0].said, "the name of what?")
    pointed = any(option.prop.name == "space_object" for each in s for option, _ in each.options)
    if pointed and "space" not in build.request.lower():
        raise refuse(s[0].said, "the object that has it?")
    topic = build.topic
    if topic is not None and topic.accepts(build, s):
        topic.write(build, s)
        return
    if of_bone(build, s):
        raise refuse(s[0].said, "the bone is meant")
    if build.it is None or not is_of_known(build, build.it, s):
        # The nearest thing that has it: what was spoken of before, or the scene's one camera.
        others = [known for known in reversed(build.known) if known.type and is_of_known(build, known, s)]
        if others or all(any(is_of_camera(option[0], each.said) for option in each.options) for each in s):
            known = others[0] if others else build.one(Target("kind", "camera", said="the camera"))
            assign_object(build, known, build.choose(s, object_places(build, known), "the camera"))
            build.note(", ".join(each.said for each in s) + f" -> {known.name or known.kind}")
            return
    if build.it is None:
        raise refuse(s[0].said, "say of which object")
    with build.each(None, type_=only_type(s)) as known:
        # Of an object whose type is not known, only what every object has is set without naming it.
        places = [place for place in object_places(build, known) if known.type or not place.path.startswith("data")]
        chosen = build.choose(s, places, "the object")
        assign_object(build, known, chosen)
    build.note(", ".join(each.said for each in s) + " -> the object spoken of")


@step(
    "[<set>] world ['s] [background] [<to>] {s:settings of World}",
    "<set> {s:settings of World} (of|for|in) world",
)
def set_world(build: Build, s: list[Set]) -> None:
    """Settings of the world that are no nodes: mist, name."""
    build.need("expect")
    chosen = build.choose(s, build.lexicon.places("World"), "the world")
    build.comment("set up the world")
    world = build.var("world")
    build.line(f"{world} = expect({build.scene()}.world, bpy.types.World)")
    build.assign(world, chosen)
    build.note("settings of the world")


EVERY_LAYER: Final = (
    "[on|for|in] {every=both|all|every|each|all of} [the|these|those] [view layers|view layer|of them|layers]"
)
PLURAL: Final = re.compile(r"\b(both|all|every|each|other)( of)?( the| these| those)? view layers?\b", re.IGNORECASE)
"""Words for more than the view layer that is open."""


@step(
    "[<enable>] {s:settings of ViewLayer} [on|for|in] [(active|current) view layer]",
    "[<enable>|add|activate|output|write|include|(i|we) need|give me] {s:passes}",
    "[<set>] (view layer|active view layer|current view layer) [<to>] {s:settings of ViewLayer}",
    f"[<enable>|add|activate|output|write|include] ({{s:passes}}|{{s:settings of ViewLayer}}) {EVERY_LAYER}",
    f"{EVERY_LAYER} [,|:] [<enable>|add|activate|output|write|include|get|gets|need|needs|with] ({{s:passes}}|{{s:settings of ViewLayer}})",
)
def set_view_layer(build: Build, s: list[Set], every: str | None) -> None:
    """Passes and other settings of the view layer, or of each one."""
    passes = [tuple(option for option in each.options if option[0].prop.name.startswith("use_pass")) for each in s]
    s = [replace(each, options=own or each.options) for each, own in zip(s, passes, strict=True)]
    chosen = build.choose(s, build.lexicon.places("ViewLayer"), "the view layer")
    if any(not setting.prop.name.startswith(("use", "pass")) for setting, _ in chosen):
        raise refuse(s[0].said, "no setting of the view layer")
    if not every and PLURAL.search(build.request):
        raise refuse(s[0].said, "in which view layers?")
    build.comment(f"set up {'every' if every else 'the'} view layer")
    if every:
        named: list[str] = list(dict.fromkeys(build.memory.get("_layers_said", ())))
        if every == "both" and len(named) != 2 and (named or "view layers" not in build.request.lower()):
            raise refuse(every, "which view layers?")
        scene = build.scene()
        both = ", ".join(f"{scene}.view_layers[{quoted(each)}]" for each in named)
        with build.block(f"for each_layer in {f'({both})' if every == 'both' and named else f'{scene}.view_layers'}:"):
            build.assign("each_layer", chosen)
    else:
        build.assign(build.view_layer(), chosen)
    build.note("; ".join(each.said for each in s) + " -> view layer")
