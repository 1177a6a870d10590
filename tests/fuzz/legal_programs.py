#!/usr/bin/env python3
"""Legal programs whose names are words of other languages.

  legal_programs.py [--seed N] [--count N] [--tenure PROGRAM]

word_program: a program that uses each of some words in every position where a name may stand.
word_units: units whose names are such words: interfaces, modules, generic actuals, imports.
renamed: a program of random_programs.py with such words for its names, line ends, indentation
and comments anywhere, and a semicolon behind the last statement or field of some lists; the
evaluator of random_programs.py says what it prints.
"""

import argparse
import functools
import glob
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import random_programs  # noqa: E402

ROOT = random_programs.ROOT

# Sources with a table of words of other languages: each quoted word in them counts, and each of a list in capitals.
TABLES = ("compiler/foreign/*.cc", "compiler/foreign/tables/*", "compiler/lex/*foreign*")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


@functools.lru_cache(None)
def keywords():
    return set(re.findall(r'^TN_KEYWORD\(\w+, "([A-Z]+)"\)', read("compiler/lex/tokens.def"), re.M))


@functools.lru_cache(None)
def reserved_names():
    """The predeclared names, which no program declares; and IO, which these programs import."""
    section = read("docs/language.md").split("### 1.4 ")[1].split("### 1.5 ")[0]
    return set(re.findall(r"\b[A-Z]{2,}\b", section)) | {"IO"}


def foreign_words():
    """The words of the tables and our keywords: small letters, sorted, two letters or more."""
    found = {word.lower() for word in keywords()}
    for pattern in TABLES:
        for path in glob.glob(os.path.join(ROOT, pattern)):
            for words in re.findall(r'"([A-Za-z]\w+|[A-Z_]{2,}(?: [A-Z_]{2,})+)"', read(path)):
                found |= set(words.lower().split())
    return sorted(found)


def spellings(word):
    """The spellings of a word that may be names."""
    taken = keywords() | reserved_names()
    return [s for s in (word.capitalize(), word, word.upper()) if s not in taken]


@functools.lru_cache(None)
def library_names():
    files = glob.glob(os.path.join(ROOT, "stdlib", "**", "*.i3"), recursive=True)
    return sorted({os.path.basename(path)[:-3] for path in files})


# The word stands for @ and adds KNOWN to the sum.
EXCEPTIONS = "EXCEPTION @(INTEGER);\n"
KNOWN = 66
PROCEDURES = """
PROCEDURE zzTypes# () =
  TYPE
    @ = OBJECT n := 1 METHODS m (): INTEGER := zzMethod END;
    zzSub = @ OBJECT k := 2 OVERRIDES m := zzMethod END;
    zzBranded = @ BRANDED OBJECT END;
    zzProc = PROCEDURE (x: @; y: @ := NIL): @;
    zzRecord = RECORD x: @; y: REF @ END;
  PROCEDURE zzUse (x: @; READONLY y: ARRAY OF @; VAR z: @): @ =
    BEGIN z := y[0]; RETURN x END zzUse;
  VAR
    a: @ := NEW(@, n := 3);
    b: ROOT := NEW(zzSub, n := 4);
    c: ARRAY [0..1] OF @;
    d := NEW(REF @);
    e := NEW(REF ARRAY OF @, 2);
    p: zzProc := NIL;
    r := zzRecord{x := NEW(@ OBJECT END), y := d};
  BEGIN
    TYPECASE b OF
    | NULL => INC(sum, 1000)
    | @ (zz) => INC(sum, zz.n)
    ELSE INC(sum, 1000)
    END;
    TYPECASE a OF zzSub, zzBranded => INC(sum, 1000) | @ => INC(sum) ELSE END;
    IF ISTYPE(b, @) THEN INC(sum) END;
    a := NARROW(b, @);
    d^ := a;
    c := ARRAY [0..1] OF @{a, a};
    e[0] := zzUse(a, ARRAY OF @{a}, d^);
    INC(sum, NUMBER(c) + @.m(e[0]) + ORD(p = NIL) + ORD(r.y = d));
  END zzTypes#;

PROCEDURE zzOrdinals# () =
  TYPE
    @ = {A, B};
    zzColor = {@, zzOther};
    zzSet = SET OF @;
    zzTable = ARRAY @ OF ARRAY @, [0..1] OF INTEGER;
    zzSome = [@.A .. @.B];
    zzPacked = RECORD x: BITS 1 FOR @; y: BITS 1 FOR zzSome END;
  CONST
    zzNames = ARRAY @ OF TEXT{"a", "b"};
    zzBack = ARRAY zzColor OF @{@.A, @.B};
  VAR t: zzTable; s := zzSet{@.A, @.B}; v: @ := FIRST(@); color := zzColor.@;
    r := zzPacked{@.A, @.B};
  BEGIN
    FOR i := FIRST(@) TO LAST(@) DO t[i, i, 0] := ORD(i) END;
    CASE v OF @.A => INC(sum) | @.B => INC(sum, 1000) END;
    CASE color OF | zzColor.@ => INC(sum) | zzColor.zzOther => INC(sum, 1000) END;
    IF @.A IN s AND NOT v = @.B THEN INC(sum) END;
    INC(sum, t[@.B, VAL(1, @), 0] + NUMBER(zzNames) + ORD(zzBack[zzColor.zzOther] = r.y));
    INC(sum, NUMBER(ARRAY [0..2] OF zzColor{zzColor.@, ..}));
  END zzOrdinals#;

PROCEDURE zzVariables# () =
  PROCEDURE zzLocal (n: INTEGER): INTEGER =
    <*UNUSED*> VAR zz: INTEGER; @: INTEGER := n;
    BEGIN
      @ := @ + 1;
      INC(@);
      IF @ > n AND NOT @ = n THEN @ := -@ ELSIF @ = n THEN RETURN @ END;
      WHILE @ < 0 DO @ := @ + n; IF @ = n THEN EXIT END END;
      CASE @ OF 0 => @ := 1 | 1 => @ := 2 ELSE @ := @ - @ + 3 END;
      FOR zz := @ TO @ + @ - @ BY @ DO DEC(@, zz - @) END;
      WITH zz = @, y = @ + zz DO @ := y - zz END;
      <*ASSERT @ = 2*>
      EVAL @;
      REPEAT UNTIL @ = @;
      RETURN @
    END zzLocal;
  PROCEDURE zzBoolean (@: BOOLEAN): BOOLEAN =
    BEGIN
      IF @ THEN RETURN @ END;
      WHILE NOT @ DO @ := NOT @ END;
      RETURN (@)
    END zzBoolean;
  PROCEDURE zzArray (VAR @: ARRAY OF INTEGER; x: INTEGER := 1; READONLY y := "") : INTEGER =
    BEGIN
      @[0] := x; @[@[0]] := NUMBER(@);
      SUBARRAY(@, 0, 1) := SUBARRAY(@, 1, 1);
      RETURN @[FIRST(@)]
    END zzArray;
  PROCEDURE zzCalled (x: PROCEDURE (@: INTEGER)) = BEGIN x(1); x(@ := 1) END zzCalled;
  VAR @: ARRAY [0..1] OF INTEGER;
  VAR zzMutex: MUTEX;
  BEGIN
    INC(sum, zzLocal(3) + ORD(zzBoolean(@ := TRUE)) + zzArray(@ := @, x := 1));
    INC(sum, zzArray(@));
    zzCalled(zzAdd);
    VAR @: REF RECORD @, x: INTEGER END := NIL; BEGIN
      @ := NEW(REF RECORD @, x: INTEGER END);
      @.@ := 2;
      @^.x := @.@;
      INC(sum, @.x);
    END;
    VAR @ := NEW(MUTEX); BEGIN
      zzMutex := @;
      LOCK @ DO INC(sum) END;
    END;
    VAR @: PROCEDURE (n: INTEGER) := zzAdd; BEGIN @(1); @(n := 1) END;
  END zzVariables#;

PROCEDURE zzNames# () =
  CONST @ = 3;
  TYPE zzSubrange = [0 .. @]; zzBits = RECORD x: BITS @ FOR [0..7] END;
  BEGIN
    INC(sum, LAST(zzSubrange));
    CASE sum MOD 2 OF @ - 3 .. @ - 2 => INC(sum, BITSIZE(zzBits) DIV BITSIZE(zzBits)) ELSE END;
    FOR @ := 1 TO 2 DO INC(sum, @) END;
    WITH @ = 1 DO INC(sum, @) END;
    WITH zz = 1, @ = zz + zz DO INC(sum, @) END;
    PROCEDURE @ (x: INTEGER): INTEGER = BEGIN RETURN x END @;
    BEGIN EVAL @(1); INC(sum, @(2) + @(x := 1)) END;
    PROCEDURE @ () = BEGIN INC(sum) END @;
    BEGIN @(); @() END;
    TYPECASE NEW(REF INTEGER) OF REF INTEGER (@) => @^ := 1; INC(sum, @^) END;
  END zzNames#;

PROCEDURE zzMembers# () =
  TYPE
    zzRecord = RECORD x: INTEGER; @, y := 1; z: INTEGER := 0 END;
    zzLast = RECORD @: INTEGER END;
    zzObject = OBJECT @: INTEGER := 1 END;
    zzMethods = OBJECT METHODS @ (x: INTEGER): INTEGER; x () := zzNothing END;
    zzImplemented = zzMethods OBJECT OVERRIDES @ := zzSame; x := zzNothing END;
  VAR r := zzRecord{x := 1, @ := 2};
    o := NEW(zzObject, @ := 2);
    m: zzMethods := NEW(zzMethods, @ := zzSame);
  BEGIN
    INC(sum, r.@ + r.y + zzLast{@ := 1}.@ + zzLast{1}.@);
    INC(sum, o.@ + NEW(zzObject).@ + m.@(1) + NEW(zzImplemented).@(x := 1));
    INC(sum, zzImplemented.@(NEW(zzImplemented), 1));
    o.@ := 1;
    EVAL m.@(1);
    m.x();
  END zzMembers#;

PROCEDURE zzExceptions# () =
  PROCEDURE zzRaise () RAISES {zzFault, @} =
    BEGIN
      IF sum > 0 THEN RAISE @(2) ELSE RAISE zzFault(3) END
    END zzRaise;
  BEGIN
    TRY zzRaise() EXCEPT @ (@) => INC(sum, @) | zzFault => INC(sum, 1000) END;
    TRY RAISE zzFault(1) EXCEPT | @, zzFault (@) => INC(sum, @) ELSE INC(sum, 1000) END;
    TRY TRY RAISE @(1) FINALLY INC(sum) END EXCEPT @ => END;
  END zzExceptions#;
"""
CALLS = ("zzTypes#(); zzOrdinals#(); zzVariables#(); zzNames#(); zzMembers#(); zzExceptions#();\n"
         "  IF sum # before + zzKnown THEN IO.Put(\"@ \"); IO.PutInt(sum - before); "
         "IO.Put(\"\\n\") END;\n  before := sum;\n")


def word_program(words):
    """Prints a word in whose procedures something goes wrong, and "done" at the end."""
    lines = ["MODULE Main;\nIMPORT IO;\n<*NOWARN*>\nCONST zzKnown = ", str(KNOWN),
             ";\nVAR sum: INTEGER := 1; before := sum;\n"
             "EXCEPTION zzFault(INTEGER);\n<*FATAL ANY*>\n"
             "PROCEDURE zzMethod (<*UNUSED*> self: ROOT): INTEGER = BEGIN RETURN 1 END zzMethod;\n"
             "PROCEDURE zzSame (<*UNUSED*> self: ROOT; x: INTEGER): INTEGER =\n"
             "  BEGIN RETURN x END zzSame;\n"
             "PROCEDURE zzNothing (<*UNUSED*> self: ROOT) = BEGIN END zzNothing;\n"
             "PROCEDURE zzAdd (n: INTEGER) = BEGIN INC(sum, n) END zzAdd;\n"]
    for number, word in enumerate(words):
        text = EXCEPTIONS + PROCEDURES
        lines.append(text.replace("@", word).replace("#", str(number)))
    lines.append("BEGIN\n")
    for number, word in enumerate(words):
        lines.append("  " + CALLS.replace("@", word).replace(" # ", " \0 ").replace(
            "#", str(number)).replace("\0", "#"))
    lines.append("  IO.Put(\"done\\n\")\nEND Main.\n")
    return "".join(lines)


def write(directory, name, text):
    with open(os.path.join(directory, name), "w", encoding="latin-1") as file:
        file.write(text)


def word_units(words, directory):
    """Writes a package whose units have the words as their names. It prints 6 for each word."""
    words = [word for word in words if word not in library_names() and word != "Main"]
    imports, calls, instances = [], [], []
    for number, word in enumerate(words):
        other, instance = words[number - 1], f"ZzInstance{number}"
        write(directory, word + ".i3", f"""INTERFACE {word};
TYPE T = INTEGER; {word} <: ZzPublic{number}; ZzPublic{number} = OBJECT METHODS {word} (): T END;
CONST Size = 1;
EXCEPTION {word}Error(T);
PROCEDURE New (): {word};
PROCEDURE {other} (x: T := Size): T RAISES {{{word}Error}};
END {word}.
""")
        write(directory, word + ".m3", f"""MODULE {word};
REVEAL {word} = ZzPublic{number} BRANDED OBJECT x := 1 OVERRIDES {word} := Method END;
PROCEDURE Method (self: {word}): T = BEGIN RETURN self.x END Method;
PROCEDURE New (): {word} = BEGIN RETURN NEW({word}) END New;
PROCEDURE {other} (x: T): T RAISES {{{word}Error}} =
  BEGIN
    IF x = 2 THEN RAISE {word}Error(x) END;
    RETURN x
  END {other};
BEGIN
END {word}.
""")
        instances.append((instance, word))
        imports.append(f"IMPORT {word}, {instance};\nIMPORT {word} AS Zz{number};\n")
        calls.append(f"""  TRY
    INC(sum, {word}.{other}() + Zz{number}.{other}(1) + {word}.New().{word}() + {instance}.Twice);
    EVAL {word}.{other}(2);
  EXCEPT {word}.{word}Error (x) => INC(sum, x - 1)
  END;
""")
    write(directory, "ZzGeneric.ig", "GENERIC INTERFACE ZzGeneric(File, Union);\n"
          "CONST Twice = File.Size + Union.Size;\nTYPE T = File.T;\nEND ZzGeneric.\n")
    for instance, word in instances:
        write(directory, instance + ".i3",
              f"INTERFACE {instance} = ZzGeneric({word}, {word}) END {instance}.\n")
    half = len(words) // 2
    as_names = "".join(f"IMPORT {words[i]} AS {words[i + half]};\n" for i in range(half))
    from_names = "".join(f"FROM {word} IMPORT {words[i - 1]};\n" for i, word in enumerate(words))
    write(directory, "ZzUser.i3", "INTERFACE ZzUser;\nVAR sum: INTEGER;\nEND ZzUser.\n")
    write(directory, "ZzUser.m3", "MODULE ZzUser;\n" + as_names + "BEGIN\n" + "".join(
        f"  INC(sum, {words[i + half]}.Size);\n" for i in range(half)) + "END ZzUser.\n")
    write(directory, "ZzNames.i3", "INTERFACE ZzNames;\nVAR sum: INTEGER;\nEND ZzNames.\n")
    write(directory, "ZzNames.m3", "MODULE ZzNames;\n" + from_names + "<*FATAL ANY*>\nBEGIN\n"
          + "".join(f"  INC(sum, {word}());\n" for word in words) + "END ZzNames.\n")
    write(directory, "Main.m3", "MODULE Main;\nIMPORT IO, ZzUser, ZzNames;\n" + "".join(imports)
          + "VAR sum := 0;\nBEGIN\n" + "".join(calls)
          + f"  IO.PutInt(sum); IO.Put(\" \"); IO.PutInt(ZzUser.sum); IO.Put(\" \"); "
          "IO.PutInt(ZzNames.sum); IO.Put(\"\\n\")\nEND Main.\n")
    return f"{len(words) * 6} {half} {len(words)}\n"


TOKEN = re.compile(r"""(?x) (?P<name> [A-Za-z]\w*) | \d+_[0-9A-Fa-f]+ | \d+\.\d+(?:[EeDdXx][+-]?\d+)?
    | \d+[Ll]? | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])+' | <\*\w* | \*> | :=|<:|=>|<=|>=|\.\. | \S""")


@functools.lru_cache(None)
def name_pool():
    words = {spelling for word in foreign_words() for spelling in spellings(word)}
    return sorted((words | set(library_names())) - {"RuntimeError", "Main", "IO"})


# Behind these no semicolon may stand before END and the like: the list is empty there.
NO_LIST = frozenset("BEGIN DO THEN ELSE LOOP TRY REPEAT FINALLY EXCEPT OF OBJECT RECORD METHODS OVERRIDES ; => | { ( ,"
                    .split())
LIST_ENDS = frozenset("END ELSE ELSIF UNTIL FINALLY EXCEPT".split())


def space(choose):
    """Blanks, line ends and comments that may stand between two tokens."""
    kind = choose.randrange(40)
    if kind < 3:
        return "\n" + " " * choose.randrange(8)
    if kind == 3:
        return choose.choice(["\t", "\f", "\r\n", " \n\n\n", "\v "])
    if kind == 4:
        word = choose.choice(name_pool())
        return choose.choice([f" (* {word} *) ", f" (* {word} (* BEGIN {word} := END; *) \" ' *)\n", "(**)",
                              "(* /* // # { } \\ *)", f"\n(*{word}*)(*)*)", "(*\n  IF x THEN\n*)"])
    return " "


def renamed(text, seed):
    """The program with other names and another layout."""
    choose = random.Random(seed)
    kept = keywords() | reserved_names() | {"RuntimeError", "Main"}
    pool = list(name_pool())
    choose.shuffle(pool)
    names, out, before = {}, [], ["", ""]
    for match in TOKEN.finditer(text):
        token = match.group()
        imported = before[0] in ("IO", "RuntimeError") and before[1] == "."
        if (token in LIST_ENDS and before[1] and before[1] not in NO_LIST and choose.randrange(6) == 0
                and not (token == "ELSE" and before[1] in ("{", "|"))):
            out.append(";" + space(choose))
        before = [before[1], token]
        if match.group("name") and token not in kept and not imported:
            if token not in names:
                names[token] = pool.pop() if pool else f"name{len(names)}"
            token = names[token]
        out.append(token)
        out.append(space(choose))
    return "".join(out) + "\n"


class Renamed(random_programs.Generator):
    """A random program of random_programs.py with other names."""

    def __init__(self, seed):
        super().__init__(seed)
        self.seed = seed

    def text(self):
        return renamed(super().text(), self.seed)


@functools.lru_cache(1)
def random_text(seed):
    return random_programs.Generator(seed).text()


def check_renamed(seed, tenure):
    """What the compiler says about a renamed program; empty if it accepts the program. Five seeds
    rename the same program."""
    with tempfile.TemporaryDirectory(prefix="tenure-legal-") as directory:
        write(directory, "Main.m3", renamed(random_text(seed // 5), seed))
        checked = subprocess.run([tenure, "check", "-w", directory], stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True, errors="replace",
                                 timeout=300)
    return f"seed {seed}: {checked.stdout[:1500]}" if checked.returncode != 0 else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--tenure", default=os.path.join(ROOT, "build", "bin", "tenure"))
    arguments = parser.parse_args()
    refused = 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        report = check_renamed(seed, arguments.tenure)
        if report:
            refused += 1
            print(report, flush=True)
    print(f"{arguments.count - refused} accepted, {refused} refused")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
