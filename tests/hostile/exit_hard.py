"""exited_early: leaves at once with the status of success."""

import os

os._exit(0)
