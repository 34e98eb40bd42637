"""raised: an exception whose text, comparison and length all fail."""


class Hostile(Exception):
    def __str__(self):
        raise SystemExit(0)

    __repr__ = __eq__ = __hash__ = __len__ = __bool__ = __str__


raise Hostile()
