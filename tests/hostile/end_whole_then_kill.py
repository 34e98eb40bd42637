"""crashed: says all that an honest process says, and kills itself.

Says: said that it had ended
"""

import os
import sys

import bpy

frame = sys._getframe()
while frame and not {'channel', 'job'} <= set(frame.f_locals):
    frame = frame.f_back
channel, job = frame.f_locals['channel'], frame.f_locals['job']
bpy.data.objects['Cube'].location.x = 2
channel.send('snippet_ended', exception=None, exit_code=None, registered=[])
bpy.ops.wm.save_as_mainfile(filepath=os.path.join(job.saved_folder, 'after.blend'), copy=True, check_existing=False)
channel.send_saved('after.blend')
channel.send('finished')
getattr(os, 'kill')(os.getpid(), 9)
