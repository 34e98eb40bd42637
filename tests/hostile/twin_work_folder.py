"""passed: what stays in its own folder works: files, folders, renaming, copying, modes."""

import os
import pathlib
import shutil
import tempfile

os.makedirs("a/b", exist_ok=True)
path = pathlib.Path("a/b/file.txt")
path.write_text("mine")
path.chmod(0o600)
os.utime(path, (1, 1))
shutil.copy2(path, "copy.txt")
shutil.move("copy.txt", "a/moved.txt")
assert pathlib.Path("a/moved.txt").read_text() == "mine"
with tempfile.TemporaryDirectory() as folder:
    pathlib.Path(folder, "x").write_text("x")
shutil.rmtree("a")
assert __file__ and pathlib.Path(__file__).read_text()
