"""passed: finds no module, name, folder, descriptor, operator or variable that tells that it is being proven."""

import os
import socket
import stat
import sys

import bpy

found = []
found += [name for name in sys.modules if name.partition('.')[0] in ('harness', 'enter', 'app')]
found += [name for name in (socket.gethostname(), os.uname().nodename) if name in ('blender', 'blendproof', 'sandbox')]
where = [os.getcwd(), __file__, os.environ['HOME'], *sys.argv, *sys.path[:1]]
parts = {part for path in where for part in path.split('/')}
found += parts & {'job', 'run', 'work', 'kept', 'examine', 'proof', 'harness', 'sandbox'}
found += [name for name in os.listdir('..') if name not in ('home', 'tmp', 'files', 'out')]
found += [name for name in os.environ if name.startswith(('BLENDER_USER', 'BLENDPROOF', 'PYTHON'))]
found += [name for name in os.environ if name in ('OPENBLAS_NUM_THREADS', 'GLIBC_TUNABLES')]
for descriptor in range(3, 64):
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError:
        continue
    if stat.S_ISSOCK(mode) or stat.S_ISFIFO(mode):
        found.append(f'descriptor {descriptor}')
if type(bpy.ops.render.render) is not type(bpy.ops.mesh.primitive_cube_add):
    found.append('the render operator')
import builtins

found += [name for name in dir(builtins) if 'hook' in name or 'harness' in name]
assert not found, found
