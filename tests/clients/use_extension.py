"""Uses the extension in a Blender: python use_extension.py ARCHIVE ADDRESS; status 0 if all holds.

There is no window, so the timer of the jobs is looked after by hand.
"""

from __future__ import annotations

import importlib
import os
import sys
import time
import traceback
from pathlib import Path
from typing import Any

import bpy

NAME = "bl_ext.user_default.blendproof"
SOON_S = 5
"""Soon on a busy machine; the extension waits ten seconds for a service that says nothing."""
OLD = "import bpy\n\nbpy.context.object.location.x = 2\nbpy.context.object.select = True\n"


class Use:
    """The extension after its installation."""

    def __init__(self, archive: str, address: str) -> None:
        bpy.ops.extensions.package_install_files(filepath=archive, repo="user_default", enable_on_install=True)
        self.state: Any = importlib.import_module(f"{NAME}.state")
        self.texts: Any = importlib.import_module(f"{NAME}.texts")
        self.own: Any = bpy.context.preferences.addons[NAME].preferences
        self.own.address = address
        self.own.blender = "5.0"
        self.shown = self.state.shown

    def opens(self, text: Any) -> None:
        """Have this text open: there is no Text Editor without a window."""

        def open_text(_context: Any) -> Any:
            return text

        self.texts.open_text = open_text

    def wait(self) -> None:
        """Wait for the end of the job."""
        until = time.monotonic() + 90
        while self.state.jobs.current:
            assert time.monotonic() < until, "it takes too long"
            time.sleep(0.02)
            self.state.jobs.look()

    def trouble(self) -> Any:
        """The problem that the panels show, or None."""
        return self.shown.problem

    def refused(self, operator: Any, *words: str) -> None:
        """Check that a button refuses at once, and says these words where the user sees them."""
        begun = time.monotonic()
        try:
            operator()
        except RuntimeError as error:
            assert all(word in str(error) for word in words), error
        else:
            raise AssertionError("it was not refused")
        assert time.monotonic() - begun < SOON_S and words[0] in self.shown.problem.message

    def asks_on_its_scene_and_appends(self) -> None:
        """A request on the open scene: proven, in a text of its own, and not executed here."""
        bpy.data.objects["Cube"].name = "Mine"
        manager = bpy.context.window_manager
        manager.blendproof_request, manager.blendproof_on_scene = "Duplicate Mine called Yours at (4, 0, 0)", True
        before = set(bpy.data.objects)
        assert bpy.ops.blendproof.ask() == {"FINISHED"}
        assert self.state.jobs.current and not bpy.ops.blendproof.ask.poll(), "it does not wait for the answer"
        self.wait()
        manager.blendproof_on_scene = False
        assert self.trouble() is None, self.trouble().message
        assert self.shown.run["status"] == "proven", self.shown.findings
        assert self.shown.run["blender"].startswith("5.0.")
        assert bpy.data.texts[self.shown.text].as_string() == self.shown.run["snippet"]
        assert self.state.picture.there and set(bpy.data.objects) == before
        bpy.ops.blendproof.append()
        self.wait()
        if bpy.app.version < (4, 5):  # It does not read what 5.0 saved.
            assert "cannot be read here" in self.trouble().message and "prove on" in self.trouble().hint
        else:
            assert self.shown.note == "Appended: Yours", (self.shown.note, self.trouble())
            assert "Yours" in bpy.context.scene.objects
        assert not bpy.data.libraries

    def heals_a_text(self) -> None:
        """An old script: the healed one is a text of its own until it replaces the old one."""
        text = bpy.data.texts.new("old.py")
        text.from_string(OLD)
        self.opens(text)
        bpy.ops.blendproof.prove(heal=True)
        self.wait()
        assert self.shown.run["status"] == "proven", self.shown.findings
        assert (text.as_string(), self.shown.text) == (OLD, "old-healed.py")
        changed = self.texts.diff(OLD, self.shown.run["snippet"])
        assert "-bpy.context.object.select = True" in changed and "+bpy.context.object.select_set(True)" in changed
        assert bpy.ops.blendproof.replace() == {"FINISHED"}
        assert text.as_string() == self.shown.run["snippet"] and not bpy.ops.blendproof.replace.poll()

    def jumps_to_a_finding(self) -> None:
        """A text that is no Python: its finding has a line."""
        text = bpy.data.texts.new("wrong.py")
        text.from_string("import bpy\n\nprint(bpy.app.version\n\n")
        self.opens(text)
        bpy.ops.blendproof.prove()
        self.wait()
        assert (self.shown.run["status"], self.shown.text) == ("not_proven", "wrong.py"), self.shown
        assert self.shown.findings[0]["line"] == 3, self.shown.findings
        bpy.ops.blendproof.jump(finding=0)
        assert text.current_line_index == 2

    def finds_it_in_the_history(self) -> None:
        """The newest runs, and one of them again."""
        bpy.ops.blendproof.history()
        self.wait()
        # The same service answers other Blenders, and what they asked may be under way.
        proven = [run for run in self.shown.history if run["status"] == "proven"]
        runs = [run for run in proven if run["title"].startswith("Duplicate")]
        bpy.ops.blendproof.show_run(run=runs[0]["id"])
        self.wait()
        assert self.shown.run["id"] == runs[0]["id"] and self.shown.text == ""
        bpy.ops.blendproof.open_snippet()
        assert self.shown.text in bpy.data.texts

    def stops_what_it_reads(self) -> None:
        """What is stopped ends at once, and what it brings later is thrown away."""
        kept, listed = self.shown.history, self.shown.run
        self.shown.history = kept[:0]
        for button in (bpy.ops.blendproof.history, lambda: bpy.ops.blendproof.show_run(run=listed["id"])):
            button()
            bpy.ops.blendproof.stop()
            self.state.jobs.look()
            assert self.state.jobs.current is None and self.shown.note == "Stopped."
            time.sleep(0.5)
            self.state.jobs.look()
            assert self.shown.history == [] and self.shown.run is listed
        self.shown.history = kept

    def says_what_is_wrong(self) -> None:
        """Each refusal has a near twin above that is taken."""
        kept = self.own.address
        manager = bpy.context.window_manager
        self.own.address = "http://127.0.0.1:9"
        begun = time.monotonic()
        bpy.ops.blendproof.history()
        self.wait()
        assert "connection refused" in self.shown.problem.message and time.monotonic() - begun < SOON_S
        self.own.address = "http://192.0.2.1"
        self.refused(bpy.ops.blendproof.history, "may not go online", "Allow Online Access")
        self.own.address = "ftp://127.0.0.1"
        self.refused(bpy.ops.blendproof.history, "no address of a service", "http://127.0.0.1:8484")
        self.own.address = kept
        other = Path(bpy.app.tempdir) / "other.blend"
        bpy.data.libraries.write(str(other), {bpy.data.objects["Mine"]})
        with bpy.data.libraries.load(str(other), link=True) as (_there, wanted):
            wanted.objects = ["Mine"]
        manager.blendproof_on_scene = True
        self.refused(bpy.ops.blendproof.ask, "other.blend", "Pack Linked Libraries")
        bpy.ops.wm.save_as_mainfile(filepath=str(other.with_name("mine.blend")))
        bpy.ops.file.make_paths_relative()
        bpy.ops.file.pack_libraries()
        assert importlib.import_module(f"{NAME}.scene").unpacked_libraries() == []

    def forgets_the_run_of_a_closed_file(self) -> None:
        """Another file is opened in the middle of a run: nothing of the run lands there."""
        bpy.context.window_manager.blendproof_on_scene = False
        saved = str(Path(bpy.app.tempdir) / "saved.blend")
        bpy.ops.wm.save_as_mainfile(filepath=saved, copy=True)
        self.opens(bpy.data.texts["wrong.py"])
        bpy.ops.blendproof.prove()
        bpy.ops.wm.open_mainfile(filepath=saved)
        assert self.state.jobs.current is None and "find the run in the history" in self.shown.note
        before = len(bpy.data.texts)
        time.sleep(0.5)
        self.state.jobs.look()
        assert len(bpy.data.texts) == before and self.shown.text == ""

    def is_turned_off_in_the_middle_of_a_run(self) -> None:
        """That is harmless, and it can be turned on again."""
        self.opens(bpy.data.texts["wrong.py"])
        bpy.ops.blendproof.prove()
        bpy.ops.preferences.addon_disable(module=NAME)
        assert self.state.jobs.current is None and not bpy.app.timers.is_registered(self.state.jobs.look)
        assert not hasattr(bpy.types.WindowManager, "blendproof_request")
        bpy.ops.preferences.addon_enable(module=NAME)
        assert hasattr(bpy.types.WindowManager, "blendproof_request")
        bpy.ops.preferences.addon_disable(module=NAME)


def main(archive: str, address: str) -> None:
    use = Use(archive, address)
    use.asks_on_its_scene_and_appends()
    use.heals_a_text()
    use.jumps_to_a_finding()
    use.finds_it_in_the_history()
    use.stops_what_it_reads()
    use.says_what_is_wrong()
    use.forgets_the_run_of_a_closed_file()
    use.is_turned_off_in_the_middle_of_a_run()


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    # Blender 4.5 as a module does not always end by itself.
    sys.stdout.flush()
    os._exit(0)
