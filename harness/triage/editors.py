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

OPERATOR_MODULES: Final = frozenset(
    re.findall(
        r"\w+",
        """
        action anim armature asset boid brush buttons cachefile camera clip cloth collection console constraint curve
        curves cycles dpaint ed export_anim export_mesh export_scene export_shape extensions file fluid font geometry
        gizmogroup gpencil graph grease_pencil image import_anim import_curve import_image import_mesh import_scene info
        lattice logic marker mask material mball mesh nla node object outliner paint paintcurve palette particle
        pointcloud pose poselib preferences ptcache render rigidbody safe_areas scene screen script sculpt sculpt_curves
        sequencer sound spreadsheet surface text text_editor texture time transform ui uilist uv view2d view3d wm
        workspace world
        """,
    )
)
"""The modules of Blender's own operators, now or in former versions: an unknown operator in one is drift or a slip."""

ADDON_OPERATORS: Final = (
    (r"node\.nw_\w+", "Node Wrangler"),
    (r"pose\.rigify_\w+|object\.armature_\w+_metarig_add", "Rigify"),
    (r"mesh\.looptools_\w+", "LoopTools"),
    (r"curve\.tree_add", "Sapling Tree Gen"),
    (r"mesh\.(?:landscape|ant)_\w+", "A.N.T. Landscape"),
    (r"mesh\.archimesh_\w+", "Archimesh"),
    (r"mesh\.bolt_add", "BoltFactory"),
    (
        r"(?:import|export)_(?:scene|mesh)\.(?:dxf|x3d|3ds|max|map|lwo|ms3d|pdb|xyz)|(?:import|export)\.dxf",
        "of that format",
    ),
    (
        r"mesh\.primitive_(?:gear|worm\w*|round_cube_add|teapot\w*|star|trapezohedron\w*|z_function_surface\w*)",
        "Extra Mesh Objects",
    ),
    (r"curve\.(?:curveaceous_galore|spirals|torus_knot_plus|simple|celtic_links|catenary)", "Extra Curve Objects"),
    (r"object\.(?:booltool|boolean)_(?:auto|brush)_?\w+", "Bool Tool"),
    (r"object\.add_fracture_cell_objects", "Cell Fracture"),
    (r"mesh\.print3d_\w+", "3D Print Toolbox"),
    (r"mesh\.tissue_\w+|object\.(?:tissue|dual_mesh)\w*", "Tissue"),
    (r"mesh\.(?:f2|snap_utilities_line|bsurfaces|edge_roundifier|inset_straight_skeleton)\w*", "of that name"),
)
"""Operators of add-ons that live in modules of Blender's own."""

ADDON_MODULES: Final = re.compile(
    r"sverchok|mmd_tools\w*|animation_nodes|blenderbim|bonsai|bim|molecularnodes|BlenderGIS|retopoflow|cats|mpfb|makehuman\w*"
    r"|phobos|autorig_pro|auto_rig_pro|hardops|HOps|boxcutter|io_(?:mesh|scene|import|export|anim|curve|shape)_\w+|godot_\w*|luxcore|pyluxcore"
    r"|BlendLuxCore|octane|cycles_x|photographer|flip_fluids_addon|geodoodle|real_snow|archipack|blenderkit|\w*_addon|addon_\w+"
)
"""Import names of add-ons by others, to tell them from the user's own modules; asked after `BLENDER_MODULES`."""

PACKAGE_OF: Final = {
    "PIL": "pillow",
    "cv2": "opencv-python-headless",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
    "bs4": "beautifulsoup4",
    "OpenGL": "pyopengl",
    "serial": "pyserial",
    "dotenv": "python-dotenv",
    "zmq": "pyzmq",
}
"""The package that an import name belongs to, if it has another name."""

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
    r"bpy(?:_\w+)?|_bpy\w*|bmesh|mathutils|gpu\w*|blf|aud|imbuf|idprop|freestyle|addon_utils|rna_\w+|bl_\w+|cycles"
    r"|console_\w+|nodeitems_\w+|graphviz_export|keyingsets_\w+|numpy|oslquery|PyOpenColorIO|OpenImageIO|pxr"
    r"|openvdb|MaterialX|requests|zstandard"
    # Add-ons that ship with Blender, or did.
    r"|rigify|node_wrangler|add_(?:mesh|curve|camera)_\w+|space_view3d_\w+|animation_animall|amaranth|mesh_f2"
    r"|io_mesh_(?:atomic|pdb|xyz|raw|ply|stl|uv_layout|gwyddion)|io_shape_mdd|io_curve_svg"
    r"|io_scene_(?:3ds|fbx|gltf2?|map|ms3d|obj|vrml2|x|x3d)|io_anim_(?:acclaim|bvh|c3d|camera|nuke_chan)"
    r"|io_import_(?:BrushSet|dxf|gimp_image_to_scene|images_as_planes|palette|planes|voxel|lipSync_Importer|scene_\w+)"
    r"|io_export_(?:after_effects|dxf|paper_model|pc2|unreal_psk_psa)|mesh_(?:looptools|inset|tissue|tools|bsurfaces)"
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
class NamedCollection:
    """Expressions for collections whose members have names. `makers` matches code that adds members itself."""

    path: str
    kind: str
    makers: str = r"(?!)"


COLLECTIONS: Final = (
    *(NamedCollection(rf"bpy\.data\.{name}", kind) for name, kind in KIND_OF_DATA.items()),
    NamedCollection(r".*(?:scene|view_layer|collection|scenes\[.*\]|collections\[.*\])\.(?:all_)?objects", "object"),
    NamedCollection(r".*collection\.children(?:_recursive)?", "collection"),
    NamedCollection(r".*\.pose\.bones", "bone", r"edit_bones\.new|armature_human_metarig_add"),
    NamedCollection(r".*\.(?:edit_)?bones", "bone", r"edit_bones\.new|bone_primitive_add|armature_add"),
    NamedCollection(r".*\.vertex_groups", "vertex group", r"vertex_groups\.new|vertex_group_add"),
    NamedCollection(r".*\.key_blocks", "shape key", r"shape_key_add"),
    NamedCollection(r".*\.modifiers", "modifier", r"modifier_add|modifiers\.new"),
    NamedCollection(r".*\.constraints", "constraint", r"constraint_add\w*|constraints\.new"),
    NamedCollection(r".*\.particle_systems", "particle system", r"particle_system_add|PARTICLE_SYSTEM"),
    NamedCollection(r".*\.material_slots", "material slot", r"materials\.append|material_slot_add"),
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
    (rf"(?:{ACTIVE_OBJECT})\.modifiers\.new\(.*'GREASE_PENCIL_\w+'.*\)", "a grease pencil object as the active object"),
    (rf"(?:{ACTIVE_OBJECT})\.active_material", "a material on the active object"),
    (rf"{ROOTED_IN_SCENE}\.animation_data(?:\.action)?", "animation on the object"),
    (rf"{ROOTED_IN_SCENE}\.parent", "a parent of the object"),
    (r"bpy\.context\.edit_object", "an object in edit mode"),
    (rf"{ROOTED_IN_SCENE}\.uv_layers\.active", "a UV map on the mesh"),
    (rf"{ROOTED_IN_SCENE}\.(?:vertex_colors|color_attributes)\.active(?:_color)?", "a colour attribute on the mesh"),
    (rf"{ROOTED_IN_SCENE}\.vertex_groups\.active", "a vertex group on the object"),
    (rf"{ROOTED_IN_SCENE}\.active_shape_key", "a shape key on the object"),
    (rf"{ROOTED_IN_SCENE}\.particle_systems\.active", "a particle system on the object"),
    (rf"{ROOTED_IN_SCENE}\.material_slots\[\d+\]\.material", "a material on the object"),
    (rf"{ROOTED_IN_SCENE}\.scene\.camera", "a camera of the scene"),
    (rf"{ROOTED_IN_SCENE}\.scene\.rigidbody_world", "a rigid body world in the scene"),
    (rf"{ROOTED_IN_SCENE}\.active_strip", "an active strip"),
    (r".*\.select_history\.active|.*\.faces\.active", "an active element of the mesh in edit mode"),
)
"""Expressions that are None in a scene that lacks something, with the missing thing."""

KIND_OF_MEMBER: Final = {
    **dict.fromkeys(("bones", "edit_bones", "pose_position"), "an armature"),
    **dict.fromkeys(("splines", "bevel_depth", "resolution_u", "taper_object", "twist_mode"), "a curve"),
    **dict.fromkeys(("vertices", "polygons", "edges", "loops", "uv_layers", "color_attributes"), "a mesh"),
    **dict.fromkeys(("lens", "dof", "sensor_width", "ortho_scale", "clip_end"), "a camera"),
    **dict.fromkeys(("energy", "spot_size", "spot_blend", "shadow_soft_size"), "a light"),
    **dict.fromkeys(("body", "font", "align_x"), "a text object"),
    **dict.fromkeys(("points_u", "points_v", "points_w"), "a lattice"),
    **dict.fromkeys(("layers", "stroke_depth_order", "onion_mode"), "a grease pencil object"),
}
"""Members of an object's data that show which kind of object the snippet expects."""

KIND_OF_MODE: Final = (
    (r"POSE", "an armature"),
    (r"(?:EDIT|PAINT|SCULPT|WEIGHT|VERTEX)_(?:GPENCIL|GREASE_PENCIL)", "a grease pencil object"),
    (r"SCULPT_CURVES", "a hair curves object"),
    (r"(?:WEIGHT|VERTEX|TEXTURE)_PAINT|SCULPT", "a mesh"),
    (r"EDIT", "an object that can be edited"),
    (r"PARTICLE_EDIT", "an object with hair"),
)
"""Modes that only one kind of object has."""

MODE_OF_OPERATORS: Final = {
    "armature": "an armature in edit mode",
    "curve": "a curve in edit mode",
    "curves": "a hair curves object in the right mode",
    "export_anim": "an armature as the active object",
    "font": "a text object in edit mode",
    "gpencil": "a grease pencil object in the right mode",
    "grease_pencil": "a grease pencil object in the right mode",
    "lattice": "a lattice in edit mode",
    "mball": "a metaball in edit mode",
    "mesh": "a mesh in edit mode",
    "object": "an active object, in the right mode",
    "paint": "a mesh in a paint mode",
    "particle": "an object in particle edit mode",
    "pose": "an armature in pose mode",
    "rigidbody": "an active object",
    "sculpt": "a mesh in sculpt mode",
    "sculpt_curves": "a hair curves object in sculpt mode",
    "surface": "a surface in edit mode",
    "uv": "a mesh in edit mode",
}
"""The requirement of the poll of a module's operators on the active object."""
