"""raised: leaves with a status that claims to equal every other."""


class Status(int):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash(None)

    def __and__(self, other):
        return 0


raise SystemExit(Status(3))
