"""LanceDB does its work although most of what its import brings along is not there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = """
import sys
from search.lance import import_lancedb
database = import_lancedb().connect(sys.argv[1])
early = sorted(name for name in sys.modules if name.startswith("lance_namespace_urllib3_client"))
database.create_table("shapes", [{"name": "cube"}])
tables = database.list_tables().tables
import lance_namespace_urllib3_client.models as models
import overrides
print(early, tables, models.ListTablesResponse(tables=["cone"]).tables, overrides.override.__module__)
"""


def test_its_rest_client_is_imported_when_it_is_called(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WORK, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.split("\n")[0] == "[] ['shapes'] ['cone'] overrides.overrides", done.stderr


AT_ONCE = """
from concurrent.futures import ThreadPoolExecutor
from search.lance import import_lancedb
with ThreadPoolExecutor(4) as pool:
    print([callable(package.connect) for package in pool.map(lambda _: import_lancedb(), range(4))])
"""


def test_threads_that_want_it_at_once_get_it_whole() -> None:
    done = subprocess.run(
        [sys.executable, "-c", AT_ONCE], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.strip() == "[True, True, True, True]", done.stderr
