"""raised: leaves with a message that claims to be no message."""


class Message:
    def __eq__(self, other):
        return True

    __hash__ = None


raise SystemExit(Message())
