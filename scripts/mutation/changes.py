# SPDX-License-Identifier: BSD-3-Clause
"""Single-token changes of C++ sources: where they are possible, and the text after one."""

import re
from dataclasses import dataclass

TOKEN = re.compile(
    r"""
    (?P<comment> //[^\n]* | /\*.*?\*/ )
  | (?P<string>  (?:u8|[uUL])?R"(?P<tag>[^()\s\\]*)\(.*?\)(?P=tag)"
               | (?:u8|[uUL])?"(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])+' )
  | (?P<directive> (?m:^)[ \t]*\#(?:\\\n|[^\n])* )
  | (?P<number>  \.?\d(?:[\w.']|[eEpP][+-])* )
  | (?P<name>    [A-Za-z_]\w* )
  | (?P<op>      <<=|>>=|<=>|\.\.\.|->\*|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|\+=|-=|\*=|/=|%=|&=|\|=|\^=|->|::|. )
""",
    re.VERBOSE | re.DOTALL,
)

# Binary operators: clang-format puts blanks on both sides of these, but not inside declarators and template lists.
OPERATORS = {
    "+": ["-"],
    "-": ["+"],
    "*": ["/"],
    "/": ["*"],
    "<": ["<=", ">="],
    "<=": ["<"],
    ">": [">=", "<="],
    ">=": [">"],
    "==": ["!="],
    "!=": ["=="],
    "&&": ["||"],
    "||": ["&&"],
    "+=": ["-="],
    "-=": ["+="],
    "*=": ["/="],
    "/=": ["*="],
}
NUMBERS = {"0": ["1"], "1": ["0", "2"], "2": ["1", "3"]}
NAMES = {
    "true": ["false"],
    "false": ["true"],
    "break": ["continue"],
    "continue": ["break"],
    "min": ["max"],
    "max": ["min"],
    "fmin": ["fmax"],
    "fmax": ["fmin"],
}
# A statement that begins with one of these is no call and no assignment.
KEYWORDS = {
    "return",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "using",
    "template",
    "typename",
    "const",
    "constexpr",
    "static",
    "auto",
    "throw",
    "break",
    "continue",
    "public",
    "private",
    "protected",
    "namespace",
    "struct",
    "class",
    "enum",
    "friend",
    "inline",
    "extern",
    "virtual",
    "explicit",
    "try",
    "catch",
    "static_assert",
    "operator",
    "double",
    "float",
    "int",
    "bool",
    "char",
    "unsigned",
    "long",
    "short",
    "void",
    "new",
    "delete",
    "goto",
}


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    begin: int

    @property
    def end(self):
        return self.begin + len(self.text)


@dataclass(frozen=True)
class Mutant:
    path: str  # from the root of the repository
    begin: int  # characters of the file
    end: int
    replacement: str
    line: int
    column: int
    text: str  # the line without the blanks around it
    change: str  # as it is printed

    @property
    def key(self):
        return self.path, self.text, self.change, self.column

    def apply(self, source):
        return source[: self.begin] + self.replacement + source[self.end :]


def tokens_of(source):
    """Tokens without comments, strings and directives, but for a placeholder of each string."""
    tokens = []
    for match in TOKEN.finditer(source):
        kind = match.lastgroup if match.lastgroup != "tag" else "string"
        if kind in ("comment", "directive") or match[0].isspace():
            continue
        tokens.append(Token(kind, match[0], match.start()))
    return tokens


def closing(tokens, at):
    """The position of the bracket that closes the one at `at`."""
    depth = 0
    for place in range(at, len(tokens)):
        depth += (tokens[place].text in "([{") - (tokens[place].text in ")]}") if tokens[place].kind == "op" else 0
        if depth == 0:
            return place
    return len(tokens) - 1


def closing_angle(tokens, at):
    depth = 0
    for place in range(at, len(tokens)):
        text = tokens[place].text
        depth += {"<": 1, ">": -1, ">>": -2}.get(text, 0)
        if depth <= 0:
            return place
    return at


def left_alone(tokens):
    """Places that no test can check: static_assert (...), template <...>, the name after operator."""
    skipped = set()
    for at, token in enumerate(tokens[:-1]):
        if token.text in ("static_assert", "alignas", "noexcept", "requires") and tokens[at + 1].text == "(":
            skipped.update(range(at, closing(tokens, at + 1) + 1))
        elif token.text == "template" and tokens[at + 1].text == "<":
            skipped.update(range(at, closing_angle(tokens, at + 1) + 1))
        elif token.text == "operator":
            skipped.update((at, at + 1))
    return skipped


def innermost(tokens):
    """The bracket around each token, "" outside of all."""
    around, open_ = [], [""]
    for token in tokens:
        if token.kind == "op" and token.text in ")]}" and len(open_) > 1:
            open_.pop()
        around.append(open_[-1])
        if token.kind == "op" and token.text in "([{":
            open_.append(token.text)
    return around


def statement_end(tokens, at):
    """The position of the last token of the statement that begins at `at`."""
    if tokens[at].text == "{":
        return closing(tokens, at)
    while at < len(tokens) - 1 and tokens[at].text != ";":
        at = closing(tokens, at) if tokens[at].text in ("(", "{", "[") else at
        at += 1
    return at


def left_out(tokens, on_host):
    """Conditions `if constexpr (runs_on_host)`, and the branches that this build does not take."""
    skipped = set()
    for at in range(len(tokens) - 4):
        if [token.text for token in tokens[at : at + 3]] != ["if", "constexpr", "("]:
            continue
        end = closing(tokens, at + 2)
        condition = "".join(token.text for token in tokens[at + 3 : end])
        if condition not in ("runs_on_host", "!runs_on_host", "has_warps"):
            continue
        skipped.update(range(at, end + 1))
        taken = (condition == "runs_on_host") == on_host
        last = statement_end(tokens, end + 1)
        if not taken:
            skipped.update(range(end + 1, last + 1))
        elif last + 1 < len(tokens) and tokens[last + 1].text == "else":
            skipped.update(range(last + 1, statement_end(tokens, last + 2) + 1))
    return skipped


def spaced(source, token):
    return source[token.begin - 1 : token.begin].isspace() and source[token.end : token.end + 1].isspace()


def token_changes(source, tokens, skipped):
    """(begin, end, replacement, what is printed)."""
    for at, token in enumerate(tokens):
        if at in skipped:
            continue
        before = tokens[at - 1].text if at else ""
        if (
            token.kind == "op"
            and token.text in OPERATORS
            and spaced(source, token)
            and before not in ("(", ",", "=", "return")
        ):
            choices = OPERATORS[token.text]
        elif token.kind == "number":
            choices = NUMBERS.get(token.text, [])
        elif token.kind == "name" and token.text in NAMES:
            choices = [] if before in (".", "->") else NAMES[token.text]
        elif token.text == "!" and at + 1 < len(tokens):
            choices = [""]
        else:
            continue
        for replacement in choices:
            yield token.begin, token.end, replacement, f"{token.text} -> {replacement or 'nothing'}"


def statement_changes(source, tokens, skipped):
    """Calls and assignments that are statements of their own, removed."""
    around = innermost(tokens)
    for at in range(1, len(tokens)):
        if at in skipped or around[at] != "{":
            continue
        if (
            tokens[at - 1].text not in (";", "{", "}", ")", "else")
            or tokens[at].kind != "name"
            or tokens[at].text in KEYWORDS
        ):
            continue
        place, called, assigned = at, False, False
        while place < len(tokens) and tokens[place].text not in (";", "{", "}"):
            text = tokens[place].text
            if place > at and tokens[place].kind == "name" and tokens[place - 1].kind == "name":
                break  # a declaration
            if text in ("(", "["):
                called = called or text == "("
                place = closing(tokens, place)
            elif text == "<" and not spaced(source, tokens[place]):
                place = closing_angle(tokens, place)
                if tokens[place + 1].kind == "name":
                    break
            elif text in ("=", "+=", "-=", "*=", "/=", "|=", "&="):
                assigned = True
            elif text in ("*", "&", "&&") and not assigned and place == at + 1:
                break
            place += 1
        else:
            if place < len(tokens) and tokens[place].text == ";" and (called or assigned):
                yield tokens[at].begin, tokens[place].end, ";", "statement removed"


def mutants_of(path, source, on_host=True):
    """All changes of a file, in the order of their places."""
    tokens = tokens_of(source)
    skipped = left_alone(tokens) | left_out(tokens, on_host)
    mutants = []
    for begin, end, replacement, change in [
        *token_changes(source, tokens, skipped),
        *statement_changes(source, tokens, skipped),
    ]:
        first = source.rfind("\n", 0, begin) + 1
        last = source.find("\n", begin)
        mutants.append(
            Mutant(
                path,
                begin,
                end,
                replacement,
                source.count("\n", 0, begin) + 1,
                begin - first + 1,
                source[first:last].strip(),
                change,
            )
        )
    return sorted(mutants, key=lambda mutant: (mutant.begin, mutant.change))
