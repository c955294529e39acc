"""The ground-truth marks of an annotated program: what its comments say.

    // RACE a               one side of the pair a; `RACE a b` stands on a side of two pairs
    // RACE a SELF          the line races with itself in two threads
    // DEADLOCK a           an inner acquisition of the cycle a
    // NORACE any words     a tricky safe line
    // RACE a MISSED run: why      known miss of a verb, on one line of the pair or on both; also after DEADLOCK a
    // FALSE check: why            known false report; every line of the reported pair carries it
    // VERBS check run             first line only; default: all
    // FLAGS -O2 -std=c++20        first or second line; they follow the default flags
    // ARGS a b                    first to third line; what the program is run with
    // SHOWN                       first to fourth line; a demoted finding does not count as found: users do not see it

Several marks may stand on a line, each behind its own `//`. Whatever looks like a mark and is none is an error: a mark
that is silently not read would be a test that cannot fail.
"""

import dataclasses
import re

VERBS = ("check", "run", "confirm")
HEADERS = {"VERBS": 1, "FLAGS": 2, "ARGS": 3, "SHOWN": 4}  # the last line on which each may stand

LABEL = re.compile(r"[a-z][a-z0-9_-]*")
STRAY = re.compile(r"\b(?:RACE|DEADLOCK|NORACE|FALSE|MISSED|SELF|VERBS|FLAGS|ARGS|SHOWN)(?:[A-Z]*\b)")
CODE = re.compile(r'"(?:\\.|[^"\\])*"|(?<![0-9A-Za-z])\'(?:\\.|[^\'\\])+\'|(?P<comment>//.*)')


class BadMarks(Exception):
    """All bad marks of a program, one per line of text."""


@dataclasses.dataclass
class Expectation:
    """A labelled race or deadlock."""

    kind: str
    label: str
    lines: list = dataclasses.field(default_factory=list)
    self_race: bool = False
    missed: dict = dataclasses.field(default_factory=dict)  # verb -> why

    @property
    def key(self):
        """What a finding is compared with: the sorted pair of lines, or the sorted lines of the cycle."""
        return tuple(self.lines * 2 if self.self_race else sorted(self.lines))


@dataclasses.dataclass
class Marks:
    verbs: tuple = VERBS
    flags: list = dataclasses.field(default_factory=list)
    arguments: list = dataclasses.field(default_factory=list)
    shown: bool = False
    expected: dict = dataclasses.field(default_factory=dict)  # (kind, label) -> Expectation
    false: dict = dataclasses.field(default_factory=dict)  # (line, verb) -> why
    safe: set = dataclasses.field(default_factory=set)  # lines marked NORACE


class _Parser:
    def __init__(self, text):
        self.marks, self.problems, self.line, self.racing = Marks(), [], 0, set()
        for self.line, text_line in enumerate(text.splitlines(), 1):
            for part in comments(text_line):
                self.read(part)
        self.judge()

    def bad(self, problem, line=None):
        self.problems.append(f"{line or self.line}: {problem}")

    def read(self, comment):
        word, _, rest = comment.partition(" ")
        readers = {"RACE": self.read_labels, "DEADLOCK": self.read_labels, "NORACE": self.read_norace,
                   "FALSE": self.read_false, "VERBS": self.read_verbs, "FLAGS": self.read_flags,
                   "ARGS": self.read_arguments, "SHOWN": self.read_shown}
        if word in readers:
            readers[word](word, rest.strip())
        elif STRAY.search(comment):
            self.bad(f"looks like a mark and is none: '// {comment}'")

    def read_labels(self, word, rest):
        head, missed, clause = rest.partition("MISSED")
        names = head.split()
        self_race = names[-1:] == ["SELF"]
        labels = names[:-1] if self_race else names
        if not labels or any(not LABEL.fullmatch(label) for label in labels):
            return self.bad(f"{word} needs labels in lower case, not '{head.strip()}'")
        if self_race and word == "DEADLOCK":
            return self.bad("SELF is for races: a cycle whose acquisitions share a line has one DEADLOCK line")
        misses = self.read_clause("MISSED", clause) if missed else {}
        for label in labels:
            self.expect(word.lower(), label, self_race, misses)
        return None

    def expect(self, kind, label, self_race, misses):
        expectation = self.marks.expected.setdefault((kind, label), Expectation(kind, label))
        if self.line in expectation.lines:
            self.bad(f"{label} stands twice on this line")
        expectation.lines.append(self.line)
        expectation.self_race |= self_race
        expectation.missed.update(misses)
        if kind == "race":
            self.racing.add(self.line)

    def read_clause(self, word, clause):
        """{verb: why} of 'verb...: why'."""
        names, colon, why = clause.partition(":")
        verbs = re.findall(r"[^\s,]+", names)
        if not colon or not why.strip() or not verbs:
            self.bad(f"{word} needs a verb and a reason: '{word} run: why'")
            return {}
        for verb in verbs:
            if verb not in VERBS:
                self.bad(f"{word} names '{verb}', which is none of {' '.join(VERBS)}")
        return {verb: why.strip() for verb in verbs}

    def read_norace(self, _word, _rest):
        self.marks.safe.add(self.line)

    def read_false(self, word, rest):
        for verb, why in self.read_clause(word, rest).items():
            self.marks.false[self.line, verb] = why

    def read_verbs(self, word, rest):
        self.place_header(word)
        verbs = tuple(rest.split())
        if not verbs or set(verbs) - set(VERBS) or len(set(verbs)) != len(verbs):
            self.bad(f"VERBS wants some of {' '.join(VERBS)}, each once, not '{rest}'")
        self.marks.verbs = verbs

    def read_flags(self, word, rest):
        self.place_header(word)
        if not rest:
            self.bad("FLAGS without flags")
        self.marks.flags = rest.split()

    def read_shown(self, word, rest):
        self.place_header(word)
        if rest:
            self.bad(f"SHOWN stands alone, not before '{rest}'")
        self.marks.shown = True

    def read_arguments(self, word, rest):
        self.place_header(word)
        if not rest:
            self.bad("ARGS without arguments")
        self.marks.arguments = rest.split()

    def place_header(self, word):
        if self.line > HEADERS[word]:
            self.bad(f"{word} belongs on line {HEADERS[word]} or before")

    def judge(self):
        seen = {}
        for expectation in self.marks.expected.values():
            self.judge_expectation(expectation)
            other = seen.setdefault((expectation.kind, expectation.key), expectation)
            if other is not expectation:
                self.bad(f"{expectation.label} marks the same lines as {other.label}", expectation.lines[0])
        for line in sorted(self.marks.safe & self.racing):
            self.bad("RACE and NORACE contradict each other", line)
        for line, verb in self.marks.false:
            self.judge_verb("FALSE", verb, line)

    def judge_expectation(self, expectation):
        lines, label = expectation.lines, expectation.label
        if expectation.kind == "race":
            wanted = 1 if expectation.self_race else 2
            if len(lines) != wanted:
                name = f"{label} SELF" if expectation.self_race else label
                self.bad(f"RACE {name} stands on {len(lines)} line(s) instead of {wanted}", lines[0])
        for verb in expectation.missed:
            self.judge_verb("MISSED", verb, lines[0])

    def judge_verb(self, word, verb, line):
        if verb in VERBS and verb not in self.marks.verbs:
            self.bad(f"{word} names {verb}, which VERBS leaves out: it could never go stale", line)


def comments(line):
    """The texts of the // comments of a line, as written one behind the other."""
    for match in CODE.finditer(line):
        if match["comment"]:
            return [part.strip() for part in match["comment"].split("//")[1:]]
    return []


def parse(text):
    """The Marks of a program's text; raises BadMarks."""
    parser = _Parser(text)
    if parser.problems:
        raise BadMarks("\n".join(parser.problems))
    return parser.marks
