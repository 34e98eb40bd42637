"""timed_out: says in the right order that it ended, saves the scene itself, and never ends.

Says: still running
"""

import os
import sys
import time

import bpy

frame = sys._getframe()
while frame and not {'channel', 'job'} <= set(frame.f_locals):
    frame = frame.f_back
channel, job = frame.f_locals['channel'], frame.f_locals['job']
bpy.data.objects['Cube'].location.x = 2
channel.send('snippet_ended', exception=None, exit_code=None, registered=[])
bpy.ops.wm.save_as_mainfile(filepath=os.path.join(job.saved_folder, 'after.blend'), copy=True, check_existing=False)
channel.send_saved('after.blend')
while True:
    time.sleep(0.2)
