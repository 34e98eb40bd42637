"""What words name which Blender thing: built once for each manifest from its own labels, and from words.toml.

Lexicon
├── numbers, units, colors, shades, finishes   words for values                       words.toml
├── families     modifiers, constraints, ...   what can be made, by label             manifest
├── needs        what a setting has no effect without                                 needs.toml
├── nodes        node types by label, for each kind of tree                           manifest
└── table(...)   properties by label, for the places where a request may set them     manifest and words.toml
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Any, Final, Generic, TypeVar

from app.drafting.composer.tokens import Token, singular, tokenize
from ingest.manifest import Identifier, Manifest, NodeType, Property, Socket
from ingest.symbol import Item

T = TypeVar("T")

Key = tuple[str, ...]

MAX_DEPTH: Final = 2
UNSAID: Final = frozenset({"rna_type", "bl_rna", "name_full", "session_uid", "is_evaluated", "original"})
NOT_EMBEDDED: Final = frozenset({
    "AnimData", "ID", "ImagePreview", "Object", "NodeTree", "ToolSettings", "SequenceEditor", "KeyingSet", "Depsgraph",
    "LibraryWeakReference", "IDOverrideLibrary", "View3DCursor", "SceneDisplay", "View3DShading", "MaterialSlot",
    "MaterialGPencilStyle", "TexPaintSlot", "AssetMetaData", "LayerCollection", "BakeSettings", "CurveMapping", "Struct", "PoseBone", "MotionPath",
})  # fmt: skip


@functools.cache
def read_words() -> Mapping[str, Any]:
    """words.toml."""
    return tomllib.loads(files("app.drafting.composer").joinpath("words.toml").read_text(encoding="utf-8"))


@functools.cache
def read_needs() -> Mapping[str, Mapping[str, Any]]:
    """needs.toml, without its headings."""
    text = files("app.drafting.composer").joinpath("needs.toml").read_text(encoding="utf-8")
    return {setting: needed for rows in tomllib.loads(text).values() for setting, needed in rows.items()}


def stem(token: Token) -> str:
    """The token as phrases hold it: the singular of its word, or the number as written."""
    return singular(token.word) if token.word else token.text if token.kind == "number" else ""


@functools.cache
def key_of(phrase: str) -> Key:
    """A phrase as the tables hold it."""
    return tuple(filter(None, (stem(token) for token in tokenize(re.sub(r"[^\w.%]+", " ", phrase)))))


def counted_item(identifier: str) -> str:
    """An item that ends with a number as it is spoken: "theme 4" for THEME04."""
    found = re.fullmatch(r"([A-Z]{3,})0(\d)", identifier)
    return f"{found[1]} {found[2]}" if found else ""


def both_ways(label: str) -> tuple[str, ...]:
    """An item that is two things as they are spoken: "fire and smoke", "smoke and fire" for Fire + Smoke."""
    one, plus, other = label.partition(" + ")
    return (f"{one} and {other}", f"{other} and {one}") if plus else ()


class Phrases(Generic[T]):
    """A table of what phrases mean, with every meaning of a phrase that has several."""

    def __init__(self, meanings: Iterable[tuple[str, T]]) -> None:
        self._meanings: Final[dict[Key, list[T]]] = {}
        for phrase, meaning in meanings:
            self.add(phrase, meaning)

    def add(self, phrase: str, meaning: T) -> None:
        """Let the phrase mean this too."""
        key = key_of(phrase)
        if key and meaning not in self._meanings.setdefault(key, []):
            self._meanings[key].append(meaning)

    def update(self, other: Phrases[T]) -> None:
        """Add the phrases of another table, behind the own ones."""
        for key, meanings in other._meanings.items():
            own = self._meanings.setdefault(key, [])
            own.extend(meaning for meaning in meanings if meaning not in own)

    @functools.cached_property
    def _longest(self) -> dict[str, int]:
        """For each word that phrases begin with, the words of the longest of them."""
        longest: dict[str, int] = {}
        for key in self._meanings:
            longest[key[0]] = max(len(key), longest.get(key[0], 0))
        return longest

    def matches(self, tokens: Sequence[Token], at: int) -> Iterator[tuple[int, list[T]]]:
        """The end and the meanings of each phrase that begins at this token, the longest first; "/" and "+" join words."""
        longest = self._longest.get(stem(tokens[at]), 0) if at < len(tokens) else 0
        words: list[str] = []
        ends: list[int] = []
        place = at
        while place < len(tokens) and len(words) < longest:
            if tokens[place].text not in {"/", "+"} or place == at:
                words.append(stem(tokens[place]))
                ends.append(place + 1)
            place += 1
        for length in range(len(words), 0, -1):
            found = self._meanings.get(tuple(words[:length]))
            if found:
                yield ends[length - 1], found

    def get(self, key: Key) -> list[T]:
        """The meanings of a phrase."""
        return self._meanings.get(key, [])

    def key(self, tokens: Sequence[Token], at: int, end: int) -> Key:
        """The tokens from one place to before another as a phrase."""
        return tuple(stem(token) for token in tokens[at:end])

    def first(self, tokens: Sequence[Token], at: int) -> tuple[int, T] | None:
        """The end and the first meaning of the longest phrase that begins here."""
        return next(((end, found[0]) for end, found in self.matches(tokens, at)), None)

    def of(self, phrase: str) -> list[T]:
        """The meanings of a phrase."""
        return self._meanings.get(key_of(phrase), [])

    def words(self) -> set[str]:
        """Every single word of a phrase."""
        return {word for key in self._meanings for word in key}

    def meanings(self) -> Iterator[T]:
        """Every meaning."""
        return (meaning for found in self._meanings.values() for meaning in found)

    def phrases(self) -> Iterator[str]:
        """Every phrase."""
        return (" ".join(key) for key in self._meanings)


@dataclass(frozen=True)
class Unit:
    """A unit: what it measures, and what one of it is in the base unit."""

    measures: str
    factor: float


@dataclass(frozen=True)
class Place:
    """Where properties are: a path from the thing to a struct, empty for the thing itself, and the struct's type."""

    path: str
    type: str


@dataclass(frozen=True)
class Setting:
    """A property at a place, or an input of a node when `socket` is its name."""

    place: Place
    prop: Property
    socket: str = ""

    @property
    def attribute(self) -> str:
        """What stands behind the thing in Python."""
        return f"{self.place.path}.{self.prop.name}".lstrip(".")


@dataclass(frozen=True)
class Kind:
    """A kind of thing that can be made, of one family: modifiers, constraints, ..."""

    family: str
    identifier: str
    label: str
    type: str
    places: tuple[Place, ...]
    several: bool = field(default=False, compare=False)
    """Whether it was said in plural: "bevels", "mirror modifiers"."""
    preset: tuple[Any, ...] = field(default=(), compare=False)
    """Settings that stand before its name: "planar decimate"."""


@dataclass
class Table:
    """The settings of some places, by what they are called; the first of several is the nearest."""

    named: Phrases[Setting]
    items: Phrases[tuple[Setting, str]]
    """Enumeration items by label, where the label alone tells the property."""
    axes: list[Setting] = field(default_factory=list["Setting"])
    """Settings that an axis alone may mean."""
    crowded: bool = False
    """Whether there are so many settings that one word alone is no reason to turn one on."""


class Lexicon:
    """Everything that can be named in a request for one Blender."""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest: Final = manifest
        words = read_words()
        self.numbers: Final = Phrases[float](words["numbers"].items())
        self.units: Final = Phrases[Unit](
            (name, Unit(measures, factor))
            for measures, table in words["units"].items()
            for name, factor in table.items()
        )
        self.colors: Final = Phrases[str](words["colors"].items())
        self.shades: Final = Phrases[tuple[str, float]]((name, (to, by)) for name, (to, by) in words["shades"].items())
        self.finishes: Final = Phrases[Mapping[str, float]](words["finishes"].items())
        self.called: Final[Mapping[str, Mapping[str, list[str]]]] = words["called"]
        self.synonyms: Final[Mapping[str, Mapping[str, list[str]]]] = words["properties"]
        self.needs: Final[Mapping[str, Mapping[str, Any]]] = read_needs()
        self.main: Final[Mapping[str, list[str]]] = words["main"]
        self.menus: Final[Mapping[str, list[str]]] = words["menus"]
        self.spoken_items: Final[Mapping[str, list[str]]] = words["items"]
        self.families: Final[dict[str, Phrases[Kind]]] = {
            family: Phrases(self._kinds(family, members)) for family, members in manifest.identifiers.items()
        }
        self.nodes: Final[dict[str, Phrases[NodeType]]] = {
            tree: Phrases(self._nodes(tree)) for tree in ("ShaderNodeTree", "GeometryNodeTree", "CompositorNodeTree")
        }
        self._tables: Final[dict[tuple[Place, ...], Table]] = {}

    # Things

    def _kinds(self, family: str, members: Mapping[str, Identifier]) -> Iterator[tuple[str, Kind]]:
        called = self.called.get(family, {})
        for identifier, one in sorted(members.items(), key=lambda each: each[0].startswith(GREASE_PENCIL)):
            if identifier == "NONE":
                continue
            type_name = "FieldSettings" if family == "force_fields" else self._type(family, one)
            kind = Kind(family, identifier, one.label, type_name, self.places(type_name) if type_name else ())
            for phrase in called.get(identifier, []):
                yield phrase, kind
            yield one.label, kind
            yield f"grease pencil {one.label}" if identifier == "LINEART" else identifier.replace("_", " "), kind

    def _nodes(self, tree: str) -> Iterator[tuple[str, NodeType]]:
        for node in self.manifest.nodes.values():
            if tree in node.trees:
                yield node.label, node
                if node.label.endswith(" Texture"):
                    yield node.label.removesuffix(" Texture"), node
                for phrase in self.called.get("nodes", {}).get(node.identifier, []):
                    yield phrase, node

    def kind(self, family: str, identifier: str) -> Kind:
        """A kind by its identifier. Raises KeyError where this Blender has none."""
        one = self.manifest.identifiers[family][identifier]
        type_name = self._type(family, one)
        return Kind(family, identifier, one.label, type_name, self.places(type_name) if type_name else ())

    def _type(self, family: str, one: Identifier) -> str:
        """The type of a kind; those of volumes cannot be made on a mesh, so the manifest tells only what they are called."""
        guess = f"{one.label.title().replace(' ', '')}Modifier"
        return one.type or (guess if family == "modifiers" and guess in self.manifest.types else "")

    # Properties

    @functools.cache  # noqa: B019 - a lexicon lives as long as its manifest
    def places(self, type_name: str) -> tuple[Place, ...]:
        """A thing and the structs within it that hold more of its settings, the nearest first."""
        found = [Place("", type_name)]
        for place in found:
            if place.path.count(".") + bool(place.path) >= MAX_DEPTH:
                continue
            for prop in self.properties(place.type):
                if prop.type == "POINTER" and prop.of not in {"", place.type} and self._is_embedded(prop):
                    found.append(Place(f"{place.path}.{prop.name}".lstrip("."), prop.of))
        return tuple(found)

    def _is_embedded(self, prop: Property) -> bool:
        """Whether a pointer leads to a part of the thing itself, not to another thing."""
        manifest = self.manifest
        owned = prop.readonly or prop.name in {"cycles", "cycles_visibility"}
        return owned and not manifest.is_a(prop.of, "ID") and not any(manifest.is_a(prop.of, no) for no in NOT_EMBEDDED)

    def properties(self, type_name: str) -> Iterator[Property]:
        """Every property of a type that may be spoken of, its bases' too."""
        if type_name in self.manifest.operators:
            yield from (prop for prop in self.manifest.operators[type_name].arguments.values() if not prop.hidden)
            return
        for declared in self.manifest.lineage(type_name):
            for prop in declared.properties.values():
                if prop.name not in UNSAID and not prop.name.startswith("bl_"):
                    yield prop

    def property(self, type_name: str, name: str) -> Property:
        """A property of a type. Raises KeyError where this Blender has none."""
        found = self.manifest.find(type_name, name)
        if found is None or not isinstance(found[1], Property):
            raise KeyError(f"{type_name}.{name}")
        return found[1]

    def phrases_of(self, type_name: str, prop: Property) -> Iterator[str]:
        """What a property may be called: as in words.toml, by its label, by its identifier."""
        names = [re.split(r"[._]", type_name)[-1]] if type_name in self.manifest.operators else []
        for name in names or [declared.name for declared in self.manifest.lineage(type_name)]:
            yield from self.synonyms.get(name, {}).get(prop.name, [])
        if f"{type_name}.{prop.name}" in MISLEADING:
            return
        plain = prop.name.replace("_", " ")
        yield from (prop.label, plain, prop.name)
        for prefix in ("use ", "show ", "is ", *(("export ", "import ") if names else ())):
            if plain.startswith(prefix):
                yield plain.removeprefix(prefix)

    def table(self, places: Iterable[Place]) -> Table:
        """The settings of these places."""
        known = tuple(places)
        if known not in self._tables:
            self._tables[known] = self._table(known)
        return self._tables[known]

    def _table(self, places: tuple[Place, ...]) -> Table:
        named, items, axes = Phrases[Setting](()), dict[str, list[tuple[Setting, str]]](), list[Setting]()
        for place in places:
            for prop in self.properties(place.type):
                if prop.readonly or prop.type == "COLLECTION" or (prop.hidden and prop.type != "BOOLEAN"):
                    continue
                setting = Setting(place, prop)
                said = self.synonyms.get(place.type, {}).get(prop.name, [])
                for phrase in self.phrases_of(place.type, prop):
                    if (
                        places[0].type != "Scene"
                        or phrase in said
                        or not key_of(phrase)
                        or key_of(phrase)[0] not in NO_PLACE
                        or len(key_of(phrase)) > 1
                    ):
                        named.add(phrase, setting)
                for item in prop.items if prop.type == "ENUM" and not prop.flags else ():
                    spoken = self.spoken_items.get(item.identifier, ()) if places[0].type in CROWDED | OF_RENDER else ()
                    for phrase in {
                        item.name,
                        item.name.rpartition(" - ")[2],
                        item.identifier.replace("_", " "),
                        counted_item(item.identifier),
                        *both_ways(item.name),
                        *spoken,
                    }:
                        items.setdefault(" ".join(key_of(phrase)), []).append((setting, item.identifier))
                if is_axis(prop):
                    axes.append(setting)
        if places[0].type in CROWDED:
            items = {
                phrase: [
                    each
                    for each in sorted(found, key=lambda one: one[0].prop.name == "look")  # "grayscale" is a color mode
                    if {each[0].prop.name, f"{each[0].place.type}.{each[0].prop.name}"} & SPEAKING
                ][:1]
                for phrase, found in items.items()
            }
        # An item that several properties have says nothing alone, unless one of them is the nearer.
        telling = (
            (phrase, found[0])
            for phrase, found in items.items()
            if phrase and found and tells(found) and phrase not in VAGUE and not phrase.replace(" ", "").isdigit()
        )
        # An item that is called like a property says nothing either: "with width" lacks its value.
        alone = (
            (phrase.upper(), item)  # "f1" would be frame 1
            for phrase, item in telling
            if not any(end == len(phrase.split()) for end, _ in named.matches(tokenize(phrase), 0))
        )
        crowded = places[0].type in CROWDED
        return Table(named, Phrases(alone), [] if crowded else axes, crowded)

    def joined(self, name: str, *tables: Table) -> Table:
        """One table of several, kept under a name."""
        key = (Place(name, ""),)
        if key not in self._tables:
            both = Table(Phrases(()), Phrases(()), [axis for table in tables for axis in table.axes], crowded=True)
            for table in tables:
                both.named.update(table.named)
                both.items.update(table.items)
            self._tables[key] = both
        return self._tables[key]

    def sockets(self, node: NodeType) -> Table:
        """The inputs of a node as settings, and its own properties."""
        place = Place("", node.identifier)
        if (place, place) not in self._tables:
            own = self._table((place,)) if node.identifier in self.manifest.types else Table(Phrases(()), Phrases(()))
            table = Table(Phrases(()), own.items, own.axes)
            menu_items: list[tuple[str, tuple[Setting, str]]] = []
            alike = Counter(socket.name for socket in node.inputs if socket.enabled)
            for socket in node.inputs:
                if socket.name == "Weight" and node.identifier.startswith("ShaderNodeBsdf"):
                    continue  # it is there for Blender itself, and hidden
                prop = as_property(socket)
                if prop.type == "ENUM":
                    menu = self.menus.get(f"{node.identifier}.{socket.name}") or self.menus.get(socket.name, [])
                    prop = replace(prop, items=tuple(Item(item, item, "") for item in menu))
                several = alike[socket.name] > 1
                setting = Setting(place, prop, socket.identifier if several else socket.name or socket.identifier)
                menu_items += [(item.name, (setting, item.identifier)) for item in prop.items]
                called = f"input {socket.name}" if socket.name in {"A", "B"} else socket.name  # "a" is an article
                names = [called, *SOCKETS.get(socket.name, ()), *([socket.identifier] if several else ())]
                for phrase in names:
                    table.named.add(phrase, setting)
            for phrase in list(own.named.phrases()):
                for _, found in own.named.matches(tokenize(phrase), 0):
                    for each in found:
                        if each.prop.name not in DRAWN or node.identifier == "ShaderNodeRGB":
                            table.named.add(phrase, each)
                    break
            table.items.update(Phrases(menu_items))
            self._tables[(place, place)] = table
        return self._tables[(place, place)]


DRAWN: Final = frozenset(
    {"color", "use_custom_color", "width", "height", "location", "location_absolute", "dimensions", "hide", "select"}
)
"""How a node is drawn in its editor: nobody means that by "color" or "width"."""
GREASE_PENCIL: Final = "GREASE_PENCIL_"
"""How modifiers of grease pencils begin; they are called like those of meshes."""

SOCKETS: Final[Mapping[str, Sequence[str]]] = {
    "Base Color": (
        "color",
        "colored",
        "tint",
        "tinted",
        "base",
        "albedo",
        "albedo color",
        "diffuse color",
        "base tint",
    ),
    "Metallic": ("metalness", "metal", "metallicity", "metallicness"),
    "Roughness": ("rough",),
    "IOR": ("index of refraction", "refractive index", "refraction index"),
    "Transmission Weight": ("transmission", "transmission amount", "transmissiveness"),
    "Coat Weight": ("coat", "clearcoat", "clear coat", "clearcoat weight", "clear coat weight", "coat amount"),
    "Coat Roughness": ("clearcoat roughness", "clear coat roughness"),
    "Coat Tint": ("clearcoat tint", "clear coat tint", "coat color", "clearcoat color"),
    "Coat IOR": ("clearcoat ior",),
    "Sheen Weight": ("sheen", "sheen amount"),
    "Subsurface Weight": (
        "subsurface",
        "subsurface scattering",
        "sss",
        "sss weight",
        "subsurface amount",
        "subsurface scattering weight",
    ),
    "Subsurface Radius": ("sss radius", "scattering radius", "scatter radius", "subsurface scattering radius"),
    "Subsurface Scale": ("sss scale", "scattering scale", "scatter scale", "subsurface scattering scale"),
    "Specular IOR Level": ("specular", "specularity", "specular level", "specular value"),
    "Emission Color": ("emission", "emissive color", "emit", "glow color"),
    "Emission Strength": (
        "emission",
        "emission strength",
        "emissive strength",
        "glow strength",
        "emission power",
        "emission intensity",
        "emission brightness",
        "glow intensity",
        "emissive intensity",
    ),
    "Alpha": ("opacity",),
    "Count": ("points",),
    "Profile Curve": ("profile",),
    "Resolution": ("segment", "points"),
    "String": ("text",),
    "Flip X": ("horizontally",),
    "Flip Y": ("vertically",),
    "Fac": ("factor",),
    "Factor": ("fac", "mix factor"),
    "Normal": ("normal",),
    "Thin Film Thickness": ("thin film", "film thickness"),
    "Thin Film IOR": ("film ior",),
    "Color1": ("first color", "color 1", "brick", "brick color"),
    "Color2": ("second color", "color 2"),
    "Mortar": ("mortar color",),
    "Anisotropic": ("anisotropy",),
    "Brick Width": ("width",),
    "Row Height": ("height",),
}
"""What users call the inputs of nodes beside their names."""

CROWDED: Final = frozenset({"Scene", "Camera", "ViewLayer", "World", "Material"})
OF_RENDER: Final = frozenset({"RenderSettings", "CyclesRenderSettings", "SceneEEVEE", "ImageFormatSettings"})
"""Panels of the render, whose items are called as in words.toml too."""
SPEAKING: Final = frozenset({
    "engine", "file_format", "color_mode", "view_transform", "look", "codec", "format", "exr_codec", "denoiser", "device",
    "pixel_filter_type", "panorama_type", "color_depth", "tiff_codec", "threads_mode", "audio_codec", "Camera.type",
})  # fmt: skip
"""Of things with very many settings, those whose items may stand alone."""
NO_PLACE: Final = frozenset(
    key_of(
        "action annotation attenuation background bias black blur camera clamp color depth display distance end enabled fill height"
        " intensity light lighting log method minimum mode modifier name node normal position preview profile resolution separate"
        " solid start step strand strength system tag title type use uv vector view volume white world falloff sky culling"
        " smoothness environment emulation tint temperature transparent"
    )
)
"""Labels that say nothing where a whole scene is spoken of: they need the panel that they stand in."""

MISLEADING: Final = frozenset(
    {
        "Object.color",
        "World.color",
        "FluidFlowSettings.use_inflow",
        "ParticleSettings.display_percentage",
        "ParticleSettings.render_step",
        "Scene.use_stamp_note",
        "ViewLayer.use_ao",
        "View3DShading.use_dof",
        "CameraDOFSettings.aperture_ratio",
        "CyclesRenderSettings.film_exposure",
        "Object.parent",
        "Object.data",
        "Scene.camera",
        "Object.type",
        "ObjectDisplay.show_shadows",
        "SceneEEVEE.volumetric_tile_size",
    }
)
"""Properties that are not called by their label: users mean something else by it."""

VAGUE: Final = frozenset(
    {
        "fixed",
        "none",
        "default",
        "all",
        "x",
        "y",
        "z",
        "object",
        "frame",
        "normal",
        "size",
        "length",
        "count",
        "group",
        "half",
        "float",
    }
)
"""Labels of items that say nothing when they stand alone."""


def tells(found: Sequence[tuple[Setting, str]]) -> bool:
    """Whether an item's label means one property: the only one, or the only one at the nearest place."""
    nearest = [setting for setting, _ in found if setting.place == found[0][0].place]
    return len({setting.prop.name for setting in nearest}) == 1


def is_axis(prop: Property) -> bool:
    """Whether the property says along which axis."""
    names = {item.identifier for item in prop.items}
    switches = prop.type == "BOOLEAN" and prop.array == (3,)
    return "FLOOR_X" in names or ("axis" in prop.name and ({"X", "Y", "Z"} <= names or switches))


TYPES: Final = {"Float": "FLOAT", "Int": "INT", "Bool": "BOOLEAN", "Color": "FLOAT", "Vector": "FLOAT", "String": "STRING",
                "Rotation": "FLOAT", "Object": "POINTER", "Material": "POINTER", "Collection": "POINTER", "Menu": "ENUM"}  # fmt: skip


BEYOND: Final = frozenset(
    {
        "Saturation",
        "Value",
        "Strength",
        "Distortion",
        "Lift",
        "Gamma",
        "Gain",
        "Offset",
        "Power",
        "Slope",
        "Contrast",
        "Tint",
    }
)
"""Sockets of factors that may be less than nothing or more than one in some nodes."""


def as_property(socket: Socket) -> Property:
    """An input of a node, described like a property."""
    match = re.match(
        r"NodeSocket(Float|Int|Bool|Color|Vector|String|Rotation|Object|Material|Collection|Menu)(\w*)", socket.type
    )
    kind, rest = match.groups() if match else ("", "")
    subtype = {"Color": "COLOR", "Rotation": "EULER"}.get(
        kind, {"Angle": "ANGLE", "Distance": "DISTANCE"}.get(rest, rest.upper())
    )
    array = {"Color": (4,), "Vector": (2 if rest.endswith("2D") else 3,), "Rotation": (3,)}.get(kind, ())
    bounded = rest == "Factor" and socket.name not in BEYOND
    return Property(
        name="default_value",
        type=TYPES.get(kind, "NONE"),
        label=socket.name,
        subtype=subtype,
        array=array,
        default=socket.default,
        min=0.0 if bounded else None,
        max=1.0 if bounded else None,
        of=kind if TYPES.get(kind) == "POINTER" else "",
    )
