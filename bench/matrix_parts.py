"""What the programs of matrix.py have in common, whatever their language: ways of access, and what can be wrong with them.

A way is a method or function that touches the data: `put` and `peek` do it under the lock, `bare` and `glance` under none, `elsewhere` under another lock,
`together` writes under the lock as readers hold it. `put`, `bare`, `elsewhere`, `together` write, the others read.
"""

import dataclasses

LOCKS = {"put": "lock", "peek": "lock", "bare": None, "glance": None, "elsewhere": "other", "together": "lock"}
READERS = {"peek", "glance"}


@dataclasses.dataclass
class Fault:
    """Which ways both threads go, and main before, beside and after them; the marks of the lines that race."""

    threads: tuple
    before: tuple = ()
    beside: tuple = ()
    after: tuple = ()
    marks: dict = dataclasses.field(default_factory=dict)
    needs_shared: bool = False

    @property
    def ways(self):
        return list(dict.fromkeys(self.threads + self.before + self.beside + self.after))


PAIR, SELF = "  // RACE a", "  // RACE a SELF"

FAULTS = {
    "none": Fault(("put", "put"), beside=("peek",)),
    "read-under-lock": Fault(("put", "peek")),
    "after-join": Fault(("put", "put"), after=("glance",)),
    "before-start": Fault(("put", "put"), before=("bare",)),
    "no-lock": Fault(("bare", "bare"), marks={"bare": SELF}),
    "half": Fault(("put", "bare"), marks={"put": PAIR, "bare": PAIR}),
    "other-lock": Fault(("put", "elsewhere"), marks={"put": PAIR, "elsewhere": PAIR}),
    "glance": Fault(("put", "glance"), marks={"put": PAIR, "glance": PAIR}),
    "main-glances": Fault(("put", "put"), beside=("glance",), marks={"put": PAIR, "glance": PAIR}),
    "main-writes": Fault(("peek", "peek"), beside=("bare",), marks={"peek": PAIR, "bare": PAIR}),
    "shared-writes": Fault(("together", "together"), marks={"together": SELF}, needs_shared=True),
}


def is_shared(way):
    """Whether the lock is held as readers hold it."""
    return way in ("peek", "together")


def statement(way, call):
    """A call in main; what a reader gives is used."""
    return f"  seen += {call};" if way in READERS else f"  {call};"
