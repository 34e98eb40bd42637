"""The part of sphobjinv that the ingest uses."""

class DataObjStr:
    name: str
    domain: str
    role: str
    @property
    def uri_expanded(self) -> str: ...

class Inventory:
    project: str
    version: str
    objects: list[DataObjStr]
    def __init__(self, *, plaintext: bytes) -> None: ...
