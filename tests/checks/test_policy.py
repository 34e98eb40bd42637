"""Each code of parse and policy has a snippet it must reject and a near twin it must accept."""

from __future__ import annotations

import sys
import warnings

import pytest

from app.checks.policy import REASONS, check_policy
from app.checks.screening import screen_text
from app.pipeline.judges import asks_where
from app.verdict.parse import parse_snippet
from app.verdict.rules import load_rules
from app.verdict.verdict import Author, Severity, judged


def codes(snippet: str) -> list[str]:
    return [finding.code for finding in check_policy(snippet, lambda _: Severity.ERROR)]


REJECTED = {
    "process-start": [
        "import os\nglobals()['os'].system('ls')",
        "exec('import os\\nos.system(1)')",
        "eval('__import__(\"os\").system(1)')",
        "exec('exec(\"import os; os.popen(1)\")')",
        "exec(b'import os\\nos.system(1)')",
        "exec(b'# coding: utf-7\\nimport os\\nos.sys+AHQ-em(1)')",
        "import os\nexec('os.system(1)')",
        "exec('import os')\nexec('os.system(1)')",
        "compile('import os; os.system(1)', '', 'exec')",
        "import subprocess\nsubprocess.run(['ls'])",
        "import subprocess as sp\nsp.Popen(['ls'])",
        "from subprocess import check_output as run\nrun(['ls'])",
        "from subprocess import *",
        "from os import *\nsystem('ls')",
        "from os import system as s\ns('ls')",
        "import os\nf = os.system\nf('ls')",
        "import os\nlist(map(os.system, ['ls']))",
        "import os\ngetattr(os, 'system')('ls')",
        "__import__('subprocess').run(['ls'])",
        "m = __import__('subprocess')\nm.run(['ls'])",
        "import importlib\nimportlib.import_module('subprocess').run(['ls'])",
        "from importlib import import_module\nm = import_module('subprocess')\nm.run(['ls'])",
        "import os\nif (o := os).fork() == 0: pass",
        "import posix\nposix.system('ls')",
        "import multiprocessing\nmultiprocessing.Pool(4)",
        "def f():\n    import pty\n    pty.spawn('sh')",
        "import asyncio\nasync def f():\n    await asyncio.create_subprocess_shell('ls')",
        "import subprocess\nx: subprocess.run(['ls']) = 1",
        "import os, subprocess\ntools = [subprocess]\ntools[0].run(['ls'])",
        "import bpy\nbpy.ops.wm.path_open(filepath='/tmp')",
    ],
    "native-library": [
        "import ctypes\nctypes.CDLL('libc.so.6')",
        "from ctypes import cdll\ncdll.LoadLibrary('libc.so.6')",
    ],
    "network": [
        "import socket\nsocket.create_connection(('example.org', 80))",
        "import urllib.request\nurllib.request.urlopen('http://example.org')",
        "from urllib.request import urlopen\nurlopen('http://example.org')",
        "import http.client as h\nh.HTTPConnection('example.org')",
        "try:\n    import requests\nexcept ImportError:\n    requests = None\nrequests.get('http://example.org')",
        "import importlib\ns = importlib.import_module('socket')\ns.socket()",
        "import asyncio\nasync def f():\n    await asyncio.open_connection('example.org', 80)",
        "from bpy import ops\nops.wm.url_open(url='http://example.org')",
    ],
    "file-deletion": [
        "import os\nos.remove('a.txt')",
        "import shutil\nshutil.rmtree('work')",
        "from shutil import move\nmove('a', 'b')",
        "from pathlib import Path\nPath('a.txt').unlink()",
        "from pathlib import Path\n(Path('work') / 'a.txt').unlink(missing_ok=True)",
        "from pathlib import Path\nfor p in Path('work').glob('*.png'):\n    p.unlink()",
        "from pathlib import Path\ndef clean(folder: Path):\n    folder.rmdir()",
        "def clean(folder):\n    folder.unlink(missing_ok=True)",
        "import os\nout = os.path.expanduser('~/still.png')\nrender.filepath = out\nos.remove(out)",
        "import os\ndrop = os.remove\nlist(map(drop, ['a.txt']))",
        "import os\ngetattr(os, 're' + 'move')('a.txt')",
        "import os\nname = ''.join(['re', 'move'])\ngetattr(os, name)('a.txt')",
        "import os\ngetattr(os, 'evomer'[::-1])('a.txt')",
        "import os\ngetattr(os, f'{\"re\"}move')('a.txt')",
        "import os\nos.__dict__['remove']('a.txt')",
        "import os\nvars(os)['unlink']('a.txt')",
        "import os\nvars(os).get('unlink')('a.txt')",
        "import os\nos.__getattribute__('remove')('a.txt')",
        "import operator, os\noperator.attrgetter('remove')(os)('a.txt')",
        "import shutil\nshutil.os.remove('a.txt')",
        "import pathlib\npathlib.os.unlink('a.txt')",
        "import sys\nsys.modules['os'].remove('a.txt')",
        "import functools, os\nfunctools.partial(os.remove, 'a.txt')()",
        "import os\nos.rename('a.txt', 'b.txt')",
        "import os\nos.replace('a.txt', 'b.txt')",
        "import os\nos.truncate('a.txt', 0)",
        "from pathlib import Path\nPath('a.txt').replace('b.txt')",
        "from pathlib import Path\ngetattr(Path('a.txt'), 'un' + 'link')()",
        "def clean(path):\n    getattr(path, 'un' + 'link')()",
        "import operator\nfrom pathlib import Path\noperator.methodcaller('unlink')(Path('a.txt'))",
    ],
    "user-files": [
        "import os\nos.remove(os.path.expanduser('~/scene.blend'))",
        "import shutil\nshutil.rmtree('/home/ada/textures')",
        "from shutil import move\nhome = '~/old'\nmove(home, 'b')",
        "from pathlib import Path\nfor p in Path.home().glob('*.blend1'):\n    p.unlink()",
        "from pathlib import Path\n(Path('~').expanduser() / 'a.blend').unlink()",
        "import bpy, shutil\nshutil.rmtree(bpy.utils.user_resource('SCRIPTS'))",
        "import bpy, os\nos.remove(bpy.data.filepath)",
        "import os, shutil\nfolder = os.environ['HOME']\nshutil.rmtree(folder)",
        "import shutil\nshutil.rmtree('C:\\\\')",
    ],
    "quit-blender": [
        "import bpy\nbpy.ops.wm.quit_blender()",
        "import bpy\nops = bpy.ops\nops.wm.quit_blender()",
    ],
    "end-process": [
        "import os\nos._exit(0)",
        "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)",
    ],
    "endless-loop": [
        "while True:\n    pass",
        "while 1:\n    for x in range(3):\n        break",
        "import time\ntry:\n    while True:\n        time.sleep(1)\nexcept KeyboardInterrupt:\n    pass",
        "while True:\n    def stop():\n        return 1",
        "import itertools\nfor i in itertools.count():\n    print(i)",
    ],
    "endless-timer": [
        "import bpy\ndef f():\n    return 0.5\nbpy.app.timers.register(f)",
        "import bpy\nSTEP = 0.5\ndef f():\n    return STEP\nbpy.app.timers.register(f)",
        "import bpy\ndef f():\n    if bpy.data.objects:\n        return 1.0\n    else:\n        return 0.1\n"
        "bpy.app.timers.register(f)",
        "import bpy\nbpy.app.timers.register(lambda: 0.1)",
        "import bpy\nfrom functools import partial\ndef f(n):\n    return 2 * n\n"
        "bpy.app.timers.register(partial(f, 3))",
    ],
    "user-preferences": [
        "import bpy\nbpy.ops.wm.save_userpref()",
        "import bpy\nbpy.ops.wm.save_homefile()",
    ],
    "install-addon": [
        "import bpy\nbpy.ops.preferences.addon_install(filepath='a.zip')",
        "import bpy\nbpy.ops.extensions.package_install(repo_index=0, pkg_id='a')",
        "import pip\npip.main(['install', 'scipy'])",
    ],
    "dynamic-code": [
        "code = input()\nexec(code)",
        "eval('1 + ' + str(2))",
        "name = 'js' + 'on'\n__import__(name)",
        "import runpy\nrunpy.run_path('a.py')",
        "import os\nfor name in ['a']:\n    getattr(os, name + 'x')('a.txt')",
        "import os\nos.__dict__[input()]('a.txt')",
        "import os\nvars(os)[input()]('a.txt')",
        "import operator, os\noperator.attrgetter(input())(os)('a.txt')",
        "globals()[input()]('a.txt')",
        "().__class__.__base__.__subclasses__()",
        "object.__subclasses__()",
    ],
    "asks-where-it-runs": [
        "import sys\nprint(list(sys.modules))",
        "import sys\nif any(name.startswith('x') for name in sys.modules):\n    pass",
        "import sys\nif 'harness' in sys.modules:\n    pass",
        "import sys\nsys.modules.get('harness.inside.untrusted.run')",
        "import sys\nsys._getframe().f_back",
        "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    print(e.__traceback__.tb_frame.f_back)",
        "import inspect\ninspect.stack()",
        "import gc\ngc.get_objects()",
        "import socket\nprint(socket.gethostname())",
        "import os\nos.getuid()",
        "import os\nos.fstat(3)",
        "import os\nos.listdir('/proc/self/fd')",
        "import os\nprint(dict(os.environ))",
        "import os\nfor name in os.environ:\n    print(name)",
        "import bpy\ntype(bpy.ops.render.render)",
        "import bpy\nif bpy.app.background:\n    pass",
        "import bpy\nif 'blendproof' in bpy.__file__:\n    pass",
        "import os\nplace = os.getcwd()\nif place.startswith('/srv/blendproof'):\n    pass",
        "import __main__\nprint(__main__.__file__)",
        "import sys\nprint(sys.modules['__main__'])",
        "import bpy\nif len(bpy.context.preferences.addons.keys()) > 9:\n    pass",
        "import addon_utils\naddon_utils.modules()",
        "import os\nif os.environ.get('USER'):\n    pass",
        "import os\nif 'DISPLAY' in os.environ:\n    pass",
    ],
    "runs-unseen": [
        "import sys\nsys.settrace(f)",
        "import threading\nthreading.setprofile(f)",
        "import atexit\natexit.register(f)",
        "from atexit import register\n@register\ndef f():\n    pass",
        "import signal\nsignal.signal(signal.SIGTERM, f)",
        "import sys\nsys.meta_path.insert(0, f)",
        "import json\njson.dumps = f",
        "import os.path as p\np.join = f",
        "import bpy\nbpy.ops = f",
        "import bpy\nbpy.ops.render.render = f",
        "import bpy\nbpy.__class__ = f",
        "import bpy\nsetattr(bpy, 'op' + 's', f)",
        "import json\nvars(json)['dumps'] = f",
        "import json\njson.__dict__['dumps'] = f",
        "import builtins\nbuiltins.open = f",
        "import bpy\ndel bpy.utils.register_class",
        "import sys\nsys.modules['json'].dumps = f",
    ],
}

ACCEPTED = {
    "process-start": [
        "import subprocess\ndef f(done: subprocess.CompletedProcess) -> None:\n    pass",
        "from multiprocessing.pool import ThreadPool\nThreadPool(2).map(str, [1])",
        "import subprocess",
        "# subprocess.run(['ls'])\ntext = 'import os; os.system(1)'",
        "import os\nos.path.join('a', 'b')\nos.makedirs('work', exist_ok=True)\nos.getpid()",
        "import os\ngetattr(os, 'path').join('a', 'b')",
        "import multiprocessing\nprint(multiprocessing.cpu_count())",
        "def system(command):\n    return command\nsystem('ls')",
        "system = bpy.data.particles.new('system')\nsystem.fork = 1",
        "import bpy\nos = bpy.data.objects['Cube']\nos.system = 3\nprint(os.system)",
    ],
    "native-library": ["import ctypes\nctypes.c_float(1.0)"],
    "network": [
        "import socket",
        "for socket in node.inputs:\n    socket.connect = 1\n    print(socket.name)",
        "import socket\ndef f(socket):\n    return socket.default_value",
        "import socket\nnames = [socket.name for socket in node.inputs]",
        "requests = ['a']\nrequests.append('b')",
        "import urllib.parse\nurllib.parse.quote('a b')",
        "layout.operator('wm.url_open').url = 'http://example.org'",
    ],
    "file-deletion": [
        "import bpy\no = bpy.data.objects[0]\nfor c in o.users_collection:\n    c.objects.unlink(object=o)",
        "class Node:\n    def unlink(self):\n        pass\n\nNode().unlink()",
        "import bpy\nbpy.data.objects.remove(bpy.data.objects['Cube'], do_unlink=True)",
        "names = ['a']\nnames.remove('a')",
        "bm.verts.remove(v)",
        "import bpy\nbpy.context.collection.objects.unlink(bpy.context.object)",
        "import shutil\nshutil.copy('a', 'b')",
        "from pathlib import Path\nPath('a.txt').write_text('a')",
        "'a'.replace('a', 'b')",
        "import os\nprint(os.__dict__['sep'], getattr(os, 'se' + 'p'))",
        "import bpy\nbpy.utils.unregister_class(Panel)",
    ],
    "user-files": [
        "import shutil\nshutil.copy('/usr/share/a.png', 'a.png')",
        "from pathlib import Path\nprint(Path.home())",
    ],
    "quit-blender": ["import bpy\nbpy.ops.wm.save_mainfile()", "layout.operator('wm.quit_blender')"],
    "end-process": [
        "import sys\nsys.exit(1)",
        "exit()",
        "quit()",
        "raise SystemExit(2)",
        "import bpy\nbpy.ops.wm.read_factory_settings(use_empty=True)",
    ],
    "endless-loop": [
        "while True:\n    break",
        "def f():\n    while True:\n        return 1",
        "while 1:\n    raise ValueError",
        "def numbers():\n    while True:\n        yield 1",
        "import sys\nwhile True:\n    sys.exit()",
        "while True:\n    for x in range(3):\n        pass\n    else:\n        break",
        "item = [[1]]\ntry:\n    while True:\n        item = item[0]\nexcept TypeError:\n    pass",
        "n = 3\nwhile n:\n    n -= 1",
        "import itertools\nfor i in itertools.count():\n    if i > 3:\n        break",
        "import contextlib\nit = iter([])\nwith contextlib.suppress(StopIteration):\n    while True:\n        next(it)",
        "n = [1]\ntry:\n    if n:\n        while True:\n            n.pop()\nexcept IndexError:\n    pass",
        "n = 3\nwhile True:\n    n -= 1\n    assert n > 0",
    ],
    "endless-timer": [
        "import bpy\ndef once():\n    print('done')\nbpy.app.timers.register(once)",
        "import bpy\ndef f():\n    if bpy.data.objects:\n        return 0.5\nbpy.app.timers.register(f)",
        "import bpy\ndef f():\n    if bpy.data.objects:\n        return None\n    return 0.5\n"
        "bpy.app.timers.register(f)",
        "import bpy\ndef f():\n    return 0.5 if bpy.data.objects else None\nbpy.app.timers.register(f)",
        "import bpy, sys\ndef f():\n    if bpy.data.objects:\n        sys.exit()\n    return 0.5\n"
        "bpy.app.timers.register(f)",
        "import bpy\nsteps = iter(range(3))\ndef f():\n    print(next(steps))\n    return 0.5\n"
        "bpy.app.timers.register(f)",
        "import bpy\ndef f():\n    return 0.5\nbpy.app.timers.register(f)\n"
        "def unregister():\n    bpy.app.timers.unregister(f)",
    ],
    "user-preferences": ["import bpy\nbpy.context.preferences.addons['cycles'].preferences.get_devices()"],
    "install-addon": ["import bpy\nbpy.ops.preferences.addon_enable(module='cycles')"],
    "dynamic-code": [
        "eval('1 + 2')",
        "import re\nre.compile('a')\ncompile('1', '', 'eval')",
        "import os\nexec(b'# coding: unknown\\nos.system(1)')\nexec('os.getcwd()')",
        "import importlib\nimportlib.import_module('json')",
        "fcurve.evaluate(1)",
        "import ast\nast.literal_eval(text)",
        "import os\ngetattr(os, 'O_BINARY', 0)",
        "name = 'x'\ngetattr(settings, name + 'y')",
        "import operator\nsorted(things, key=operator.attrgetter(name))",
        "def make():\n    pass\nglobals()['make']()",
        "table = {}\ntable[input()]('a')",
        "import bpy\nbpy.types.Panel.__subclasses__()",
        "print(globals()[name])",
    ],
    "asks-where-it-runs": [
        "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    print(e.__traceback__.tb_frame.f_lineno)",
        "import sys\nmodule = sys.modules[__name__]",
        "import sys\nif 'numpy' in sys.modules:\n    pass",
        "import os\nprint(os.environ.get('HOME'), os.getcwd(), os.getpid())",
        "import sys\nprint(sys.platform, sys.version_info)",
        "import bpy\nif 'cycles' in bpy.context.preferences.addons.keys():\n    pass",
        "import os\nif 'BLENDER_ROOT' in os.environ and 'USER' in {'USER'}:\n    pass",
        "import bpy\nprint(bpy.app.version, bpy.data.filepath)",
        "import bpy\nprint(type(bpy.context.scene))",
        "import bpy\nbpy.data.objects['Cube'].name = 'Harness of the horse'",
        "import bpy\nbpy.data.objects['Cube'].asset_data.author = 'Blendproof'",
        "import bpy\nif 'harness' not in bpy.data.objects:\n    bpy.data.materials.new('harness').name = 'blendproof'",
    ],
    "runs-unseen": [
        "import sys\nsys.stdout = f\nsys.path[0] = 'a'\nsys.argv = ['a']",
        "import os\nos.environ['A'] = 'b'",
        "import bpy\nbpy.types.Scene.mine = bpy.props.IntProperty()\ndel bpy.types.Scene.mine",
        "import bpy\nbpy.context.scene.frame_end = 3\nbpy.data.objects['Cube'].data.name = 'ops'",
        "import bpy\nbpy.app.driver_namespace['f'] = len\nbpy.context.window_manager['a'] = 1",
        "import bpy\nbpy.app.debug = False",
        "import bpy\nsetattr(bpy.types.Scene, 'mine', bpy.props.IntProperty())",
        "import signal\nprint(signal.SIGTERM)",
        "import json\nclass Own:\n    pass\njson2 = Own()\njson2.dumps = 1",
        "import mymodule\nmymodule.DEBUG = True",
        "import bpy\nfrom typing import Any\nscene: Any = bpy.context.scene\nscene.use_nodes = True",
        "import argparse\ndef f(options: argparse.Namespace):\n    options.size = 3",
        "import datetime\nd = datetime.date.today()\nprint(d)",
    ],
}


def test_every_code_has_a_rejected_and_an_accepted_snippet() -> None:
    assert set(REJECTED) == set(ACCEPTED) == set(REASONS)


@pytest.mark.parametrize(("code", "snippet"), [(code, each) for code, all_ in REJECTED.items() for each in all_])
def test_policy_rejects(code: str, snippet: str) -> None:
    assert set(codes(snippet)) == {code}


@pytest.mark.parametrize("snippet", [each for all_ in ACCEPTED.values() for each in all_])
def test_policy_accepts_the_near_twin(snippet: str) -> None:
    assert codes(snippet) == []


def test_a_finding_says_where_what_and_what_instead() -> None:
    (finding,) = check_policy("import os\n'é'; os.remove('a')\n", lambda _: Severity.WARNING)
    assert (finding.check, finding.severity, finding.line, finding.column) == (
        "policy",
        Severity.WARNING,
        2,
        6,
    )
    assert finding.message.startswith("os.remove deletes or moves files; ")
    assert finding.hint == REASONS["file-deletion"].hint


def test_names_that_are_made_of_names_over_and_over_are_followed_once() -> None:
    made = "".join(f"a{place} = f'{f'{{a{place - 1}}}' * 20}'\n" for place in range(1, 10))
    assert codes(f"import os\na0 = ''\n{made}getattr(os, a9 + 'remove')('x')") == ["file-deletion"]
    assert codes(f"import os\na0 = input()\n{made}getattr(os, a9)('x')") == ["dynamic-code"]


def test_a_code_without_severity_is_dropped() -> None:
    assert check_policy("import os\nos.remove('a')", lambda _: None) == []


def test_what_the_sandbox_makes_harmless_is_only_noted() -> None:
    rules = load_rules()

    def severities(author: Author) -> list[Severity]:
        snippet = "import os, bpy\nos.remove('a')\nbpy.ops.wm.quit_blender()\nos.remove(os.path.expanduser('~/a'))\n"
        found = check_policy(snippet, lambda code: rules.severity("policy", code, author))
        return [finding.severity for finding in found]

    assert severities("caller") == [Severity.INFO, Severity.INFO, Severity.ERROR]
    assert severities("cookbook") == [Severity.ERROR] * 3


def test_policy_leaves_a_snippet_that_does_not_parse_to_the_parse_check() -> None:
    assert codes("import os\nos.system('ls'") == []


@pytest.mark.parametrize(
    ("snippet", "code", "line", "column"),
    [
        ("x = (1,\ny = 2", "syntax-error", 1, 5),
        ("return 1", "syntax-error", 1, 1),
        ("type X = int", "syntax-error", 1, None),
        ("print 'hello'", "syntax-error", 1, 1),
        ("(" * 300 + ")" * 300, "too-deep", 1, 201),
        ("x = " + "-" * 60_000 + "1", "too-deep", None, None),
        ("x = a" + ".b" * 30_000, "too-deep", None, None),
        ("a = 1\nb\0 = 2", "null-byte", 2, 2),
        ("a = '\ud83d'", "bad-character", None, None),
    ],
)
def test_parse_rejects(snippet: str, code: str, line: int | None, column: int | None) -> None:
    (finding,) = parse_snippet(snippet)
    assert (finding.check, finding.code, finding.line) == ("parse", code, line)
    assert column is None or finding.column == column
    assert finding.hint


def test_a_windows_path_gets_the_remedy() -> None:
    (finding,) = parse_snippet('open("D:\\Users\\ann\\table.csv")\n')
    assert "Put r before the string" in (finding.hint or "")
    assert parse_snippet('open(r"D:\\Users\\ann\\table.csv")\n') == []
    # Of the compiler, and of the parser.
    for line in ('x = "éé😀"; return', 'x = "éé😀"; return ='):
        (placed,) = parse_snippet(f"{line}\n")
        assert placed.column == line.index("return" if line.endswith("n") else "=", 5) + 1
    (other,) = parse_snippet("open(1\n")
    assert "bracket" in (other.hint or "")


@pytest.mark.parametrize(
    "snippet",
    ["", "x = (1,\n2)", "def f():\n    return 1", "X: type = int", "(" * 90 + "1" + ")" * 90, "a = '😀'"],
)
def test_parse_accepts_the_near_twin(snippet: str) -> None:
    assert parse_snippet(snippet) == []


def test_parse_and_policy_never_warn() -> None:
    snippet = r"import re; re.compile('\d'); x = 1; print(x is 1)"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert parse_snippet(snippet) == []
        assert codes(snippet) == []


@pytest.mark.parametrize(
    "line",
    [
        "bpy.data.objects['Cube'].location = (1.0, 2.0, 3.0)",
        "import os; os.remove('a');",
        "a = a / b; b = b / a",
        "x = a.b.c.d.e.f.g.h",
        "bpy.app.timers.register(tick)",
    ],
)
def test_policy_works_in_proportion_to_the_snippet(line: str) -> None:
    def calls(size: int) -> int:
        snippet = "import bpy\ndef tick():\n    return 1\n" + f"{line}\n" * (size // len(line))
        counted = 0

        def count(_frame: object, event: str, _arg: object) -> None:
            nonlocal counted
            counted += event in {"call", "c_call"}

        sys.setprofile(count)
        try:
            codes(snippet)
        finally:
            sys.setprofile(None)
        return counted

    # Four times the size: linear is 4, quadratic 16. Calls are counted, because time depends on other work.
    assert calls(32_768) < 6 * calls(8_192)


@pytest.mark.parametrize(
    "snippet",
    [
        "x = " + "a + " * 900 + "a",
        "a" + ".b" * 900 + ".unlink()",
        "import bpy\ndef f():\n    if a: return 1\n" + "    elif a: return 1\n" * 300 + "    else: return 1\n"
        "bpy.app.timers.register(f)",
    ],
)
def test_policy_survives_a_deep_tree(snippet: str) -> None:
    assert parse_snippet(snippet) == []
    codes(snippet)


def test_code_that_a_caller_sends_along_is_weighed_as_the_callers() -> None:
    code, rules = "import bpy, os\nif bpy.app.background:\n    os.remove('a.txt')\n", load_rules()
    along = screen_text("import bpy\n", [("the setup", code)], "commands", rules).policy
    own = screen_text(code, [], "commands", rules).policy
    assert [finding.code for finding in along] == [finding.code for finding in own] != []
    assert Severity.ERROR not in {finding.severity for finding in along}
    assert Severity.ERROR in {finding.severity for finding in own}
    assert [asks_where([judged("policy", found)]) for found in (along, own)] == [False, True]
