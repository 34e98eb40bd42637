"""exited_early: ends its process with a status that means success."""
import os

os._exit(0)
