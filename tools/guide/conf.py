"""Settings with which Sphinx makes web pages of the guide and the other documents, for guide_pages.py.

The sources are the Markdown files of the repository, as they are. Links to interfaces of the library
become links to the pages of `tenure doc`, which lie in the folder `library` beside, and names of
documents in code spans become links."""

import os
import re

from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Literal, Name, Number, Operator, Punctuation, String, Text

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

project = "Tenure"
copyright = "its authors"
extensions = ["myst_parser"]
myst_heading_anchors = 3
source_suffix = {".md": "markdown"}
root_doc = "README"
include_patterns = ["*.md", "docs/**.md", "examples/*.md", "examples/*/README.md"]
exclude_patterns = [name for name in os.listdir(ROOT)
                    if os.path.isdir(os.path.join(ROOT, name)) and name not in ("docs", "examples")]
html_theme = "furo"
html_title = "Tenure"
html_copy_source = False
html_show_sphinx = False
html_baseurl = ""
templates_path = ["templates"]
html_sidebars = {"**": ["sidebar/scroll-start.html", "sidebar/brand.html", "sidebar/search.html",
                        "library.html", "sidebar/navigation.html", "sidebar/scroll-end.html"]}
# A document may be reached by links alone, and headings may begin at any level.
suppress_warnings = ["myst.header", "myst.nested_header", "misc.highlighting_failure"]

INTERFACE = re.compile(r"\[([^\]]+)\]\((?:\.\./)*stdlib/[^)]*?/(\w+)\.(?:i3|ig)\)")
OTHER_FILE = re.compile(r"\[([^\]]+)\]\(([^)#:\s]+)\)")
DOCUMENT = re.compile(r"(?<!\[)`((?:\.\./)*[\w/-]+\.md)`(?!\])")

KEYWORDS = """AND ANY ARRAY AS BEGIN BITS BRANDED BY CASE CONST DIV DO ELSE ELSIF END EVAL EXCEPT EXCEPTION
EXIT EXPORTS FINALLY FOR FROM GENERIC IF IMPORT IN INTERFACE LOCK LOOP METHODS MOD MODULE NOT OBJECT OF OR
OVERRIDES PROCEDURE RAISE RAISES READONLY RECORD REF REPEAT RETURN REVEAL ROOT SET THEN TO TRY TYPE TYPECASE
UNSAFE UNTIL UNTRACED VALUE VAR WHILE WITH""".split()
PREDECLARED = """ABS ADDRESS ADR BOOLEAN CARDINAL CEILING CHAR DEC DISPOSE FALSE FIRST FLOAT FLOOR INC INTEGER
ISTYPE LAST LONGINT LONGREAL LOOPHOLE MAX MIN MUTEX NARROW NEW NIL NULL NUMBER ORD REAL REFANY ROUND SUBARRAY
TEXT TRUE TRUNC TYPECODE VAL WIDECHAR""".split()


class Modula3Lexer(RegexLexer):
    name = "Modula-3"
    aliases = ["modula3"]
    tokens = {
        "root": [
            (r"\s+", Text),
            (r"\(\*", Comment, "comment"),
            (r"<\*.*?\*>", Comment.Preproc),
            (words(KEYWORDS, prefix=r"\b", suffix=r"\b"), Keyword),
            (words(PREDECLARED, prefix=r"\b", suffix=r"\b"), Name.Builtin),
            (r'[Ww]?"(?:\\.|[^"\\\n])*"', String),
            (r"[Ww]?'(?:\\.[0-7]*|[^'\\\n])'", String.Char),
            (r"\d+_[0-9A-Fa-f]+", Number),
            (r"\d+(?:\.\d+(?:[EeDdXx][+-]?\d+)?)?", Number),
            (r"\w+", Name),
            (r":=|\.\.|=>|<:|<=|>=|[-+*/&=#<>^|]", Operator),
            (r".", Punctuation),
        ],
        "comment": [
            (r"\(\*", Comment, "#push"),
            (r"\*\)", Comment, "#pop"),
            (r"[^(*]+|[(*]", Comment),
        ],
    }


class QuakeLexer(RegexLexer):
    name = "Quake"
    aliases = ["quake"]
    tokens = {"root": [(r"%.*", Comment), (r'"(?:\\.|[^"\\\n])*"', String),
                       (r"\b(?:if|else|elsif|end|foreach|in|proc|is|local|readonly|return|and|or|not)\b",
                        Keyword),
                       (r"\w+", Name), (r"\s+", Text), (r".", Literal)]}


def relative(path: str, name: str) -> str:
    return os.path.relpath(path, os.path.dirname(name))


def interface_link(name: str):
    up = "../" * name.count("/")
    return lambda match: f'<a href="{up}library/{match.group(2)}.html">{match.group(1)}</a>'


def other_link(name: str):
    """A link to a file that is not a page becomes its text."""
    def replace(match):
        path = os.path.normpath(os.path.join(os.path.dirname(name), match.group(2)))
        is_page = path.endswith(".md") and (path.startswith(("docs/", "examples/")) or "/" not in path)
        return match.group(0) if is_page else match.group(1)
    return replace


def document_link(name: str):
    """`name.md` in a code span: a path from the root, from `docs`, or from the page's folder."""
    def replace(match):
        for folder in (os.path.dirname(name), "", "docs"):
            path = os.path.normpath(os.path.join(folder, match.group(1)))
            if (path.startswith(("docs/", "examples/")) or "/" not in path) and path != name + ".md" \
                    and os.path.isfile(os.path.join(ROOT, path)):
                return f"[{match.group(0)}]({relative(path, name)})"
        return match.group(0)
    return replace


def pages(folder: str):
    return sorted(f"{folder}/{name[:-3]}" for name in os.listdir(os.path.join(ROOT, folder))
                  if name.endswith(".md") and name != "README.md")


def linked_pages(document: str):
    """The pages that a table of contents links to, in its order."""
    folder = os.path.dirname(document)
    with open(os.path.join(ROOT, document), encoding="utf-8") as file:
        targets = re.findall(r"\]\(([\w/-]+)\.md\)", file.read())
    return list(dict.fromkeys(f"/{folder}/{target}" for target in targets))


def tree(entries, caption: str = "") -> str:
    heading = f":caption: {caption}\n" if caption else ""
    return "\n\n```{toctree}\n:hidden:\n" + heading + "\n".join(entries) + "\n```\n"


def contents_of(name: str) -> str:
    """The tables of contents from which the navigation at the side is made."""
    if name == "README":
        return (tree(["Guide </docs/guide/README>", "Examples </examples/README>"], "Learn") +
                tree(["Map of all documents </docs/README>", "CONTRIBUTING", "CHANGELOG", "SECURITY"],
                     "Look up"))
    if name == "docs/guide/README":
        return tree([page for page in linked_pages("docs/guide/README.md")
                     if not page.endswith("/language/coming-from")])
    if name == "docs/guide/language/README":
        return tree([page for page in linked_pages("docs/guide/language/README.md")])
    if name == "docs/README":
        return tree(["/" + page for page in pages("docs")] + ["/" + page for page in pages("docs/decisions")])
    if name == "examples/README":
        return tree(linked_pages("examples/README.md"))
    return ""


def read_source(_, name, source) -> None:
    text = INTERFACE.sub(interface_link(name), source[0])
    parts = re.split(r"(^```.*?^```$)", text, flags=re.M | re.S)
    for i in range(0, len(parts), 2):
        parts[i] = DOCUMENT.sub(document_link(name), OTHER_FILE.sub(other_link(name), parts[i]))
    source[0] = "".join(parts) + contents_of(name)


def pages_with_contents(_, environment, *__) -> list:
    """Their tables of contents change when other documents come or go."""
    return [page for page in environment.found_docs if contents_of(page)]


def setup(app) -> None:
    app.add_lexer("modula3", Modula3Lexer)
    app.add_lexer("quake", QuakeLexer)
    app.connect("source-read", read_source)
    app.connect("env-get-outdated", pages_with_contents)
