"""Compare, Equal and Hash of all interfaces of the library over extreme values, and each container, sort and queue with
such keys beside a simple model, in memory and in a store that is opened again.

The oracle is a list: the extreme values of a type in groups, each group's values equal, the groups in ascending order.
Random operations print their seed when they fail; SEED repeats them."""

import os
import random
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD, "bin", "tenure")
STDLIB = os.path.join(ROOT, "stdlib")
SOURCES = os.path.join(ROOT, "tests", "stdlib", "extremes")
# Optimising the instances takes most of a minute.
STEPS, LEVELS = (30_000, ["-O0", "-O2"]) if os.environ.get("TENURE_LONG") else (3000, ["-O0"])

INTEGERS = ["FIRST(INTEGER)", "FIRST(INTEGER) + 1", "-4294967297", "-4294967296", "-2147483649", "-2147483648", "-256",
            "-1", "0", "1", "2", "127", "128", "255", "256", "65535", "65536", "2147483647", "2147483648", "4294967295",
            "4294967296", "1000000000000000000", "LAST(INTEGER) - 1", "LAST(INTEGER)"]
LONGINTS = [f"VAL({n}, LONGINT)" for n in INTEGERS]


def floats(rep, one, sign, smallest_nan):
    """The groups of a type of IEEE numbers, by their bits: the exponent's ones begin below `sign`, and `one` is the
    number 1."""
    infinity = smallest_nan - 1
    quiet = infinity | (infinity & -infinity) >> 1
    least_normal = infinity & -infinity
    positive = [1, least_normal - 1, least_normal, one - 1, one, one + 1, one + least_normal, infinity - 1, infinity]
    groups = [[sign | bits] for bits in reversed(positive)] + [[0, sign]] + [[bits] for bits in positive]
    groups.append([quiet, quiet | sign, smallest_nan, smallest_nan | sign, sign - 1, quiet | 17, 2 * sign - 1])
    return [[f"{rep}.FromBits(16_{bits:x})" for bits in group] for group in groups]


# For each interface the groups of its values, in ascending order; and the interfaces that the values import.
SINGLE = 31
KEYS = {
    "Boolean": ([["FALSE"], ["TRUE"]], []),
    "Char": ([[f"'{c}'"] for c in (r"\000", " ", "0", "A", "a", r"\177", r"\200", r"\377")], []),
    "WideChar": ([[f"W'{c}'"] for c in (r"\x0000", "A", "a", r"\x00ff", r"\x0100", r"\x7fff", r"\x8000", r"\xffff")],
                 []),
    "Integer": ([[n] for n in INTEGERS], []),
    "Longint": ([[n] for n in LONGINTS], []),
    "Int32": ([[n] for n in INTEGERS[5:18]], []),
    "Int64": ([[n] for n in LONGINTS], []),
    "Real": (floats("RealRep", 127 << 23, 1 << SINGLE, (255 << 23) + 1), ["RealRep"]),
    "LongReal": (floats("LongRealRep", 1023 << 52, 1 << 63, (2047 << 52) + 1), ["LongRealRep"]),
    "Extended": (floats("ExtendedRep", 1023 << 52, 1 << 63, (2047 << 52) + 1), ["ExtendedRep"]),
    "RealType": (floats("RealRep", 127 << 23, 1 << SINGLE, (255 << 23) + 1), ["RealRep"]),
    "LongrealType": (floats("LongRealRep", 1023 << 52, 1 << 63, (2047 << 52) + 1), ["LongRealRep"]),
    "Text": ([['""', 'Text.FromWideChars(ARRAY [1..0] OF WIDECHAR{})'], [r'"\000"'], [r'"\000\000"'], [r'"\000a"'],
              ['"A"'], ['"a"', "Text.FromWideChar(W'a')", 'Text.Sub("bab", 1, 1)'],
              ['"ab"', '"a" & "b"', 'Text.Sub("a" & "bc", 0, 2)'], [r'"a\377"'], [r'''"a" & Text.FromWideChar(W'\x0100')'''],
              ['Fmt.Pad("", 200, \'b\')', 'Fmt.Pad("", 100, \'b\') & Fmt.Pad("", 100, \'b\')'],
              ['Fmt.Pad("", 201, \'b\')'], [r'"\377"'], [r"Text.FromWideChar(W'\x0100')"],
              [r"Text.FromWideChar(W'\xffff')"]], ["Text", "Fmt"]),
    "CIText": ([['""'], [r'"\000"'], ['"["'], ['"a"', '"A"', "Text.FromWideChar(W'A')"], ['"a["'],
                ['"ab"', '"AB"', '"a" & "B"'], ['"z"', '"Z"'], ['"{"'], [r'"\300"'], [r'"\340"'], [r"Text.FromWideChar(W'\x0100')"],
                [r"Text.FromWideChar(W'\x0101')"]], ["Text"]),
    "Atom": ([['Atom.FromText("")'], ['Atom.FromText("a")', "Atom.FromText(Text.FromWideChar(W'a'))"],
              ['Atom.FromText("A")'], [r"Atom.FromText(Text.FromWideChar(W'\x0100'))"]], ["Atom", "Text"]),
    "KeyedText": ([[f"KeyedText.Make({t})" for t in group] for group in (
        ['""'], [r'"\000"'], ['"a"', "Text.FromWideChar(W'a')"], [r'"a\000"'], ['"abcdefgh"'], ['"abcdefghi"'],
        [r'"a\377"'], [r'''"a" & Text.FromWideChar(W'\x0100')'''], [r'"\377"'], [r"Text.FromWideChar(W'\x0100')"])],
        ["KeyedText", "Text"]),
    "Address": ([[f"LOOPHOLE({n}, ADDRESS)"] for n in ("0", "1", "4096", "16_7fffffffffff", "LAST(INTEGER)",
                                                       "FIRST(INTEGER)", "-1")], []),
    "Point": ([[f"Point.T{{{h}, {v}}}"] for h in INTEGERS[::4] for v in INTEGERS[::6]], ["Point"]),
    "Interval": ([["Interval.T{FIRST(INTEGER), 0}"], ["Interval.T{FIRST(INTEGER), LAST(INTEGER)}"],
                  ["Interval.T{-1, 0}"], ["Interval.T{-1, 1}"],
                  ["Interval.T{0, 0}", "Interval.Empty", "Interval.T{5, 5}", "Interval.T{7, 2}",
                   "Interval.T{LAST(INTEGER), FIRST(INTEGER)}"],
                  ["Interval.T{0, 1}"], ["Interval.T{0, LAST(INTEGER)}"], ["Interval.T{1, 2}"],
                  ["Interval.T{LAST(INTEGER) - 1, LAST(INTEGER)}"]], ["Interval"]),
    "Rect": ([["Rect.T{-1, 0, 0, 1}"], ["Rect.T{-1, 0, 0, 2}"], ["Rect.T{-1, 1, -1, 1}"],
              ["Rect.Empty", "Rect.T{5, 5, 0, 1}", "Rect.T{0, 1, 7, 7}", "Rect.T{3, 1, 9, 2}"],
              ["Rect.T{0, 1, 0, 1}"], ["Rect.T{0, 1, 1, 2}"], ["Rect.T{0, 2, 0, 1}"], ["Rect.T{1, 2, -1, 1}"]], ["Rect"]),
    "Region": ([["Region.Empty", "Region.FromRect(Rect.T{5, 5, 0, 1})",
                 "Region.Difference(Region.FromRect(Rect.T{0, 1, 0, 1}), Region.FromRect(Rect.T{0, 1, 0, 1}))"],
                ["Region.FromRect(Rect.T{0, 2, 0, 1})",
                 "Region.Join(Region.FromRect(Rect.T{0, 1, 0, 1}), Region.FromRect(Rect.T{1, 2, 0, 1}))"],
                ["Region.Join(Region.FromRect(Rect.T{0, 1, 0, 1}), Region.FromRect(Rect.T{1, 2, 1, 2}))",
                 "Region.Join(Region.FromRect(Rect.T{1, 2, 1, 2}), Region.FromRect(Rect.T{0, 1, 0, 1}))"],
                ["Region.FromRect(Rect.T{0, 2, 0, 2})"]], ["Region", "Rect"]),
    "TimeStamp": ([["TimeStamp.First"], ["TimeStamp.T{TimeStamp.Bytes{0, 255, ..}}"],
                   ["TimeStamp.T{TimeStamp.Bytes{127, 255, ..}}"], ["TimeStamp.T{TimeStamp.Bytes{128, 0, ..}}"],
                   ["TimeStamp.Last"]], ["TimeStamp"]),
    "Fingerprint": ([["Fingerprint.Zero"], ['Fingerprint.FromText("")', "Fingerprint.OfEmpty"],
                     ['Fingerprint.FromText("a")', "Fingerprint.FromText(Text.FromWideChar(W'a'))"]],
                    ["Fingerprint", "Text"]),
    "Capability": ([["one", "one"], ["Capability.New()"], ["Capability.New()"]], ["Capability"]),
    "BigInt": ([["BigInt.Shift(BigInt.FromInt(-1), 200)"], ["BigInt.FromInt(FIRST(INTEGER))"], ["BigInt.FromInt(-1)"],
                ["BigInt.FromInt(0)", "BigInt.Sub(BigInt.FromInt(5), BigInt.FromInt(5))"], ["BigInt.FromInt(1)"],
                ["BigInt.FromInt(LAST(INTEGER))"],
                ["BigInt.Shift(BigInt.FromInt(1), 64)",
                 "BigInt.Add(BigInt.Shift(BigInt.FromInt(1), 63), BigInt.Shift(BigInt.FromInt(1), 63))"],
                ["BigInt.Shift(BigInt.FromInt(1), 200)"]], ["BigInt"]),
    "Decimal": ([["Decimal.T{FIRST(INTEGER) + 1, 0}"], ["Decimal.T{-15, 1}", "Decimal.T{-150, 2}"], ["Decimal.T{-1, 18}"],
                 ["Decimal.T{0, 0}", "Decimal.T{0, 18}"], ["Decimal.T{1, 18}"],
                 ["Decimal.T{1, 0}", "Decimal.T{1000000000000000000, 18}"], ["Decimal.T{15, 1}", "Decimal.T{150, 2}"],
                 ["Decimal.T{LAST(INTEGER), 1}"], ["Decimal.T{LAST(INTEGER), 0}"]], ["Decimal"]),
    "Refany": ([["NIL"], ["text", "text"], ["NEW(REF INTEGER)"], ["NEW(REF INTEGER)"]], []),
    "Root": ([["NIL"], ["object", "object"], ["NEW(ROOT)"]], []),
    "RefanyTransient": ([["NIL"], ["NEW(<*TRANSIENT*> REF INTEGER)"]], []),
    "RootTransient": ([["NIL"]], []),
    # Written below: procedures of the library under the names that generics want.
    "CIExtras": ([['""'], ['"a"', '"A"', "Text.FromWideChar(W'A')"], ['"ab"', '"AB"'], ['"z"', '"Z"'], ['"["'],
                  ['"{"'], [r'"\300"'], [r'"\340"'], [r"Text.FromWideChar(W'\x0100')"],
                  [r"Text.FromWideChar(W'\x0101') & \"a\"".replace('\\"', '"'),
                   r"Text.FromWideChar(W'\x0101') & \"A\"".replace('\\"', '"')]], ["Text"]),
    "OrderedText": ([['""'], ['"A"'], ['"a"', '"" & "a"'], [r"Text.FromWideChar(W'\x0100')"]], ["Text"]),
    "IntSets": ([["Set(0)", "Set(0)"], ["Set(3)", "Set(3)"], ["Set(4)"]], ["IntSet", "IntSetDef"]),
}
VARIABLES = {"Capability": "one := Capability.New();", "Refany": 'text: REFANY := "";', "Root": "object := NEW(ROOT);"}
WRAPPERS = {
    "CIExtras": """INTERFACE CIExtras; IMPORT TextExtras; CONST Brand = "CIExtras"; TYPE T = TEXT;
CONST Equal = TextExtras.CIEqual; Hash = TextExtras.CIHash; Compare = TextExtras.CICompare; END CIExtras.""",
    "OrderedText": """INTERFACE OrderedText; IMPORT TextExtras; CONST Brand = "OrderedText"; TYPE T = TEXT;
CONST Compare = TextExtras.Compare; END OrderedText.""",
    "IntSets": """INTERFACE IntSets; IMPORT IntSet; CONST Brand = "IntSets"; TYPE T = IntSet.T;
CONST Equal = IntSet.Equal; END IntSets.""",
}
HELPERS = {"IntSets": """PROCEDURE Set(n: INTEGER): IntSet.T =
  VAR s := NEW(IntSetDef.T).init(); BEGIN FOR i := 1 TO n DO EVAL s.insert(i) END; RETURN s END Set;"""}
# Which of the procedures the library's interface does not give to all values: checked run-time errors.
LACKS = {"Atom": {"Compare"}, "Refany": {"Compare", "Hash"}, "Root": {"Compare", "Hash"},
         "RefanyTransient": {"Compare", "Hash"}, "RootTransient": {"Compare", "Hash"}}
# Interfaces whose procedures with these names are no properties of keys, or stand above under another name.
OTHERS = {"RTMemory", "RTReal", "TextSlow", "TextExtras", "Set", "Hash", "Json"}
# With all that containers need, and whose values can be stored.
TWINS = ["Boolean", "Char", "WideChar", "Integer", "Longint", "Int32", "Int64", "Real", "LongReal", "Extended", "Text",
         "CIText", "Point", "Interval", "Rect", "CIExtras"]


def procedures_of_library():
    """By interface, which of Compare, Equal and Hash it has."""
    found = {}
    for directory, _, names in os.walk(STDLIB):
        for name in names:
            if name.endswith((".i3", ".ig")):
                with open(os.path.join(directory, name), encoding="latin-1") as file:
                    text = file.read()
                has = set(re.findall(r"^(?:PROCEDURE|CONST| +)\s*(Compare|Equal|Hash)\b\s*[=(]", text, re.MULTILINE))
                if has and "INTERFACE" in text:
                    found[name.rsplit(".", 1)[0]] = has
    return found


def unit(name, text):
    return name, text + f"\nEND {name.split('.')[0]}.\n"


def units_of_values(key):
    groups, imports = KEYS[key]
    type_name = f"{key}.T"
    values = [(rank, value) for rank, group in enumerate(groups) for value in group]
    yield unit(f"{key}Values.i3", f"INTERFACE {key}Values; IMPORT {key};\nCONST Brand = \"{key}\";\n"
               f"PROCEDURE Count(): CARDINAL; PROCEDURE Ranks(): CARDINAL;\n"
               f"PROCEDURE At(i: CARDINAL): {type_name}; PROCEDURE Rank(i: CARDINAL): CARDINAL;")
    names = ", ".join(dict.fromkeys([key] + imports))
    fill = "\n".join(f"  values[{i}] := {value}; ranks[{i}] := {rank};" for i, (rank, value) in enumerate(values))
    yield unit(f"{key}Values.m3", f"""UNSAFE MODULE {key}Values; IMPORT {names};
VAR values: ARRAY [0..{len(values) - 1}] OF {type_name}; ranks: ARRAY [0..{len(values) - 1}] OF CARDINAL;
VAR {VARIABLES.get(key, "")}
{HELPERS.get(key, "")}
PROCEDURE Count(): CARDINAL = BEGIN RETURN NUMBER(values) END Count;
PROCEDURE Ranks(): CARDINAL = BEGIN RETURN {len(groups)} END Ranks;
PROCEDURE At(i: CARDINAL): {type_name} = BEGIN RETURN values[i] END At;
PROCEDURE Rank(i: CARDINAL): CARDINAL = BEGIN RETURN ranks[i] END Rank;
BEGIN
{fill}""")


def make_package(directory):
    library = procedures_of_library()
    units, makefile, laws, twins, imports = {}, ["import(\"libm3\")"], [], [], []
    for key in KEYS:
        units.update(units_of_values(key))
        makefile.append(f'module("{key}Values")')
        if key in WRAPPERS:
            units[f"{key}.i3"] = WRAPPERS[key] + "\n"
            makefile.append(f'interface("{key}")')
            has = set(re.findall(r"\b(Compare|Equal|Hash) =", WRAPPERS[key]))
        else:
            has = library[key] - LACKS.get(key, set())
        for procedure, law in (("Compare", "Order"), ("Equal", "Equality"), ("Hash", "Hash")):
            if procedure in has:
                name = f"{key}LawsOf{law}"
                units.update([(f"{name}.i3", f"INTERFACE {name} = Laws({key}Values) END {name}.\n"),
                              (f"{name}.m3", f"MODULE {name} = LawsOf{law}({key}, {key}Values) END {name}.\n")])
                makefile.append(f'module("{name}")')
                imports.append(name)
                laws.append(f'  Law({name}.Broken(), "{key}.{procedure}");')
    for key in TWINS:
        pair = f'"{key}Int", "{key}", "Integer"'
        makefile += [f"table({pair})", f"sorted_table({pair})", f"bPlus_tree({pair})",
                     f'table("{key}Ref", "{key}", "Refany")']
        makefile += [f'{command}("{key}", "{key}")' for command in (
            "mkSet", "mkSetDef", "list", "list_sort", "mkSetList", "array_sort", "pqueue")]
        name = f"{key}Twins"
        units.update([
            (f"{name}.i3", f"INTERFACE {name} = Twins({key}) END {name}.\n"),
            (f"{name}.m3", f"MODULE {name} = Twins({key}, {key}Values, {key}IntTbl, Sorted{key}IntTbl, "
             f"{key}IntBPlusTree, {key}Set, {key}SetDef, {key}SetList, {key}List, {key}ListSort, {key}ArraySort, "
             f"{key}PQ) END {name}.\n")])
        makefile.append(f'module("{name}")')
        imports.append(name)
        twins.append(key)
    cases = "\n".join(f"""    IF all[{i}] = NIL THEN all[{i}] := {key}Twins.New() END;
    Twin({key}Twins.Operate(all[{i}], steps) + {key}Twins.Differences(all[{i}]), "{key}");"""
                      for i, key in enumerate(twins))
    units["Main.m3"] = f"""MODULE Main;
IMPORT Database, Dice, Fmt, IO, Params, RTCollector, Scan, Transaction, {", ".join(imports)};
<*FATAL ANY*>
TYPE All = REF ARRAY OF REFANY;
VAR steps := Scan.Int(Params.Get(1));  wrong := 0;
PROCEDURE Law(broken: CARDINAL; what: TEXT) =
  BEGIN
    IF broken > 0 THEN INC(wrong); IO.Put(what & " breaks a law " & Fmt.Int(broken) & " times\\n") END;
  END Law;
PROCEDURE Twin(differences: CARDINAL; what: TEXT) =
  BEGIN
    IF differences > 0 THEN
      INC(wrong);
      IO.Put(Dice.With("containers with keys of " & what & " differ from their models: " & Fmt.Int(differences)) & "\\n");
    END;
  END Twin;
PROCEDURE Operate(all: All) =
  BEGIN
{cases}
  END Operate;
PROCEDURE InStore(name: TEXT) =
  VAR db: Database.T;  tr := NEW(Transaction.T);  all: All;
  BEGIN
    TRY db := Database.Open(name)
    EXCEPT Database.DatabaseNotFound => Database.Create(name); db := Database.Open(name) END;
    FOR i := 1 TO 3 DO
      tr.begin();
      all := db.getRoot();
      IF all = NIL THEN all := NEW(All, {len(twins)}); db.setRoot(all) END;
      Operate(all);
      tr.commit();
    END;
    db.close();
  END InStore;
VAR all := NEW(All, {len(twins)});
BEGIN
  IF Params.Count > 2 THEN
    InStore(Params.Get(2));
  ELSE
{chr(10).join(laws)}
    FOR i := 1 TO 3 DO Operate(all); RTCollector.Collect() END;
  END;
  IO.Put(Fmt.Int(wrong) & " wrong\\n");
END Main.
"""
    makefile += ['generic_interface("Laws")', 'generic_implementation("LawsOfOrder")',
                 'generic_implementation("LawsOfEquality")', 'generic_implementation("LawsOfHash")',
                 'generic_module("Twins")', 'module("Dice")', 'implementation("Main")', 'program("extremes")']
    sources = os.path.join(directory, "src")
    shutil.copytree(SOURCES, sources)
    for name in ("Dice.i3", "Dice.m3"):
        shutil.copy(os.path.join(ROOT, "tests", "golden", "lib", name), sources)
    units["m3makefile"] = "\n".join(makefile) + "\n"
    for name, text in units.items():
        with open(os.path.join(sources, name), "w", encoding="latin-1") as file:
            file.write(text)


@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class ExtremesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="tenure-extremes-")
        cls.addClassCleanup(shutil.rmtree, cls.directory)
        make_package(cls.directory)
        for level in LEVELS:
            built = subprocess.run([TENURE, "build", cls.directory, level, "-o", os.path.join(cls.directory, "program" + level)],
                                   text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if built.returncode != 0:
                raise AssertionError(built.stdout)
        cls.seed = os.environ.get("SEED") or str(random.randrange(10**9))

    def is_right(self, level, *arguments):
        ran = subprocess.run([os.path.join(self.directory, "program" + level), str(STEPS), *arguments], text=True,
                             cwd=self.directory, env=dict(os.environ, SEED=self.seed), stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT)
        self.assertEqual((ran.returncode, ran.stdout), (0, "0 wrong\n"), f"{level}, seed {self.seed}")

    def test_all_interfaces_are_here(self):
        """Also those that are written later: each needs extreme values, or a reason why it has none."""
        names = procedures_of_library()
        self.assertGreater(len(names), 25)
        self.assertEqual(set(names) - OTHERS, set(KEYS) - set(WRAPPERS))

    def test_laws_and_containers_in_memory(self):
        for level in LEVELS:
            self.is_right(level, "@M3paranoidgc")

    def test_containers_in_a_store_that_is_opened_again(self):
        for level in LEVELS:
            for _ in range(3):
                self.is_right(level, "store" + level, "@M3paranoiddb")


if __name__ == "__main__":
    unittest.main()
