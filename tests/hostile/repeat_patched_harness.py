"""passed: adds a cube, and has all that runs it afterwards do nothing."""

import sys

import bpy


def nothing(*arguments, **options):
    return {'exception': None, 'exit_code': None}


frame = sys._getframe()
while frame:
    for name in ('run_snippet', 'run_again'):
        if name in frame.f_globals and frame.f_globals['__name__'] != '__main__':
            frame.f_globals[name] = nothing
    frame = frame.f_back
bpy.ops.mesh.primitive_cube_add(size=1)
