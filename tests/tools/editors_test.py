"""The grammar and the files for editors (editors/README.md): they know the words of the language, and
the grammar reads the sources of the whole tree.

The comparison of words always runs. What needs a program (a C compiler and the library of tree-sitter,
its CLI, node, vim, nvim, emacs, the compiler of build/bin) is skipped where it is missing."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import golden_test

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EDITORS = os.path.join(ROOT, "editors")
GRAMMAR = os.path.join(EDITORS, "tree-sitter-modula3")
GOLDEN = os.path.join(ROOT, "tests", "golden")
TENURE = os.path.join(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")), "bin", "tenure")
SUFFIXES = (".m3", ".i3", ".mg", ".ig")
TIMEOUT_S = 300

# Pragmas that the compiler's lexer treats apart, and whose contents are no code either.
DIRECTIVES = {"LINE", "NOWARN", "PRAGMA"}


def read(path: str) -> str:
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="surrogateescape") as file:
        return file.read()


def words_of(definition: str) -> set:
    return set(re.findall(rf'^TN_{definition}\((?:\w+,\s*)?"([^"]+)"\)', read("compiler/lex/tokens.def"), re.M))


def predeclared() -> set:
    """The reserved identifiers of docs/language.md, 1.4."""
    section = read("docs/language.md").split("### 1.4 ")[1].split("### 1.5 ")[0]
    words = re.findall(r"\b[A-Z]{2,}\b", section.split("-- CM3 adds")[0])
    return set(words) | {"LONGCARD"}


def sources(*folders) -> list:
    return sorted(os.path.relpath(os.path.join(parent, name), ROOT)
                  for folder in folders for parent, _, names in os.walk(os.path.join(ROOT, folder))
                  for name in names if name.endswith(SUFFIXES) and ".tenure" not in parent)


def legal_units() -> dict:
    """The text of each unit that the compiler accepts, by a name that is a path."""
    units = {path: read(path) for path in sources("stdlib", "examples", "bench", "lab")}
    for path in sources("tests"):
        full = os.path.join(ROOT, path)
        if not full.startswith(GOLDEN + os.sep) or f"{os.sep}lib{os.sep}" in full:
            units[path] = read(path)
            continue
        test = golden_test.read_golden_test(full, GOLDEN)
        if test.phase in ("check", "lower", "run", "persist") and not any(
                diagnostic.kind == "error" for diagnostic in test.diagnostics):
            for name, text in test.units.items():
                if not name.endswith((".i3", ".m3", ".ig", ".mg")):
                    continue
                units[f"{path}.units/{name}"] = text
    return units


def run(*command, folder=ROOT, text=None, **environment) -> subprocess.CompletedProcess:
    return subprocess.run(command, cwd=folder, input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", errors="replace", timeout=TIMEOUT_S, check=False,
                          env=dict(os.environ, **environment))


class FolderTest(unittest.TestCase):
    """Has a folder of its own."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="tenure-editors-")
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def write(self, name: str, text: str) -> str:
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(text)
        return self.path(name)

    def need(self, program: str) -> str:
        found = shutil.which(program)
        if not found:
            self.skipTest(f"{program} is not installed")
        return found


class WordsTest(unittest.TestCase):
    """A keyword, pragma or reserved identifier that the language gets must be added to each editor."""

    def setUp(self):
        self.keywords, self.pragmas = words_of("KEYWORD"), words_of("PRAGMA")
        self.predeclared = predeclared()

    def test_the_lists_are_found(self):
        self.assertGreaterEqual(len(self.keywords), 61)
        self.assertIn("TYPECASE", self.keywords)
        self.assertIn("__cdecl", self.pragmas)
        self.assertNotIn("LL", self.pragmas)
        self.assertTrue({"REFANY", "NIL", "LONGCARD", "SUBARRAY"} <= self.predeclared)
        self.assertGreaterEqual(len(self.predeclared), 44)

    def test_the_grammar(self):
        grammar = read("editors/tree-sitter-modula3/grammar.js")
        self.assertEqual(set(re.findall(r"'([A-Z]{2,})'", grammar)), self.keywords)
        # EXIT has no node apart from (exit_statement).
        made = json.loads(read("editors/tree-sitter-modula3/src/node-types.json"))
        self.assertEqual({node["type"] for node in made if node["type"].isupper()} | {"EXIT"},
                         self.keywords)

    def test_the_scanner_of_the_grammar(self):
        scanner = read("editors/tree-sitter-modula3/src/scanner.c")
        known = scanner.split("kKnownPragmas[] = {")[1].split("}")[0]
        self.assertEqual(set(re.findall(r'"(\w+)"', known)), self.pragmas)

    def test_the_queries(self):
        query = read("editors/tree-sitter-modula3/queries/highlights.scm")
        strings = set(re.findall(r'"(\w{2,})"', query))
        coloured = strings | {"EXIT"}  # (exit_statement) is that keyword
        self.assertEqual(coloured - self.predeclared, self.keywords)
        self.assertEqual(coloured - self.keywords, self.predeclared)

    def test_the_text_mate_grammar(self):
        rules = json.loads(read("editors/vscode/syntaxes/modula3.tmLanguage.json"))["repository"]
        for name, words in (("keyword", self.keywords), ("predefined", self.predeclared)):
            found = {word for pattern in rules[name]["patterns"]
                     for word in re.findall(r"\b[A-Z]{2,}\b", pattern["match"])}
            self.assertEqual(found, words, name)
        known = rules["pragma"]["patterns"][0]["begin"]
        self.assertEqual(set(re.findall(r"\w+", known.split("(?:(")[1].split(")")[0])), self.pragmas)

    def test_vim(self):
        lines = re.sub(r"\n\s*\\", " ", read("editors/vim/syntax/modula3.vim")).split("\n")
        groups = {}
        for line in lines:
            if match := re.match(r"syntax keyword (\w+) (.*)", line):
                groups.setdefault(match.group(1), set()).update(match.group(2).split())
        groups.pop("modula3Todo")
        names = {"modula3Type", "modula3Constant", "modula3Boolean", "modula3Builtin"}
        found = set().union(*(words for group, words in groups.items() if group not in names))
        self.assertEqual(found, self.keywords)
        self.assertEqual(set().union(*(groups[name] for name in names)), self.predeclared)
        known = next(line for line in lines if "modula3KnownPragma" in line)
        self.assertEqual(set(re.findall(r"\w+", known.split(r"\%(")[1].split(r"\)\>")[0])), self.pragmas)

    def test_emacs(self):
        mode = read("editors/emacs/tenure-modula3-mode.el")

        def words(name: str) -> set:
            body = mode.split(f"(defconst tenure-modula3-{name}")[1].split("'(")[1].split(")")[0]
            return set(re.findall(r'"(\w+)"', body))

        self.assertEqual(words("keywords"), self.keywords)
        self.assertEqual(words("types") | words("constants") | words("builtins"), self.predeclared)
        self.assertEqual(words("pragmas"), self.pragmas)

    def test_the_pages_of_the_guide(self):
        found = read("tools/guide/conf.py").split('KEYWORDS = """')[1].split('"""')[0]
        self.assertEqual(set(found.split()), self.keywords)

    def test_what_is_ignored_is_no_known_pragma(self):
        self.assertFalse((words_of("IGNORED_PRAGMA") | DIRECTIVES) & self.pragmas)


class GrammarTest(FolderTest):
    def units(self) -> list:
        units = legal_units()
        self.assertGreater(len(units), 1600)
        for part in ("stdlib/", "examples/", "bench/", "lab/", "tests/golden/run", "tests/golden/persist",
                     "tests/golden/check"):
            self.assertTrue(any(name.startswith(part) for name in units), part)
        return [self.write(os.path.join("units", name), text) for name, text in units.items()]

    def test_the_parser_reads_all_legal_sources(self):
        compiler = self.need(os.environ.get("CC", "cc"))
        program = self.path("parse_files")
        sources_of_parser = [os.path.join(GRAMMAR, *names) for names in (
            ("test", "parse_files.c"), ("src", "parser.c"), ("src", "scanner.c"))]
        library = run(compiler, "-fsyntax-only", "-x", "c", "-", text="#include <tree_sitter/api.h>\n")
        if library.returncode != 0:
            self.skipTest("the library of tree-sitter is not installed")
        made = run(compiler, "-std=c11", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra", "-Werror", "-I",
                   os.path.join(GRAMMAR, "src"), *sources_of_parser, "-ltree-sitter", "-o", program)
        self.assertEqual((made.returncode, made.stdout), (0, ""))

        parsed = run(program, text="\n".join(self.units()) + "\n")
        *wrong, summary = parsed.stdout.rstrip("\n").split("\n")
        self.assertEqual("\n".join(wrong), "")
        self.assertEqual(parsed.returncode, 0)
        print(f"tree-sitter: {summary}")

        for name, text in (("error.m3", "MODULE M;\nBEGIN\n  x := ;\nEND M.\n"),
                           ("missing.m3", "MODULE M;\nBEGIN\n  x := f(1;\nEND M.\n")):
            parsed = run(program, text=self.write(name, text) + "\n")
            self.assertEqual(parsed.returncode, 1)
            self.assertRegex(parsed.stdout, rf"{name}:3:\d+: (ERROR|MISSING)\n")

    def test_the_cli_finds_what_the_tests_of_the_grammar_state(self):
        cli = self.need("tree-sitter")
        copy = os.path.join(self.folder, "tree-sitter-modula3")
        shutil.copytree(GRAMMAR, copy)
        # Everything the CLI writes goes below our folder.
        home = {"HOME": self.folder, "XDG_CACHE_HOME": self.path("cache"), "XDG_CONFIG_HOME": self.path("config")}
        tested = run(cli, "test", folder=copy, **home)
        self.assertEqual(tested.returncode, 0, tested.stdout)

        made = run(cli, "generate", "--abi", "14", folder=copy, **home)
        self.assertEqual(made.returncode, 0, made.stdout)
        for name in ("grammar.json", "node-types.json"):
            self.assertEqual(read(os.path.join(copy, "src", name)), read(os.path.join(GRAMMAR, "src", name)), name)

        units = self.units()
        parsed = run(cli, "parse", "--quiet", "--paths", self.write("paths", "\n".join(units) + "\n"),
                     folder=copy, **home)
        self.assertEqual(parsed.returncode, 0, parsed.stdout[-2000:])
        for name in ("folds", "highlights", "indents", "locals", "tags"):
            asked = run(cli, "query", "--captures", os.path.join("queries", f"{name}.scm"), units[0],
                        folder=copy, **home)
            self.assertEqual(asked.returncode, 0, asked.stdout[-2000:])
            self.assertIn("text:", asked.stdout, name)


class VsCodeTest(FolderTest):
    def test_the_functions_of_the_extension(self):
        node = self.need("node")
        if int(run(node, "--version").stdout[1:].split(".")[0]) < 20:
            self.skipTest("node --test needs node 20")
        tests = sorted(os.path.join("test", name) for name in os.listdir(os.path.join(EDITORS, "vscode", "test")))
        ran = run(node, "--test", *tests, folder=os.path.join(EDITORS, "vscode"))
        self.assertEqual(ran.returncode, 0, ran.stdout)

    def test_the_files_that_the_extension_names_are_there(self):
        package = json.loads(read("editors/vscode/package.json"))
        contributes = package["contributes"]
        paths = [package["main"], contributes["languages"][0]["configuration"], contributes["grammars"][0]["path"],
                 contributes["snippets"][0]["path"]]
        for path in paths:
            self.assertTrue(os.path.exists(os.path.join(EDITORS, "vscode", path)), path)
        json.loads(read("editors/vscode/language-configuration.json"))
        self.assertEqual(set(contributes["languages"][0]["extensions"]), set(SUFFIXES))

    def test_the_problem_matcher_reads_what_the_compiler_prints(self):
        pattern, = json.loads(read("editors/vscode/package.json"))["contributes"]["problemPatterns"]
        match = re.match(pattern["regexp"], "src/A.m3:3:6: error[M0312]: no Putt (20.5)")
        self.assertEqual([match.group(pattern[key]) for key in ("file", "line", "column", "severity", "code",
                                                                "message")],
                         ["src/A.m3", "3", "6", "error", "M0312", "no Putt (20.5)"])
        self.assertIsNone(re.match(pattern["regexp"], "src/A.m3:2:5: note: a is declared here"))

    def test_snippets_are_modula_3(self):
        snippets = json.loads(read("editors/vscode/snippets/modula3.json"))
        for name, snippet in snippets.items():
            text = "\n".join(snippet["body"])
            words = set(re.findall(r"\b[A-Z]{2,}\b", re.sub(r"\$\{?\w+", "", text)))
            self.assertLessEqual(words, words_of("KEYWORD") | words_of("PRAGMA") | predeclared() | {"IO"}, name)


# Where and which: a part of a line of a file, how far behind its begin, and the kind of what is there.
PLACES = (
    ("MODULE Main", 0, "keyword"), ("MODULE Main", 8, "unit"), ("(* outer", 3, "comment"),
    ("behind *)", 0, "comment"), ("TYPE", 0, "keyword"), ("INTEGER", 0, "type"), ("PROCEDURE Pick", 10, "function"),
    ("16_FF", 3, "number"), ('"text (*"', 3, "text"), ("'\"'", 1, "text"), ("RETURN", 0, "keyword"),
    ("<*ASSERT", 0, "pragma"), ("NIL*>", 0, "constant"), ("<*LL", 0, "pragma"), ("don't", 2, "skipped"),
    ("NEW(", 0, "builtin"))

SAMPLE = """MODULE Main;  (* outer (* inner *) behind *)
TYPE T = REF INTEGER;
PROCEDURE Pick(): T =
  CONST c = 16_FF; t = "text (*"; q = '"';
  BEGIN
    <*ASSERT q # NIL*>
    <*LL = don't <* nested *> *>
    RETURN NEW(T);
  END Pick;
BEGIN
END Main.
"""

# With errors of two kinds, the second one with a note.
WRONG = """MODULE Main;
IMPORT IO;
VAR a: INTEGER;
VAR a: TEXT;
BEGIN
  IO.Putt("x");
END Main.
"""


def place_of(text: str, part: str, offset: int) -> tuple:
    """Line and column from 1."""
    at = text.index(part) + offset
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


# Sources that are laid out as both editors do it.
INDENTED = ("stdlib/text/Atom.m3", "stdlib/text/TextConv.m3", "stdlib/data/ListSort.mg", "stdlib/data/Sx.m3",
            "stdlib/c/Uresource.i3", "stdlib/io/IO.m3")


class VimTest(FolderTest):
    KINDS = {"keyword": "modula3(Define|Statement)", "unit": "modula3Unit", "comment": "modula3Comment",
             "type": "modula3Type", "function": "modula3Function", "number": "modula3Number", "text":
             "modula3(Text|Character)", "pragma": "modula3Pragma", "constant": "modula3Constant",
             "skipped": "modula3SkippedPragma", "builtin": "modula3Builtin"}

    def vim(self, script: str, may_print=False) -> list:
        vim = self.need("vim")
        if "+syntax" not in run(vim, "--version").stdout:
            self.skipTest("this vim has no colours")
        start = ("set nocompatible\n"
                 f"let &runtimepath = '{EDITORS}/vim,' . &runtimepath\n"
                 "filetype plugin indent on\nsyntax on\nlet g:lines = []\n")
        end = f"\ncall writefile(g:lines, '{self.path('lines')}')\nqall!\n"
        ran = run(vim, "-es", "-u", "NONE", "-i", "NONE", "-N", "-S", self.write("script.vim", start + script + end))
        self.assertTrue(os.path.exists(self.path("lines")), ran.stdout)
        if not may_print:
            self.assertEqual(ran.stdout.strip(), "")
        return read(self.path("lines")).split("\n")[:-1]

    def test_colours(self):
        commands = "".join("call add(g:lines, synIDattr(synID(%d, %d, 1), 'name'))\n"
                           % place_of(SAMPLE, part, offset) for part, offset, _ in PLACES)
        lines = self.vim(f"edit {self.write('Main.m3', SAMPLE)}\ncall add(g:lines, &filetype)\n" + commands)
        self.assertEqual(lines[0], "modula3")
        for (part, _, kind), group in zip(PLACES, lines[1:]):
            self.assertRegex(group, f"^{self.KINDS[kind]}$", part)

    def test_colours_of_a_file_of_the_library(self):
        text = read("stdlib/text/Atom.m3")
        line, column = place_of(text, "BEGIN", 0)
        lines = self.vim(f"edit {ROOT}/stdlib/text/Atom.m3\n"
                         f"call add(g:lines, synIDattr(synID({line}, {column}, 1), 'name'))\n")
        self.assertEqual(lines, ["modula3Statement"])

    def test_indentation_of_the_library_stays(self):
        copies = {path: self.write(os.path.basename(path), read(path)) for path in INDENTED}
        self.vim("".join(f"edit {copy}\nnormal! gg=G\nwrite\n" for copy in copies.values()))
        for path, copy in copies.items():
            self.assertEqual(read(copy), read(path), path)

    def test_errors_of_the_compiler(self):
        if not os.path.exists(TENURE):
            self.skipTest("there is no compiler in build/bin")
        self.write("Main.m3", WRONG)
        lines = self.vim(f"let $PATH = '{os.path.dirname(TENURE)}:' . $PATH\ncd {self.folder}\nedit Main.m3\n"
                         "silent! make!\nfor e in getqflist()\n"
                         "call add(g:lines, join([bufname(e.bufnr), e.lnum, e.col, e.type, e.nr, e.text], '|'))\n"
                         "endfor", may_print=True)
        self.assertEqual([line.split("|")[:5] for line in lines], [
            ["Main.m3", "4", "5", "e", "401"], ["Main.m3", "3", "5", "n", "-1"],
            ["Main.m3", "6", "6", "e", "312"], ["Main.m3", "6", "6", "i", "-1"]], lines)
        self.assertIn("a is declared twice", lines[0])
        self.assertIn('replace "Putt" by "Put"', lines[3])

    def test_layout(self):
        if not os.path.exists(TENURE):
            self.skipTest("there is no compiler in build/bin")
        ugly = "MODULE Main;\nBEGIN\n\n\n    x:=1;\n    y:=2;\nEND Main.\n"
        whole, part = self.write("Main.m3", ugly), self.write("Part.m3", ugly)
        wrong = self.write("Wrong.m3", ugly.replace("x:=1", "x:="))
        lines = self.vim(f"let $PATH = '{os.path.dirname(TENURE)}:' . $PATH\n"
                         f"edit {whole}\nTenureFormat\nwrite\nedit {part}\n5TenureFormat\nwrite\n"
                         f"edit {wrong}\nsilent! TenureFormat\nwrite\nfor e in getqflist()\n"
                         "call add(g:lines, join([bufname(e.bufnr), e.lnum, e.col, e.text], '|'))\nendfor",
                         may_print=True)
        self.assertEqual(read(whole), "MODULE Main;\nBEGIN\n\n  x := 1;\n  y := 2;\nEND Main.\n")
        self.assertEqual(read(part), ugly.replace("    x:=1", "  x := 1"))
        self.assertEqual(read(wrong), ugly.replace("x:=1", "x:="))
        self.assertRegex(lines[0], r"Wrong\.m3\|5\|\d+\|error\[M\d+\]: ")


class NeovimTest(FolderTest):
    SCRIPT = """
vim.opt.runtimepath:prepend('FOLDER')
vim.cmd('edit FOLDER/Main.m3')
local root = vim.treesitter.get_parser(0, 'modula3'):parse()[1]:root()
local get = vim.treesitter.query.get or vim.treesitter.query.get_query
local out = {tostring(root:has_error())}
for _, name in ipairs({'highlights', 'folds', 'indents', 'locals'}) do
  local query = get('modula3', name)
  for id, node in query:iter_captures(root, 0) do
    local row, column = node:start()
    table.insert(out, name .. ' ' .. query.captures[id] .. ' ' .. (row + 1) .. ':' .. (column + 1))
  end
end
vim.fn.writefile(out, 'FOLDER/lines')
"""

    def test_the_parser_and_the_queries(self):
        nvim, compiler = self.need("nvim"), self.need(os.environ.get("CC", "cc"))
        os.mkdir(self.path("parser"))
        made = run(compiler, "-O1", "-shared", "-fPIC", "-I", "src", "src/parser.c", "src/scanner.c", "-o",
                   self.path("parser/modula3.so"), folder=GRAMMAR)
        self.assertEqual(made.returncode, 0, made.stdout)
        shutil.copytree(os.path.join(GRAMMAR, "queries"), self.path("queries/modula3"))
        self.write("Main.m3", SAMPLE)
        script = self.write("script.lua", self.SCRIPT.replace("FOLDER", self.folder))
        ran = run(nvim, "--headless", "-u", "NONE", "-i", "NONE", "-c", f"luafile {script}", "-c", "qall!")
        self.assertTrue(os.path.exists(self.path("lines")), ran.stdout)
        has_error, *captures = read(self.path("lines")).splitlines()
        self.assertEqual(has_error, "false")
        for name, (part, offset) in (
                ("highlights keyword.type", ("MODULE Main", 0)), ("highlights comment", ("(* outer", 0)),
                ("highlights function", ("Pick():", 0)), ("highlights keyword.directive", ("<*ASSERT", 0)),
                ("highlights string.special", ("= don't", 0)), ("folds fold", ("PROCEDURE Pick", 0)),
                ("indents indent.branch", ("END Pick", 0)), ("locals local.definition", ("c = 16", 0))):
            self.assertIn("%s %d:%d" % (name, *place_of(SAMPLE, part, offset)), captures)


class EmacsTest(FolderTest):
    KINDS = {"keyword": "keyword", "unit": "constant", "comment": "comment", "type": "type",
             "function": "function-name", "text": "string", "pragma": "preprocessor", "constant": "constant",
             "skipped": "comment", "builtin": "builtin"}

    def emacs(self, *forms) -> list:
        emacs = self.need("emacs")
        start = f"(progn (add-to-list 'load-path \"{EDITORS}/emacs\") (require 'tenure-modula3-mode))"
        ran = run(emacs, "-Q", "--batch", *(word for form in (start,) + forms for word in ("--eval", form)))
        self.assertEqual(ran.returncode, 0, ran.stdout)
        return [line[1:] for line in ran.stdout.split("\n") if line.startswith("=")]

    def test_it_compiles_without_a_warning(self):
        emacs = self.need("emacs")
        copy = self.write("tenure-modula3-mode.el", read("editors/emacs/tenure-modula3-mode.el"))
        ran = run(emacs, "-Q", "--batch", "--eval", "(setq byte-compile-error-on-warn t)", "-f",
                  "batch-byte-compile", copy)
        self.assertEqual((ran.returncode, ran.stdout), (0, ""))

    def test_colours(self):
        path = self.write("Main.m3", SAMPLE)
        shown = [f"(princ (format \"=%s\\n\" (get-text-property {SAMPLE.index(part) + offset + 1} 'face)))"
                 for part, offset, _ in PLACES]
        lines = self.emacs(f'(find-file "{path}")', '(princ (format "=%s\\n" major-mode))',
                           "(font-lock-ensure)", *shown)
        self.assertEqual(lines[0], "tenure-modula3-mode")
        for (part, _, kind), face in zip(PLACES, lines[1:]):
            expected = f"font-lock-{self.KINDS[kind]}-face" if kind in self.KINDS else "nil"
            self.assertEqual(face, expected, part)

    def test_indentation_of_the_library_stays(self):
        copies = {path: self.write(os.path.basename(path), read(path)) for path in INDENTED}
        self.emacs(*(f'(let ((inhibit-message t)) (find-file "{copy}") (indent-region (point-min) (point-max))'
                     " (save-buffer))" for copy in copies.values()))
        for path, copy in copies.items():
            self.assertEqual(read(copy), read(path), path)

    def test_outline(self):
        path = self.write("Main.m3", SAMPLE)
        lines = self.emacs("(require 'imenu)", f'(find-file "{path}")',
                           '(dolist (entry (imenu--make-index-alist t)) (princ (format "=%s %s\\n" (car entry) '
                           "(if (listp (cdr entry)) (mapcar #'car (cdr entry)) \"\"))))")
        self.assertIn("Pick ", lines)
        self.assertIn("Types (T)", lines)

    def test_errors_of_the_compiler(self):
        if not os.path.exists(TENURE):
            self.skipTest("there is no compiler in build/bin")
        self.write("Main.m3", WRONG)
        printed = run(TENURE, "check", "--color", "never", folder=self.folder).stdout
        lines = self.emacs(
            f'(find-file "{self.write("printed", printed)}")', "(compilation-mode)",
            "(compilation--ensure-parse (point-max))",
            "(while (not (eobp)) (let* ((m (get-text-property (point) 'compilation-message))"
            " (l (and m (compilation--message->loc m)))) (when m (princ (format \"=%s:%s %s\\n\""
            " (compilation--loc->line l) (compilation--loc->col l) (compilation--message->type m))))"
            " (forward-line 1)))")
        # 2 is an error, 0 a note.
        self.assertEqual(lines, ["4:5 2", "3:5 0", "6:6 2", "6:6 0"], printed)

    def test_layout(self):
        if not os.path.exists(TENURE):
            self.skipTest("there is no compiler in build/bin")
        ugly = "MODULE Main;\nBEGIN\n    x:=1;\n    y:=2;\nEND Main.\n"
        path = self.write("Main.m3", ugly)
        start = f'(progn (push "{os.path.dirname(TENURE)}" exec-path) (find-file "{path}"))'
        self.emacs(start, "(let ((inhibit-message t)) (tenure-modula3-format 3 3) (save-buffer))")
        self.assertEqual(read(path), ugly.replace("    x:=1", "  x := 1"))
        self.emacs(start, "(let ((inhibit-message t)) (tenure-modula3-format) (save-buffer))")
        self.assertEqual(read(path), "MODULE Main;\nBEGIN\n  x := 1;\n  y := 2;\nEND Main.\n")


if __name__ == "__main__":
    unittest.main()
