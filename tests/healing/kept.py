"""Single repairs that must keep what a script does: a snippet and what it becomes, None if it is left alone."""

# ruff: noqa: E501
# One snippet per line, so that readers see what each is about.

from __future__ import annotations

KEPT: list[tuple[str, str | None]] = [
    # What looks like a near match and does something else is not repaired.
    ("bpy.ops.object.select_by_layer(layers=2)", None),
    ("bpy.ops.object.modifier_apply(apply_as='SHAPE', modifier='Wave')", None),
    ("bpy.ops.object.modifier_apply(apply_as='DATA', modifier='Wave')", "bpy.ops.object.modifier_apply(modifier='Wave')"),
    ("bpy.ops.object.shade_smooth(use_auto_smooth=flag)", None),
    ("bpy.ops.object.shade_smooth(use_auto_smooth=True)", "bpy.ops.object.shade_auto_smooth()"),
    # What takes no argument gets those by which it does the same.
    ("bpy.ops.mesh.vertex_color_add()", "bpy.ops.geometry.color_attribute_add(domain='CORNER', data_type='BYTE_COLOR')"),
    ("bpy.ops.mesh.vertex_color_add('INVOKE_DEFAULT')", None),
    # A window has a scene of its own, which is set there.
    ("bpy.context.screen.scene = bpy.data.scenes[0]", "bpy.context.window.scene = bpy.data.scenes[0]"),
    # The axis had a direction.
    ("bpy.ops.transform.rotate(value=1.0, axis=(0, 0, -1))", "bpy.ops.transform.rotate(value=-1.0, orient_axis='Z')"),
    ("bpy.ops.transform.rotate(value=1.0, axis=(1, 1, 0))", None),
    # Flags that are worked out.
    ("bpy.ops.mesh.bevel(vertex_only=flag)", "bpy.ops.mesh.bevel(affect='VERTICES' if flag else 'EDGES')"),
    ("bpy.ops.mesh.bevel(vertex_only=False)", "bpy.ops.mesh.bevel(affect='EDGES')"),
    ("bpy.ops.transform.translate(proportional=how)", "bpy.ops.transform.translate(use_proportional_edit=how != 'DISABLED')"),
    ("bpy.ops.transform.translate(proportional='ENABLED')", "bpy.ops.transform.translate(use_proportional_edit=True)"),
    # What is worked out keeps its brackets.
    ("bpy.context.scene.rigidbody_world.steps_per_second = a + 60", "bpy.context.scene.rigidbody_world.substeps_per_frame = max(1, int((a + 60) / bpy.context.scene.render.fps))"),
    ("bpy.ops.mesh.primitive_cube_add(radius=1234.56789)", "bpy.ops.mesh.primitive_cube_add(size=2469.13578)"),
    # Variables that may be the context or something else.
    ("mode = 'INVOKE_DEFAULT'\nbpy.ops.object.delete(mode)", None),
    ("mode = {'object': None}\nbpy.ops.object.delete(mode)", "mode = {'object': None}\nwith bpy.context.temp_override(**mode):\n    bpy.ops.object.delete()"),
    # Settings that became items, and items under another name, set or compared.
    ("b = bpy.data.objects['Cube'].modifiers.new('B', 'BEVEL')\nb.use_only_vertices = True", "b = bpy.data.objects['Cube'].modifiers.new('B', 'BEVEL')\nb.affect = 'VERTICES'"),
    ("b = bpy.data.objects['Cube'].modifiers.new('B', 'BEVEL')\nb.affect = 'VERTICES'", None),
    ("b = bpy.data.armatures['A'].edit_bones['B']\nb.use_inherit_scale = flag", "b = bpy.data.armatures['A'].edit_bones['B']\nb.inherit_scale = 'FULL' if flag else 'NONE'"),
    ("bpy.ops.object.select_by_type(type='GPENCIL')", "bpy.ops.object.select_by_type(type='GREASEPENCIL')"),
    ("print([o for o in bpy.data.objects if o.type == 'GPENCIL'])", "print([o for o in bpy.data.objects if o.type == 'GREASEPENCIL'])"),
    ("print([o for o in bpy.data.objects if o.name == 'GPENCIL'])", None),
    ("bpy.context.scene.cycles.motion_blur_position = 'CENTER'", "bpy.context.scene.render.motion_blur_position = 'CENTER'"),
    ("bpy.ops.mesh.select_random(percent=50)", "bpy.ops.mesh.select_random(ratio=0.5)"),
    ("bpy.ops.mesh.select_random(ratio=0.5)", None),
    # What a name alone would have made another value, another setting, or a call that raises.
    ("bpy.ops.pose.push(percentage=0.5)", "bpy.ops.pose.push(factor=0.5)"),
    ("print(bpy.context.object.is_visible(bpy.context.scene))", None),
    ("bpy.ops.mesh.rip_move_fill()", "bpy.ops.mesh.rip_move(MESH_OT_rip={'use_fill': True})"),
    ("bpy.context.scene.render.use_stamp_strip_meta = True", "bpy.context.scene.render.metadata_input = 'STRIPS'"),
    ("m = bpy.data.objects['Cube'].modifiers.new('s', 'SMOKE')\nm.domain_settings.amplify = 1", "m = bpy.data.objects['Cube'].modifiers.new('s', 'FLUID')\nm.domain_settings.noise_scale = 1 + 1"),
    ("bpy.data.images.new('i', 4, 4).colorspace_settings.name = 'XYZ'", "bpy.data.images.new('i', 4, 4).colorspace_settings.name = 'Linear CIE-XYZ D65'"),
    ("s = bpy.data.node_groups.new('S', 'ShaderNodeTree').nodes.new('ShaderNodeTexSky')\ns.sky_type = 'NISHITA'", "s = bpy.data.node_groups.new('S', 'ShaderNodeTree').nodes.new('ShaderNodeTexSky')\ns.sky_type = 'SINGLE_SCATTERING'"),
    ("n = bpy.data.node_groups.new('C', 'CompositorNodeTree').nodes.new('CompositorNodeDistanceMatte')\nn.channel = 'YCC'", 'n = bpy.data.node_groups.new(\'C\', \'CompositorNodeTree\').nodes.new(\'CompositorNodeDistanceMatte\')\nn.inputs["Color Space"].default_value = \'YCC\''),
    ("n = bpy.data.node_groups.new('C', 'CompositorNodeTree').nodes.new('CompositorNodeBokehBlur')\nn.blur_max = 16", None),
    ("import bmesh\nbmesh.ops.subdivide_edges(bm, edges=bm.edges[:], cuts=2, quad_corner_type=0)", "import bmesh\nbmesh.ops.subdivide_edges(bm, edges=bm.edges[:], cuts=2, quad_corner_type='INNER_VERT')"),
    ("bpy.context.preferences.filepaths.hide_recent_locations = True", "bpy.context.preferences.filepaths.show_recent_locations = False"),
    ("l = bpy.data.grease_pencils.new('p').layers.new('l')\nl.line_change = 10\nl.location = (1, 2, 3)", "l = bpy.data.grease_pencils.new('p').layers.new('l')\nl.radius_offset = 0.005\nl.translation = (1, 2, 3)"),
    # A setting that is named like another one: by its value, and because both are set.
    ("b = bpy.data.objects['Cube'].modifiers.new('b', 'BEVEL')\nb.limit_method = 'ANGLE'\nb.edge_weight_method = 'LARGEST'", "b = bpy.data.objects['Cube'].modifiers.new('b', 'BEVEL')\nb.limit_method = 'ANGLE'"),
    ("ob = bpy.data.objects['Cube']\nob.show_in_front = True\nob.show_x_ray = False", "ob = bpy.data.objects['Cube']\nob.show_in_front = True"),
    ("ob = bpy.data.objects['Cube']\nob.dupli_type = 'GROUP'\nob.draw_type = how", "ob = bpy.data.objects['Cube']\nob.instance_type = 'COLLECTION'\nob.display_type = how"),
    ("rig = bpy.context.object\nrig.data.draw_type = 'STICK'\nprint(rig)", "rig = bpy.context.object\nrig.data.display_type = 'STICK'\nprint(rig)"),
    # An exit that this Blender takes, and one that it does not.
    ("if bpy.app.version < (2, 80):\n    raise SystemExit\nbpy.ops.object.lamp_add()", "if bpy.app.version < (2, 80):\n    raise SystemExit\nbpy.ops.object.light_add()"),
    ("for ob in bpy.data.objects:\n    if not hasattr(ob, 'select'):\n        continue\n    ob.select = True\nob.draw_type = 'WIRE'", "for ob in bpy.data.objects:\n    if not hasattr(ob, 'select'):\n        continue\n    ob.select = True\nob.display_type = 'WIRE'"),
    # One selection for a bone and its ends; a path with a folder, of one file and of two.
    ("b = bpy.data.armatures['A'].bones[0]\nb.select = True\nb.select_head = True\nb.select_tail = True", "b = bpy.data.armatures['A'].bones[0]\nnext(ob for ob in bpy.data.objects if ob.data == b.id_data).pose.bones[b.name].select = True"),
    ("n = bpy.data.node_groups.new('c', 'CompositorNodeTree').nodes.get('Out')\nn.file_slots[0].path = 'depth/at_'", "n = bpy.data.node_groups.new('c', 'CompositorNodeTree').nodes.get('Out')\nn.file_name = 'depth/at_'\nn.file_output_items[0].name = \"\""),
    ("n = bpy.data.node_groups.new('c', 'CompositorNodeTree').nodes.get('Out')\nn.file_slots[0].path = 'depth/at_'\nn.file_slots[1].path = 'mist'", None),
    # Numbers of inputs, of a snippet that is older than their move, of one that need not be, and of a node of another type.
    ("r = bpy.data.node_groups.new('g', 'GeometryNodeTree').nodes.new('GeometryNodeResampleCurve')\nr.mode = 'LENGTH'\nr.inputs[3].default_value = 2", "r = bpy.data.node_groups.new('g', 'GeometryNodeTree').nodes.new('GeometryNodeResampleCurve')\nr.inputs[\"Mode\"].default_value = \"Length\"\nr.inputs[\"Length\"].default_value = 2"),
    ("r = bpy.data.node_groups.new('g', 'GeometryNodeTree').nodes.new('GeometryNodeResampleCurve')\nr.inputs[3].default_value = 2", None),
    ("r = bpy.data.node_groups.new('g', 'GeometryNodeTree').nodes\nr.new('GeometryNodeResampleCurve').mode = 'LENGTH'\nr.new('ShaderNodeTexVoronoi').inputs[5].default_value = 2", "r = bpy.data.node_groups.new('g', 'GeometryNodeTree').nodes\nr.new('GeometryNodeResampleCurve').inputs[\"Mode\"].default_value = \"Length\"\nr.new('ShaderNodeTexVoronoi').inputs[5].default_value = 2"),
    ("n = bpy.data.node_groups.new('g', 'ShaderNodeTree').nodes.new('ShaderNodeTexMusgrave')\nn.inputs[5].default_value = 2", "n = bpy.data.node_groups.new('g', 'ShaderNodeTree').nodes.new('ShaderNodeTexNoise')\nn.normalize = False\nn.inputs[5].default_value = 2"),
    # Smoothing that is turned off where it was never on, and where it was.
    ("me = bpy.data.meshes['Cube']\nme.use_auto_smooth = True\ndef plain(me):\n    me.use_auto_smooth = False\nplain(me)", "me = bpy.data.meshes['Cube']\nme.set_sharp_from_angle(angle=0.523599)\ndef plain(me):\n    me.set_sharp_from_angle(angle=3.141593)\nplain(me)"),
    ("me = bpy.data.meshes['Cube']\nme.use_auto_smooth = False\nme.name = 'n'", "me = bpy.data.meshes['Cube']\nme.name = 'n'"),
    # A button without text shows something.
    ("def draw(self: bpy.types.Panel, context):\n    self.layout.operator('wm.save_mainfile', text='', icon='SAVE_AS')\n    self.layout.operator('wm.save_mainfile', icon='SAVE_AS')", "def draw(self: bpy.types.Panel, context):\n    self.layout.operator('wm.save_mainfile', text='', icon='DOT')\n    self.layout.operator('wm.save_mainfile', icon='NONE')"),
    # Names of a module that is gone: all imported, one under another name, below a test, and where nothing helps.
    ("from bgl import *\ndef draw():\n    glEnable(GL_BLEND)\n    glTranslatef(1, 2, 3)", "import gpu\ndef draw():\n    gpu.state.blend_set('ALPHA')\n    gpu.matrix.translate((1, 2, 3))"),
    ("from bgl import glEnable as on, GL_BLEND\ndef draw():\n    on(GL_BLEND)\n    on(kind)", "import gpu\ndef draw():\n    from bgl import glEnable as on\n    gpu.state.blend_set('ALPHA')\n    on(kind)"),
    ("import bgl, blf\ndef draw():\n    if bpy.app.version < (3, 0):\n        bgl.glEnable(bgl.GL_BLEND)\nprint(1)", "import blf\ntry:\n    import bgl\nexcept ModuleNotFoundError:\n    pass\ndef draw():\n    if bpy.app.version < (3, 0):\n        bgl.glEnable(bgl.GL_BLEND)\nprint(1)"),
    ("try:\n    import bgl\nexcept ImportError:\n    bgl = None\nif bgl:\n    bgl.glEnable(bgl.GL_BLEND)\nprint(1)", None),
    # A bmesh without modifiers, which no argument asks for today; and the graph itself. A class that does its own part.
    ("import bmesh\nbmesh.new().from_object(bpy.context.object, bpy.context.scene, deform=False)", None),
    ("import bmesh\nbmesh.new().from_object(bpy.context.object, bpy.context.scene, True, False, True)", "import bmesh\nbmesh.new().from_object(bpy.context.object, bpy.context.evaluated_depsgraph_get(), cage=True)"),
    ("import bmesh\nbmesh.new().from_object(bpy.context.object, bpy.context.evaluated_depsgraph_get())", None),
    ("class A(bpy.types.Operator):\n    def __init__(self, *args):\n        super().__init__(*args)\nclass B(bpy.types.PropertyGroup):\n    def __init__(self):\n        pass\nprint(A, B)", None),
    # The number of the active view layer, read and set.
    ("scene = bpy.context.scene\nprint(scene.render.layers[scene.render.layers.active_index])", "scene = bpy.context.scene\nprint(scene.view_layers[scene.view_layers.find(bpy.context.view_layer.name)])"),
    ("bpy.context.scene.render.layers.active_index = 1", "bpy.context.window.view_layer = bpy.context.scene.view_layers[1]"),
    # The second number of a version: alone, and where the first one says what is meant.
    ("OLD = bpy.app.version[1] >= 80\nprint(OLD)", "OLD = bpy.app.version >= (2, 80)\nprint(OLD)"),
    ("if bpy.app.version[0] < 3 and bpy.app.version[1] < 80:\n    print(1)", None),
    ("print(bpy.app.version[1] < 3, bpy.app.version[0] > 2 or bpy.app.version[1] >= 80)", None),
    # Names of declared properties that mean something else: a variable beside them, one of the class, and a parameter.
    ("size = 2\nclass A(bpy.types.PropertyGroup):\n    size: bpy.props.IntProperty()\n    wide = size\nprint(A)", None),
    ("class A(bpy.types.PropertyGroup):\n    size: bpy.props.IntProperty()\n    size = 2\n    wide = size\nprint(A)", None),
    ("class A(bpy.types.PropertyGroup):\n    size: bpy.props.IntProperty()\n    wide = dict(size=2)\n    def of(self, size):\n        return size\nprint(A)", None),
    # The base of sockets in an interface, which a class of another module may also be called like.
    ("class I(bpy.types.NodeSocketInterface):\n    bl_socket_idname = 'S'\nprint(I)", "class I(bpy.types.NodeTreeInterfaceSocket):\n    bl_socket_idname = 'S'\nprint(I)"),
    ("import nodes\nclass I(nodes.NodeSocketInterface):\n    bl_socket_idname = 'S'\nprint(I)", None),
    # Points in colours of their own, a rectangle, and a colour that only some ways set.
    ("import bgl\ndef draw():\n    bgl.glBegin(bgl.GL_LINE_LOOP)\n    bgl.glColor3f(1, 0, 0)\n    bgl.glVertex3f(*v)\n    bgl.glEnd()\n    bgl.glRecti(1, 2, 3, 4)", "import gpu\nfrom gpu_extras.batch import batch_for_shader\ndef draw():\n    gl_color = (1.0, 1.0, 1.0, 1.0)\n    gl_points, gl_colors = [], []\n    gl_color = (1, 0, 0, 1.0)\n    gl_points.append((*v,))\n    gl_colors.append(gl_color)\n    if gl_points:\n        gl_shader = gpu.shader.from_builtin(\"SMOOTH_COLOR\")\n        gl_points.append(gl_points[0])\n        gl_colors.append(gl_colors[0])\n        batch_for_shader(gl_shader, \"LINE_STRIP\", {\"pos\": gl_points, \"color\": gl_colors}).draw(gl_shader)\n    gl_points = [(1, 2), (3, 2), (3, 4), (1, 4)]\n    gl_shader = gpu.shader.from_builtin(\"UNIFORM_COLOR\")\n    gl_shader.uniform_float(\"color\", gl_color)\n    batch_for_shader(gl_shader, \"TRIS\", {\"pos\": gl_points}, indices=[(0, i, i + 1) for i in range(1, len(gl_points) - 1)]).draw(gl_shader)"),
    ("import bgl\ndef draw():\n    if x:\n        bgl.glColor3f(1, 0, 0)\n    bgl.glRecti(1, 2, 3, 4)", "def draw():\n    import bgl\n    if x:\n        bgl.glColor3f(1, 0, 0)\n    bgl.glRecti(1, 2, 3, 4)"),
    ("import bgl\ndef draw():\n    bgl.glBegin(bgl.GL_POINTS); bgl.glVertex2f(0, 1); bgl.glEnd()\nprint(draw)", "import gpu\nfrom gpu_extras.batch import batch_for_shader\ndef draw():\n    gl_points = []\n    gl_points.append((0, 1))\n    if gl_points:\n        gl_shader = gpu.shader.from_builtin(\"UNIFORM_COLOR\")\n        gl_shader.uniform_float(\"color\", (1.0, 1.0, 1.0, 1.0))\n        batch_for_shader(gl_shader, \"POINTS\", {\"pos\": gl_points}).draw(gl_shader)\nprint(draw)"),
    ("def glBegin(kind):\n    return kind\nglBegin('GL_LINES')", None),
    # Types and modules that are imported: those that are there, a class of an interface, and other forms.
    ("from bpy.types import Object, VIEW3D_MT_add\nprint(Object)", None),
    ("from bpy_extras.io_utils import ExportHelper, orientation_helper_factory\nAxes = orientation_helper_factory('Axes', axis_up='Y')\nprint(ExportHelper)", "from bpy_extras.io_utils import ExportHelper, orientation_helper\n@orientation_helper(axis_up='Y')\nclass Axes:\n    pass\nprint(ExportHelper)"),
    ("import bpy_types\nclass Shed(bpy_types.Menu):\n    bpy_types = 1\nprint(Shed)", "import _bpy_types\nclass Shed(_bpy_types.Menu):\n    bpy_types = 1\nprint(Shed)"),
    ("rna_info = 1\nprint(rna_info)", None),
    ("from nodeitems_builtins import ShaderNewNodeCategory\nprint(ShaderNewNodeCategory)", "from nodeitems_builtins import ShaderNodeCategory as ShaderNewNodeCategory\nprint(ShaderNewNodeCategory)"),
    ("from bpy_extras.view3d_utils import location_3d_to_region_2d as to_2d\nto_2d(1, 2, 3, None)\nbpy.utils.user_resource('SCRIPTS', 'a', True)", "from bpy_extras.view3d_utils import location_3d_to_region_2d as to_2d\nto_2d(1, 2, 3, default=None)\nbpy.utils.user_resource('SCRIPTS', path='a', create=True)"),
    ("def draw(self: bpy.types.Panel, context):\n    self.layout.operator('wm.save_mainfile', icon='BRUSH_SMEAR')", "def draw(self: bpy.types.Panel, context):\n    self.layout.operator('wm.save_mainfile', icon='BRUSH_DATA')"),
    ("def of(ob, scene, flag):\n    return ob.to_mesh(scene, flag, 'PREVIEW', False)\nprint(of)", "def of(ob, scene, flag):\n    return bpy.data.meshes.new_from_object(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()) if flag else ob)\nprint(of)"),
    ("def annotate(cls):\n    found = {k: v for k, v in cls.__dict__.items() if isinstance(v, tuple)}\n    cls.__annotations__.update(found)\nprint(annotate)", "def annotate(cls):\n    found = {k: v for k, v in cls.__dict__.items() if isinstance(v, bpy.props._PropertyDeferred)}\n    cls.__annotations__.update(found)\nprint(annotate)"),
    ("def is_pair(value):\n    return isinstance(value, tuple) and len(value) == 2\nprint(is_pair)", None),
    ("class A(bpy.types.Panel):\n    bl_idname = 'X_PT_x'\n    bl_space_type = 'VIEW_3D'\nclass B(bpy.types.Panel):\n    bl_idname = 'X_PT_x'\n    bl_space_type = 'VIEW_3D'\nprint(A, B)", None),
    ("def told(self, context):\n    wm = bpy.context.window_manager\n    bpy.data.texts[0].from_string(string='x')\n    return wm.invoke_popup(self, width=200, height=100)\nprint(told)", "def told(self, context):\n    wm = bpy.context.window_manager\n    bpy.data.texts[0].from_string(text='x')\n    return wm.invoke_popup(self, width=200)\nprint(told)"),
    ("bpy.types.SpaceTimeline.draw_handler_add(print, (), 'WINDOW', 'POST_PIXEL')", "bpy.types.SpaceDopeSheetEditor.draw_handler_add(print, (), 'WINDOW', 'POST_PIXEL')"),
    ("maps = bpy.context.window_manager.keyconfigs.addon.keymaps\nkm = maps.new(name='Timeline', space_type='TIMELINE'); print(bpy.context.window_manager.keyconfigs.addon.keymaps['Timeline'])", "maps = bpy.context.window_manager.keyconfigs.addon.keymaps\nkm = maps.new(name='Dopesheet', space_type='DOPESHEET_EDITOR'); print(bpy.context.window_manager.keyconfigs.addon.keymaps['Dopesheet'])"),
    ("class RENDER_PT_shading(bpy.types.Panel):\n    bl_parent_id = 'RENDER_PT_shading'\nprint(RENDER_PT_shading, 'INFO_MT_add')", None),
    ("def hello(keys):\n    keys.properties.name = 'INFO_MT_add'\nprint(hello)", "def hello(keys):\n    keys.properties.name = 'VIEW3D_MT_add'\nprint(hello)"),
    ("from bpy_extras.io_utils import path_reference_mode\nprint(1)", None),
    ("def draw(self: bpy.types.Panel, context):\n    row = self.layout.split(percentage=0.3)\n    row.label('Name')", "def draw(self: bpy.types.Panel, context):\n    row = self.layout.split(factor=0.3)\n    row.label(text='Name')"),
    ("from bpy.types import Sequences\ndef of(one: Sequences):\n    return one\nprint(of)", "from bpy.types import StripsTopLevel as Sequences\ndef of(one: Sequences):\n    return one\nprint(of)"),
    ("try:\n    from bpy.types import Sequence\nexcept ImportError:\n    Sequence = None\nprint(1)", None),
    ("import bl_ui.properties_data_lamp\nfrom bl_ui import properties_data_lamp, properties_render\nprint(bl_ui.properties_data_lamp)", "import bl_ui.properties_data_light\nfrom bl_ui import properties_data_light, properties_render\nprint(bl_ui.properties_data_light)"),
    ("print('bl_ui.properties_data_lamp')", None),
    # Operators of numbered layers, without a module, and of a macro; members of a context that are read.
    ("bpy.ops.object.select_by_layer()", "bpy.ops.object.select_all(action='SELECT')"),
    ("bpy.ops.nothing_at_all()", None),
    ("bpy.ops.object.duplicate_move(TRANSFORM_OT_translate={'value': (1, 0, 0), 'orient_type': 'GLOBAL'})", None),
    ("bpy.context.object = bpy.data.objects['Cube']", "bpy.context.view_layer.objects.active = bpy.data.objects['Cube']"),
    ("class Mine:\n    scene = 1\nmine = Mine()\nmine.scene = 2", None),
    ("def pick(n):\n    return [i == n for i in range(20)]\nbpy.context.object.layers[:] = pick(1)", "def pick(n):\n    return [i == n for i in range(20)]\npick(1)"),
    # Passes of render layers, and outputs of other nodes with such a name.
    ("def of(node):\n    return node.outputs['GlossInd'], node.outputs['Env']\nprint(of)", "def of(node):\n    return node.outputs[\"Glossy Indirect\"], node.outputs['Env']\nprint(of)"),
    # What is right today, and what was: the arguments by place tell.
    ("ob = bpy.data.objects['Cube']\nob.to_mesh(preserve_all_data_layers=True, depsgraph=None)", None),
    ("ob = bpy.data.objects['Cube']\nob.to_mesh(bpy.context.scene, False, 'PREVIEW')", "ob = bpy.data.objects['Cube']\nbpy.data.meshes.new_from_object(ob)"),
    # A guess mends a typing error where the run failed; words that only sound alike are no guess, nor is code that never ran.
    ("bpy.data.objects['Cube'].loaction = (1, 2, 3)", "bpy.data.objects['Cube'].location = (1, 2, 3)"),
    ("bpy.data.objects['Cube'].display_kind = 'WIRE'", None),
    ("def later():\n    bpy.data.objects['Cube'].loaction = (1, 2, 3)\nprint(later)", None),
    # Bones of an armature that several objects may share, and those in edit mode, which are selected as ever.
    ("arm = bpy.data.armatures['A']\nfor b in arm.bones:\n    b.select = True", "arm = bpy.data.armatures['A']\nfor b in arm.bones:\n    next(ob for ob in bpy.data.objects if ob.data == b.id_data).pose.bones[b.name].select = True"),
    ("arm = bpy.data.armatures['A']\nfor b in arm.edit_bones:\n    b.select = True\n    b.hide = True", None),
    # Numbers of inputs are those of today unless something else shows how old the script is.
    ("p = bpy.data.materials['M'].node_tree.nodes.new('ShaderNodeBsdfPrincipled')\np.inputs[4].default_value = 0.5", None),
    # Backslashes that are meant, in text and in paths that were written with care.
    ("print('a\\tb', 'C:\\\\temp', r'C:\\temp', 'C:\\data')", None),
    ("print('x:\\tone', 'Sum:\\t', 'N:\\ttwo', 'D:\\n')", None),
    ("print('C:\\new\\file.txt')", "print(r'C:\\new\\file.txt')"),
    # A custom property of a name that nothing registers, and one of another type.
    ("bpy.types.Scene.floors = bpy.props.IntProperty()\nbpy.data.objects['Cube']['floors'] = 2", None),
    # An emitter is rendered unless it is told not to; an icon that is worked out may be right.
    ("p = bpy.data.particles.new('p')\np.use_render_emitter = True\nbpy.data.objects['Cube'].draw_type = 'WIRE'", "p = bpy.data.particles.new('p')\nbpy.data.objects['Cube'].display_type = 'WIRE'"),
    # A part of the scene may have a name in capitals.
    ("R = bpy.context.scene.render\nR.use_raytrace = True\nR.layers['RenderLayer'].use = True", "R = bpy.context.scene.render\nR.id_data.view_layers[0].use = True"),
    # A compositor whose nodes a helper makes.
    ("def made(kind):\n    return bpy.context.scene.node_tree.nodes.new(kind)\nmade('CompositorNodeComposite')", "def made(kind):\n    if bpy.context.scene.compositing_node_group is None:\n        bpy.context.scene.compositing_node_group = bpy.data.node_groups.new(\"Compositing\", \"CompositorNodeTree\")\n        bpy.context.scene.compositing_node_group.interface.new_socket(name=\"Image\", in_out=\"OUTPUT\", socket_type=\"NodeSocketColor\")\n    return bpy.context.scene.compositing_node_group.nodes.new(kind)\nmade('NodeGroupOutput')"),
    ("kinds = ['CompositorNodeComposite']\nprint(kinds)", None),
    # The type of a name that is given a rotation anew.
    ("from mathutils import Matrix\ndef turned(v):\n    q = v.to_track_quat('-Z', 'Y')\n    q = q.to_matrix().to_4x4() * Matrix.Identity(4)\n    return Matrix.Identity(4) * q\nturned(bpy.data.objects['Cube'].location)", "from mathutils import Matrix\ndef turned(v):\n    q = v.to_track_quat('-Z', 'Y')\n    q = q.to_matrix().to_4x4() @ Matrix.Identity(4)\n    return Matrix.Identity(4) @ q\nturned(bpy.data.objects['Cube'].location)"),
    # An action that only a strip plays.
    ("ob = bpy.data.objects['Cube']\nact = bpy.data.actions.new('A')\nact.fcurves.new('location', index=0)\nob.animation_data_create()\ntrack = ob.animation_data.nla_tracks.new()\ntrack.strips.new('A', 1, act)", "from bpy_extras import anim_utils\nob = bpy.data.objects['Cube']\nact = bpy.data.actions.new('A')\nanim_utils.action_ensure_channelbag_for_slot(act, act.slots[0] if act.slots else act.slots.new(ob.id_type, ob.name)).fcurves.new('location', index=0)\nob.animation_data_create()\ntrack = ob.animation_data.nla_tracks.new()\ntrack.strips.new('A', 1, act)"),
    # Settings that have another name in the script, which may also be read.
    ("u = bpy.context.tool_settings.unified_paint_settings\nu.size = 5", "for mode in (\"sculpt\", \"image_paint\", \"vertex_paint\", \"weight_paint\", \"curves_sculpt\", \"gpencil_paint\"):\n    if paint := getattr(bpy.context.tool_settings, mode):\n        paint.unified_paint_settings.size = 2 * 5"),
    ("u = bpy.context.tool_settings.unified_paint_settings\nu.size = 5\nprint(u.size)", None),
    ("c = bpy.data.cameras['Camera']\nc.show_guide = {'THIRDS', 'CENTER'}", "c = bpy.data.cameras['Camera']\nc.show_composition_thirds = True\nc.show_composition_center = True"),
    ("c = bpy.data.cameras['Camera']\nc.show_guide = guides", None),
    # A blur in per cent of the picture; in pixels, the percentages had no effect.
    ("t = bpy.data.node_groups.new('c', 'CompositorNodeTree')\nb = t.nodes.new('CompositorNodeBlur')\nb.use_relative = True\nb.factor_x = 20\nb.factor_y = n + 1", "t = bpy.data.node_groups.new('c', 'CompositorNodeTree')\nb = t.nodes.new('CompositorNodeBlur')\nb.inputs[\"Size\"].default_value = (20 / 100 * bpy.context.scene.render.resolution_x, (n + 1) / 100 * bpy.context.scene.render.resolution_y)"),
    ("t = bpy.data.node_groups.new('c', 'CompositorNodeTree')\nb = t.nodes.new('CompositorNodeBlur')\nb.factor_x = 20\nb.size_x = 5", "t = bpy.data.node_groups.new('c', 'CompositorNodeTree')\nb = t.nodes.new('CompositorNodeBlur')\nb.inputs[\"Size\"].default_value = (5, 0)"),
    # Methods by number, and a number that names none.
    ("import bmesh\nbm = bmesh.new()\nbmesh.ops.triangulate(bm, faces=bm.faces, quad_method=3, ngon_method=1)", "import bmesh\nbm = bmesh.new()\nbmesh.ops.triangulate(bm, faces=bm.faces, quad_method='SHORT_EDGE', ngon_method='EAR_CLIP')"),
    ("import bmesh\nbm = bmesh.new()\nbmesh.ops.triangulate(bm, faces=bm.faces, quad_method=how)", None),
    ("import bmesh\nbm = bmesh.new()\nbmesh.ops.delete(bm, geom=bm.faces[:], context=5)", "import bmesh\nbm = bmesh.new()\nbmesh.ops.delete(bm, geom=bm.faces[:], context='FACES')"),
    ("import bmesh\nbm = bmesh.new()\nbmesh.ops.delete(bm, geom=bm.faces[:], context=0)", None),
    # Arguments that may be left out have names in the manifest; those that are required have their place.
    ("bpy.context.scene.timeline_markers.new('start', 1)", "bpy.context.scene.timeline_markers.new('start', frame=1)"),
    ("bpy.context.scene.timeline_markers.new('start', frame=1)", None),
    # A member of one other group, of two, and of none.
    ("bpy.context.preferences.system.wobbles = True", None),
    ("m = bpy.data.materials['M']\nm.raytrace_mirror.depth = found()", None),
    ("c = bpy.data.curves.new('c', 'CURVE')\nc.show_normal_face = how()", None),
    ("bpy.data.objects['Cube'].show_in_frnt = True", "bpy.data.objects['Cube'].show_in_front = True"),
    ("ob = bpy.data.objects['Cube']\nob.is_updated = 1", None),
    # Limits of a property that is not there yet, and of one below.
    ("ob = bpy.data.objects['Cube']\nob['_RNA_UI'] = {'x': {'min': 0}}\nob['x'] = 1", None),
    ("ob = bpy.data.objects['Cube']\nob['x'] = 1\nob['_RNA_UI'] = {}\nob['_RNA_UI']['x'] = {'min': 0}", "ob = bpy.data.objects['Cube']\nob['x'] = 1\nob.id_properties_ui(\"x\").update(**{'min': 0})"),
    # A number and a colour of one name.
    ("t = bpy.data.node_groups.new('c', 'CompositorNodeTree')\nb = t.nodes.new('CompositorNodeColorBalance')\nb.lift = (1, 1, 1)", "t = bpy.data.node_groups.new('c', 'CompositorNodeTree')\nb = t.nodes.new('CompositorNodeColorBalance')\nb.inputs[\"Color Lift\"].default_value = (*(1, 1, 1), 1.0)[:4]"),
    # An angle that no edge has keeps what was marked.
    ("me = bpy.data.meshes['Cube']\nme.use_auto_smooth = True\nme.auto_smooth_angle = 3.14159\nme.name = 'n'", "me = bpy.data.meshes['Cube']\nme.name = 'n'"),
    # An action that a strip plays elsewhere: of an object, and of what nothing tells.
    ("ob = bpy.data.objects['Cube']\nob.animation_data_create()\ndef made(act):\n    return act.fcurves.new('location')\nact = bpy.data.actions.new('A')\nact.fcurves.new('location', index=0)", "from bpy_extras import anim_utils\nob = bpy.data.objects['Cube']\nob.animation_data_create()\ndef made(act):\n    return act.fcurves.new('location')\nact = bpy.data.actions.new('A')\nanim_utils.action_ensure_channelbag_for_slot(act, act.slots[0] if act.slots else act.slots.new(\"OBJECT\", act.name)).fcurves.new('location', index=0)"),
    ("act = bpy.data.actions.new('A')\nact.fcurves.new('location', index=0)", None),
    # The layer of a bone that is asked for.
    ("b = bpy.data.armatures['A'].bones[0]\nprint(b.layers[1])", "b = bpy.data.armatures['A'].bones[0]\nprint((\"Layer 2\" in b.collections))"),
    ("b = bpy.data.armatures['A'].bones[0]\nprint(b.layers[n])", None),
    # Whole numbers that are worked out, and floats where they are taken.
    ("scene = bpy.context.scene\nscene.frame_set(scene.frame_end // 2)\nscene.frame_set(len(bpy.data.objects) * 2)", None),
    ("scene = bpy.context.scene\nscene.frame_set(frame=scene.frame_end * 0.5)", "scene = bpy.context.scene\nscene.frame_set(frame=int(scene.frame_end * 0.5))"),
    ("bpy.data.objects['Cube'].location.x = 5 / 2\nbpy.context.scene.frame_set(1, subframe=1 / 2)", None),
    # A colour that is linked gives light as well as one that is set; a roughness gives none.
    ("n = bpy.data.materials['M'].node_tree.nodes\nt = n.id_data\nb = n.new('ShaderNodeBsdfPrincipled')\nt.links.new(n.new('ShaderNodeRGB').outputs[0], b.inputs['Emission'])", "n = bpy.data.materials['M'].node_tree.nodes\nt = n.id_data\nb = n.new('ShaderNodeBsdfPrincipled')\nt.links.new(n.new('ShaderNodeRGB').outputs[0], b.inputs[\"Emission Color\"])\nb.inputs[\"Emission Strength\"].default_value = 1.0"),
    ("n = bpy.data.materials['M'].node_tree.nodes\nt = n.id_data\nb = n.new('ShaderNodeBsdfPrincipled')\nt.links.new(n.new('ShaderNodeValue').outputs[0], b.inputs['Roughness'])", None),
    # Set before the mesh has edges.
    ("me = bpy.data.meshes.new('m')\nme.use_auto_smooth = True\nme.from_pydata([], [], [])", "me = bpy.data.meshes.new('m')\nme.from_pydata([], [], [])\nme.set_sharp_from_angle(angle=0.523599)"),
    # The type of an object, and an item of the add-on itself with the same name.
    ("items = [('LAMP', 'Lamp', ''), ('MESH', 'Mesh', '')]\nif kind.type == 'LAMP':\n    print([ob for ob in bpy.data.objects if ob.type == 'LAMP'])", "items = [('LAMP', 'Lamp', ''), ('MESH', 'Mesh', '')]\nif kind.type == 'LAMP':\n    print([ob for ob in bpy.data.objects if ob.type == 'LIGHT'])"),
    # A setting that is gone is not set; what only reads it stays, and fails for all to see.
    ("steps = 2\nsteps += bpy.context.scene.render.use_antialiasing", None),
    ("bpy.context.scene.render.antialiasing_samples += '8'\nprint(1)", "print(1)"),
    # A property that was never set is still not there.
    ("bpy.types.Object.my_id = bpy.props.IntProperty()\nob = bpy.data.objects['Cube']\nif ob.get('my_id') is None:\n    ob['my_id'] = 3", "bpy.types.Object.my_id = bpy.props.IntProperty()\nob = bpy.data.objects['Cube']\nif (ob.my_id if ob.is_property_set(\"my_id\") else None) is None:\n    ob.my_id = 3"),
    # A list of that name is the script's own.
    ("class Slots:\n    def __init__(self):\n        self.layer_slots = []\n    def add(self, x):\n        self.layer_slots.append(x)", None),
    # Diameters that were radii.
    ("bpy.context.scene.tool_settings.unified_paint_settings.size = 20", "for mode in (\"sculpt\", \"image_paint\", \"vertex_paint\", \"weight_paint\", \"curves_sculpt\", \"gpencil_paint\"):\n    if paint := getattr(bpy.context.scene.tool_settings, mode):\n        paint.unified_paint_settings.size = 2 * 20"),
    # Options of another operator with the same name, and those that one format does not have.
    ("bpy.ops.export_scene.obj(filepath='a.obj', group_by_object=True, use_edges=True)", "bpy.ops.wm.obj_export(filepath='a.obj', export_object_groups=True)"),
    # The first layer is a collection if it is asked for.
    ("b = bpy.data.armatures['A'].bones[0]\nb.layers[0] = True\nprint(1)", "b = bpy.data.armatures['A'].bones[0]\nprint(1)"),
    ("b = bpy.data.armatures['A'].bones[0]\nb.layers[0] = True\nprint(b.layers[0])", "b = bpy.data.armatures['A'].bones[0]\n(b.id_data.collections.get(\"Layer 1\") or b.id_data.collections.new(\"Layer 1\")).assign(b)\nprint((\"Layer 1\" in b.collections))"),
    # Abbreviations keep their capitals.
    ("t = bpy.data.node_groups.new('c', 'CompositorNodeTree')\nb = t.nodes.new('CompositorNodeChannelMatte')\nb.color_space = 'RGB'", "t = bpy.data.node_groups.new('c', 'CompositorNodeTree')\nb = t.nodes.new('CompositorNodeChannelMatte')\nb.inputs[\"Color Space\"].default_value = \"RGB\""),
    # Words that only end like a version, and keys of an own dictionary, guard nothing.
    ("if conversion == 'MESH' or 'a' in PRESETS.keys():\n    bpy.context.scene.update()", "if conversion == 'MESH' or 'a' in PRESETS.keys():\n    bpy.context.view_layer.update()"),
    ("if blender_version == 2 or 'a' in bpy.context.preferences.addons.keys():\n    bpy.context.scene.update()\nprint(1)", None),
    # Adaptive subdivision is one of the modifier.
    ("ob = bpy.data.objects['Cube']\nob.cycles.use_adaptive_subdivision = True", "ob = bpy.data.objects['Cube']\nfor modifier in ob.modifiers:\n    if modifier.type == 'SUBSURF':\n        modifier.use_adaptive_subdivision = True"),
    # Two repairs of one line, one of which belongs to another line.
    ("t = bpy.data.materials['M'].node_tree.nodes.new('ShaderNodeTexImage')\nt.color_space = 'NONE'\nt.image = bpy.data.images.load('a.png', True)", "t = bpy.data.materials['M'].node_tree.nodes.new('ShaderNodeTexImage')\nt.image = bpy.data.images.load('a.png', check_existing=True)\nt.image.colorspace_settings.name = \"Non-Color\""),
    # An axis of the mirror in a panel, and one of what nothing tells.
    ("m = bpy.data.objects['Cube'].modifiers.new('M', 'MIRROR')\nclass P(bpy.types.Panel):\n    def draw(self, context):\n        self.layout.prop(m, 'use_x', text='X')", "m = bpy.data.objects['Cube'].modifiers.new('M', 'MIRROR')\nclass P(bpy.types.Panel):\n    def draw(self, context):\n        self.layout.prop(m, \"use_axis\", text='X', index=0)"),
    ("class P(bpy.types.Panel):\n    def draw(self, context):\n        self.layout.prop(context.object.modifiers['Mirror'], 'use_x', text='X')", None),
]  # fmt: skip
"""What a repair must not change: a script, and what becomes of it, or None if it is left alone."""
