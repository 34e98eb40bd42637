"""Tables of names in Blender and in scripts for it, with the editor or the kind of data that each belongs to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

EDITOR_OF_MODULE: Final = {
    "action": "a dope sheet",
    "asset": "an asset browser",
    "buttons": "a properties editor",
    "clip": "a movie clip editor",
    "console": "a Python console",
    "file": "a file browser",
    "graph": "a graph editor",
    "image": "an image editor",
    "info": "an info editor",
    "marker": "a timeline",
    "nla": "an NLA editor",
    "node": "a node editor",
    "outliner": "an outliner",
    "screen": "a window",
    "sequencer": "a sequencer",
    "spreadsheet": "a spreadsheet",
    "text": "a text editor",
    "ui": "a window",
    "view2d": "a window",
    "view3d": "a 3D viewport",
}
"""The editor that the poll of each operator of these modules requires."""

EDITORS_OF_OPERATORS: Final = (
    (
        r"uv\.(cursor_set|snap_cursor|snap_selected|custom_region_set|select_(box|circle|lasso))",
        "a UV editor",
    ),
    (r"uv\.project_from_view", "a 3D viewport"),
    (
        r"anim\.(change_frame|channels_\w+|previewrange_\w+|view_curve_\w+|start_frame_set|end_frame_set)",
        "a timeline",
    ),
    (r"sculpt\.brush_stroke|gpencil\.draw", "a 3D viewport"),
    (r"render\.(opengl|view_show|play_rendered_anim)", "a window"),
    (r"wm\.(toolbar\w*|search_\w+|call_\w+|window_\w+|redraw_timer|context_menu\w*|splash\w*)", "a window"),
)
"""In other modules only these operators require an editor; the rest need a mode or an active object."""

CONTEXT_IN_WINDOW: Final = {
    "area": "an area (bpy.context.area)",
    "region": "a region (bpy.context.region)",
    "region_data": "a 3D viewport (bpy.context.region_data)",
    "screen": "a window (bpy.context.screen)",
    "space_data": "an editor (bpy.context.space_data)",
    "window": "a window (bpy.context.window)",
    "workspace": "a window (bpy.context.workspace)",
    "active_node": "a node editor (bpy.context.active_node)",
    "selected_nodes": "a node editor (bpy.context.selected_nodes)",
    "edit_text": "a text editor (bpy.context.edit_text)",
    "edit_image": "an image editor (bpy.context.edit_image)",
    "edit_mask": "an image editor (bpy.context.edit_mask)",
    "region_popup": "a window (bpy.context.region_popup)",
}
"""Members of bpy.context that are absent or None in background."""

REMOVED_MODULES: Final = frozenset(
    {
        *("bgl", "bge", "Blender", "BPyMesh", "BPyMessages", "Draw"),
        *(
            "asynchat",
            "asyncore",
            "cgi",
            "crypt",
            "distutils",
            "imghdr",
            "imp",
            "pipes",
            "smtpd",
            "telnetlib",
        ),
    }
)
"""Former modules of Blender or Python: code that imports them has to change."""

BLENDER_MODULES: Final = re.compile(
    r"bpy\w*|_bpy\w*|bmesh|mathutils|gpu\w*|blf|aud|imbuf|idprop|freestyle|addon_utils|rna_\w+|bl_\w+|cycles"
    r"|console_\w+|nodeitems_\w+|graphviz_export|keyingsets_\w+|numpy|oslquery|PyOpenColorIO|OpenImageIO|pxr"
    r"|openvdb|MaterialX|requests|zstandard"
    # Add-ons that ship with Blender, or did.
    r"|rigify|node_wrangler|add_(?:mesh|curve|camera)_\w+|space_view3d_\w+|animation_animall|amaranth|mesh_f2"
    r"|io_(?:mesh|scene|import|export|anim|curve|shape)_\w+|mesh_(?:looptools|inset|tissue|tools|bsurfaces)"
    r"|object_(?:print3d_utils|fracture_cell|boolean_tools|scatter)|render_(?:freestyle_svg|povray)"
)
"""Modules that ship with Blender: a missing one was renamed or dropped."""

PYTHON_PACKAGES: Final = frozenset(
    re.findall(
        r"\w+",
        """
        PIL OpenEXR OpenGL aiohttp astropy blenderproc bs4 click cv2 dotenv fastapi flask geopandas
        h5py httpx imageio jinja2 jsonschema laspy librosa matplotlib mediapipe mido moderngl
        networkx noise numba onnxruntime open3d openai opensimplex osmnx pandas plotly psutil
        pydantic pydub pygltflib pyproj pytest rasterio rich scipy serial shapely skimage sklearn
        soundfile svgpathtools sympy tensorflow toml tomli torch torchvision tqdm transformers
        transforms3d trimesh typer websockets yaml zmq
        """,
    )
)
"""Import names of packages on PyPI, to tell them from the user's own modules."""

KIND_OF_DATA: Final = {
    "actions": "action",
    "armatures": "armature",
    "cameras": "camera",
    "collections": "collection",
    "curves": "curve",
    "images": "image",
    "lights": "light",
    "materials": "material",
    "meshes": "mesh",
    "node_groups": "node group",
    "objects": "object",
    "scenes": "scene",
    "shape_keys": "shape key",
    "texts": "text",
    "textures": "texture",
    "worlds": "world",
}
"""The name of one member of `bpy.data.<name>`."""


@dataclass(frozen=True)
class Collection:
    """Expressions for collections whose members have names. `makers` matches code that adds members itself."""

    path: str
    kind: str
    makers: str = r"(?!)"


COLLECTIONS: Final = (
    *(Collection(rf"bpy\.data\.{name}", kind) for name, kind in KIND_OF_DATA.items()),
    Collection(r".*(?:scene|view_layer|collection|scenes\[.*\]|collections\[.*\])\.(?:all_)?objects", "object"),
    Collection(r".*collection\.children(?:_recursive)?", "collection"),
    Collection(r".*\.pose\.bones", "bone", r"edit_bones\.new|armature_human_metarig_add"),
    Collection(r".*\.(?:edit_)?bones", "bone", r"edit_bones\.new|bone_primitive_add|armature_add"),
    Collection(r".*\.vertex_groups", "vertex group", r"vertex_groups\.new|vertex_group_add"),
    Collection(r".*\.key_blocks", "shape key", r"shape_key_add"),
    Collection(r".*\.modifiers", "modifier", r"modifier_add|modifiers\.new"),
    Collection(r".*\.constraints", "constraint", r"constraint_add\w*|constraints\.new"),
    Collection(r".*\.particle_systems", "particle system", r"particle_system_add|PARTICLE_SYSTEM"),
    Collection(r".*\.material_slots", "material slot", r"materials\.append|material_slot_add"),
)

OLD_DEFAULT_NAMES: Final = frozenset({"Lamp", "View Layer", "RenderLayer"})
"""Names in the start-up file of older Blenders: a lookup of them is drift, and a rule renames them."""

ROOTED_IN_SCENE: Final = r"bpy\.(?:context|data)\b.*"
"""Expressions that start from the scene or the file."""

ACTIVE_OBJECT: Final = r"bpy\.context\.(?:active_|edit_)?object|bpy\.context\.view_layer\.objects\.active"
"""Expressions for the active object."""

NONE_SOURCES: Final = (
    (ACTIVE_OBJECT, "an active object"),
    (r"bpy\.context\.pose_object", "an armature in pose mode"),
    (r"bpy\.context\.(?:selected_|visible_)?(?:active_)?pose_bones?\w*", "a selected pose bone"),
    (r"bpy\.context\.(?:active_bone|selected_(?:editable_)?bones)", "a selected bone"),
    (rf"(?:{ACTIVE_OBJECT})\.pose", "an armature as the active object"),
    (r"bpy\.data\.objects\[(?P<key>'.+?')\]\.pose", "an armature called {key}"),
    (rf"{ROOTED_IN_SCENE}\.shape_keys", "shape keys on the object"),
    (rf"(?:{ACTIVE_OBJECT})\.active_material", "a material on the active object"),
    (rf"{ROOTED_IN_SCENE}\.animation_data(?:\.action)?", "animation on the object"),
    (rf"{ROOTED_IN_SCENE}\.parent", "a parent of the object"),
)
"""Expressions that are None in a scene that lacks something, with what it lacks."""

KIND_OF_MEMBER: Final = {
    "bones": "an armature",
    "edit_bones": "an armature",
    "splines": "a curve",
    "vertices": "a mesh",
    "polygons": "a mesh",
    "lens": "a camera",
    "energy": "a light",
}
"""Members of an object's data that show which kind of object the snippet expects."""
