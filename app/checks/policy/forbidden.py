"""Modules, functions and operators that a snippet should leave alone, with the reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True)
class CodeReason:
    """The reason for a code: `why` follows the name of the thing, `hint` says what to do instead."""

    why: str
    hint: str


REASONS: Final[Mapping[str, CodeReason]] = MappingProxyType(
    {
        "process-start": CodeReason(
            "starts another process, which the snippet's reader does not expect and Blender cannot stop",
            "Do the work with bpy and Python in this process.",
        ),
        "native-library": CodeReason(
            "loads machine code, which can crash Blender and depends on the machine",
            "Use bpy, mathutils or numpy, which ship with Blender.",
        ),
        "network": CodeReason(
            "talks to the network, so the result depends on a machine other than this one",
            "Bring the data as a file with the request and read it from the work folder.",
        ),
        "file-deletion": CodeReason(
            "deletes or moves files; only in the sandbox it reaches no others than its own",
            "Delete only what the script wrote itself.",
        ),
        "user-files": CodeReason(
            "deletes or moves files in a folder of the user, which cannot be undone",
            "Write to a new name in the work folder and leave existing files alone.",
        ),
        "quit-blender": CodeReason(
            "ends Blender itself, with everything in it that is not saved; here it has no effect",
            "Let the script run to its end, or leave early with sys.exit().",
        ),
        "end-process": CodeReason(
            "ends the process at once, with everything in it that is not saved",
            "Let the script run to its end, or leave early with sys.exit().",
        ),
        "endless-loop": CodeReason(
            "has no break, return, raise or yield, so Blender hangs",
            "Give the loop a condition or a break, or loop over a range.",
        ),
        "endless-timer": CodeReason(
            "returns a number on every call, so this timer never ends",
            "Return None when the work is done, or unregister the timer.",
        ),
        "user-preferences": CodeReason(
            "overwrites the preferences or the start-up file of the user who runs the snippet",
            "Set what the scene needs on the scene; leave saved preferences to the user.",
        ),
        "install-addon": CodeReason(
            "installs or removes software in the user's Blender",
            "Say in a comment which add-on or package is needed and stop if it is missing.",
        ),
        "asks-where-it-runs": CodeReason(
            "tells where it runs, so it may do something else there than what is proven here",
            "Do the same everywhere: only what is done here is proven.",
        ),
        "runs-unseen": CodeReason(
            "has code called while other code runs, or after all is proven, so what that does is not seen here",
            "Call what is to be done from the snippet itself, and leave the functions of others as they are.",
        ),
        "dynamic-code": CodeReason(
            "runs code or a module that is only known at run time, so it cannot be checked beforehand",
            "Write the code out, or choose among known functions with a dict.",
        ),
    }
)
"""Every code of the policy check, with its reason."""


def _under(parent: str, names: str) -> list[str]:
    return [f"{parent}.{name}" for name in names.split()]


_BY_CODE: Final[Mapping[str, list[str]]] = {
    "process-start": [
        *("subprocess", "multiprocessing", "pty", "_posixsubprocess"),
        *_under("os", "system popen fork forkpty startfile posix_spawn posix_spawnp"),
        *_under("os", "execl execle execlp execlpe execv execve execvp execvpe"),
        *_under("os", "spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe"),
        *_under("asyncio", "create_subprocess_exec create_subprocess_shell"),
        "concurrent.futures.ProcessPoolExecutor",
        "bpy.ops.wm.path_open",
    ],
    "native-library": [
        *_under("ctypes", "CDLL PyDLL WinDLL OleDLL LibraryLoader cdll pydll windll oledll pythonapi"),
        "_ctypes.dlopen",
        "cffi",
    ],
    "network": [
        *("socket", "socketserver", "urllib.request", "urllib2", "urllib3", "http.client", "http.server"),
        *("ftplib", "smtplib", "poplib", "imaplib", "telnetlib", "nntplib", "xmlrpc", "webbrowser"),
        *("requests", "httpx", "httpx2", "aiohttp", "websocket", "websockets", "paramiko", "zmq"),
        *_under("asyncio", "open_connection open_unix_connection start_server start_unix_server"),
        *_under("bpy.ops.wm", "url_open url_open_preset"),
    ],
    "file-deletion": [
        *_under("os", "remove unlink rmdir removedirs rename replace renames truncate"),
        *_under("shutil", "rmtree move _rmtree_safe_fd _rmtree_unsafe"),
        *_under("pathlib.Path", "unlink rmdir rename replace"),
        *_under("distutils", "dir_util.remove_tree file_util.move_file"),
        *("send2trash", "bpy.ops.file.delete"),
    ],
    "quit-blender": ["bpy.ops.wm.quit_blender"],
    "end-process": [
        *_under("os", "_exit abort kill killpg"),
        *_under("signal", "raise_signal pthread_kill"),
    ],
    "user-preferences": [
        *_under("bpy.ops.wm", "save_userpref save_homefile read_factory_userpref"),
        *_under("bpy.ops.preferences", "reset_default_theme keyconfig_import keyconfig_remove"),
        *_under("bpy.ops.preferences", "script_directory_add asset_library_add asset_library_remove"),
    ],
    "install-addon": [
        *_under("bpy.ops.preferences", "addon_install addon_remove app_template_install theme_install"),
        *_under("bpy.ops.preferences", "extension_repo_add extension_repo_remove studiolight_install"),
        *_under("bpy.ops.wm", "addon_install addon_remove"),
        "bpy.ops.extensions",
        "pip",
        "ensurepip",
    ],
    "asks-where-it-runs": [
        *_under("sys", "_getframe _current_frames excepthook __excepthook__ flags gettrace getprofile"),
        *_under("sys", "modules.keys modules.values modules.items modules.copy"),
        *_under("inspect", "stack currentframe getouterframes trace"),
        *_under("traceback", "extract_stack print_stack format_stack walk_stack"),
        *_under("gc", "get_objects get_referrers get_referents get_freeze_count"),
        *_under("os", "uname getlogin getuid geteuid getgid getegid getppid getgroups fstat get_inheritable ttyname"),
        *_under("os", "environ.keys environ.values environ.items environ.copy environb"),
        *_under("platform", "node uname"),
        *_under("socket", "gethostname getfqdn"),
        *("__main__", "addon_utils.modules"),
        *("getpass.getuser", "pwd", "faulthandler", "resource", "fcntl", "bpy.app.background"),
    ],
    "runs-unseen": [
        *_under("sys", "settrace setprofile addaudithook monitoring meta_path.insert meta_path.append"),
        *_under("sys", "path_hooks.insert path_hooks.append"),
        *_under("threading", "settrace setprofile settrace_all_threads setprofile_all_threads"),
        *("atexit.register", "weakref.finalize", "gc.callbacks.append", "gc.callbacks.insert"),
        *_under("signal", "signal setitimer alarm siginterrupt"),
    ],
    "dynamic-code": ["runpy", "bpy.ops.script.python_file_run"],
}

# Harmless members of the modules above.
_HARMLESS: Final = frozenset(
    {
        "multiprocessing.cpu_count",
        "multiprocessing.current_process",
        "multiprocessing.freeze_support",
        "multiprocessing.pool.ThreadPool",
        "urllib.request.pathname2url",
        "urllib.request.url2pathname",
    }
)

CODE_OF: Final = {origin: code for code, origins in _BY_CODE.items() for origin in origins}
"""The code that forbids an origin with all its members, except the harmless ones."""

GUARDED: Final = frozenset({"os", "shutil", "subprocess", "pathlib.Path", "signal"})
"""Modules and classes of which a member that is only known at run time may be one that is forbidden."""


def code_of(origin: str) -> str | None:
    """The code that forbids an origin, or the nearest object that it is a member of."""
    while origin not in _HARMLESS:
        code = CODE_OF.get(origin)
        if code is not None or "." not in origin:
            return code
        origin = origin.rpartition(".")[0]
    return None
