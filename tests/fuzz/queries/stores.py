"""Random stores for random queries: a program whose types have fields of random kinds and names, and
what a database of it has, read from `tenure db export`."""

import json
import os
import random
import struct
import subprocess

COLOURS = ["Red", "Green", "Blue", "Black"]
DAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]

# A field that is called like something else of the language or of the tool hides nothing.
PLAIN_NAMES = ["number", "small", "price", "weight", "name", "colour", "good", "letter", "days", "bits",
               "at", "list", "marks", "other", "note", "hours", "amount", "since", "tag", "owner"]
OTHER_NAMES = ["id", "key", "value", "index", "it", "root", "names", "ada", "count", "size", "type",
               "select", "from", "where", "limit", "nil", "true", "sum", "Red", "Mo", "text", "all"]


class Element(str):
    """An element of an enumeration, ordered by its place."""
    def __new__(cls, name, order):
        element = str.__new__(cls, name)
        element.order = order
        return element

    def place(self):
        return self.order.index(str(self))


class Char(str):
    """A CHAR or a WIDECHAR: its code as a text of one character."""


class Single(float):
    """A REAL: the number, and the shortest decimal that is nearest to it."""
    def __new__(cls, shown):
        single = float.__new__(cls, struct.unpack("f", struct.pack("f", shown))[0])
        single.shown = shown
        return single


class Ref(str):
    """The place of an object that is not a text."""


class Kind:
    """A type of fields: its text in Modula-3, an expression that makes a random value, the value in
    Python from the JSON of an export, and what queries can do with it."""
    def __init__(self, use, text, make, read, *more):
        self.use, self.text, self.make, self.read, self.more = use, text, make, read, more


def real(value):
    return float(value.replace("Infinity", "inf")) if isinstance(value, str) else float(value)


def single(value, _=None):
    return Single(real(value))


def character(value, _=None):
    # A half of a surrogate pair is exported as its bits.
    return Char(chr(value["bits"])) if isinstance(value, dict) else Char(value)


def text_of(reference, objects):
    if reference is None or "text" in reference:
        return reference and reference["text"]
    return text_of_object(objects[reference["ref"]], objects)


def text_of_object(line, objects):
    if "text" in line:
        return line["text"]
    fields = line["fields"]
    return text_of(fields["a"], objects) + text_of(fields["b"], objects)


def reference(value, objects):
    """Of a REFANY, a text or the place."""
    if value is None:
        return None
    line = objects[value["ref"]]
    return text_of_object(line, objects) if line["type"].startswith("Text") else Ref(value["ref"])


def set_of(order, read):
    return lambda value, _=None: frozenset(read(one) for one in value)


def elements(value, objects):
    return [] if value is None else objects[value["ref"]]["elements"]


def sequence(value, objects):
    if value is None:
        return None
    fields = objects[value["ref"]]["fields"]
    slots = elements(fields["elem"], objects)
    return [slots[(fields["st"] + i) % len(slots)] for i in range(fields["sz"])]


def chain(value, objects):
    found = []
    while value is not None:
        fields = objects[value["ref"]]["fields"]
        found.append(int(fields["head"]))
        value = fields["tail"]
    return found or None


def entries(value, objects):
    """Of a hash table."""
    if value is None:
        return None
    slots = elements(objects[value["ref"]]["fields"]["slots"], objects)
    return [slot for slot in slots if slot["tag"] not in (0, 1, "0", "1")]


def colour(value, _=None):
    return Element(value, COLOURS)


def day(value, _=None):
    return Element(value, DAYS)


def whole(value, _=None):
    return int(value)


def record(value, objects):
    return {"x": int(value["x"]), "y": int(value["y"]), "ok": value["ok"], "t": text_of(value["t"], objects),
            "shade": colour(value["shade"]), "in": {"z": real(value["in"]["z"]), "c": character(value["in"]["c"])}}


RECORD = ("RECORD x: BITS 12 FOR [-2000..2000]; y: INTEGER; ok: BOOLEAN; t: TEXT; shade: Colour;"
          " in: RECORD z: LONGREAL; c: CHAR END END")

KINDS = {
    "int": Kind("number", "INTEGER", "Word()", whole),
    "long": Kind("number", "LONGINT", "VAL(Word(), LONGINT)", whole),
    "card": Kind("number", "CARDINAL", "Next(30)", whole),
    "longcard": Kind("number", "LONGCARD", "VAL(ABS(Next(60)), LONGCARD)", whole),
    "sub": Kind("number", "[-5..5]", "Next(11) - 5", whole),
    "real": Kind("number", "REAL", "Small()", single),
    "longreal": Kind("number", "LONGREAL", "Real()", lambda value, _=None: real(value)),
    "extended": Kind("number", "EXTENDED", "FLOAT(Real(), EXTENDED)", lambda value, _=None: real(value)),
    "bool": Kind("bool", "BOOLEAN", "Next(2) = 0", lambda value, _=None: value),
    "char": Kind("char", "CHAR", "VAL(Next(256), CHAR)", character),
    "letter": Kind("char", "['a'..'f']", "VAL(ORD('a') + Next(6), CHAR)", character),
    "wide": Kind("char", "WIDECHAR", "Wide()", character),
    "colour": Kind("enum", "Colour", "VAL(Next(4), Colour)", colour, COLOURS),
    "shade": Kind("enum", "[Colour.Green .. Colour.Blue]", "VAL(1 + Next(2), Colour)", colour, COLOURS),
    "days": Kind("set", "SET OF Days", "SetOfDays()", set_of(DAYS, day), "enum", DAYS),
    "bits": Kind("set", "SET OF [-3..70]", "SetOfNumbers()", set_of(None, whole), "number", (-3, 70)),
    "chars": Kind("set", "SET OF CHAR", "SetOfChars()", set_of(None, character), "char", "\0abc\xff"),
    "truths": Kind("set", "SET OF BOOLEAN", "SetOfTruths()", set_of(None, lambda value: value), "bool", None),
    "text": Kind("text", "TEXT", "Name()", text_of),
    "item": Kind("item", "Item", "Other()", reference),
    "any": Kind("any", "REFANY", "Any()", reference),
    "number": Kind("ref", "REF INTEGER", "Cell()", reference),
    "ints": Kind("list", "REF ARRAY OF INTEGER", "Ints()",
                 lambda value, objects: value and [int(one) for one in elements(value, objects)], "number"),
    "texts": Kind("list", "REF ARRAY OF TEXT", "Texts()",
                  lambda value, objects: value and [text_of(one, objects) for one in elements(value, objects)], "text"),
    "seq": Kind("list", "IntSeq.T", "Seq()",
                lambda value, objects: value and [int(one) for one in sequence(value, objects)], "number"),
    "chain": Kind("list", "IntList.T", "Chain()", chain, "number"),
    "table": Kind("keys", "TextIntTbl.Default", "Table()",
                  lambda value, objects: value and {text_of(one["key"], objects): int(one["value"])
                                                    for one in entries(value, objects)}),
    "three": Kind("array", "ARRAY [1..3] OF INTEGER", "Three()", lambda value, _=None: [int(one) for one in value],
                  "number", ["1", "2", "3"]),
    "prices": Kind("array", "ARRAY Colour OF LONGREAL", "Prices()", lambda value, _=None: [real(one) for one in value],
                   "number", COLOURS),
    "letters": Kind("array", "ARRAY ['a'..'c'] OF [-5..5]", "Letters()",
                    lambda value, _=None: [int(one) for one in value], "number", ["'a'", "'b'", "'c'"]),
    "record": Kind("record", RECORD, "Record()", record),
}

PROGRAM = r"""
UNSAFE MODULE Main;
IMPORT Database, Transaction, Params, Random, Scan, Fmt, Text, RefSeq, IntRefBPlusTree, TextRefBPlusTree, IntSeq,
       LongRealRefTree, TextRefTbl, IntRefTbl, SortedIntRefTbl, SortedTextRefTbl, TextIntTbl, IntList;
<*FATAL ANY*>
TYPE
  Colour = {Red, Green, Blue, Black};
  Days = {Mo, Tu, We, Th, Fr, Sa, Su};
  DaySet = SET OF Days;  NumberSet = SET OF [-3..70];  CharSet = SET OF CHAR;  TruthSet = SET OF BOOLEAN;
  Three3 = ARRAY [1..3] OF INTEGER;  Prices4 = ARRAY Colour OF LONGREAL;  Letters3 = ARRAY ['a'..'c'] OF [-5..5];
  Part = %(record)s;
  Item = OBJECT %(item)s END;
  Special = Item OBJECT %(special)s END;
  Root = REF RECORD
    all: RefSeq.T; tree: IntRefBPlusTree.T; texts: TextRefBPlusTree.T; reals: LongRealRefTree.T;
    names: TextRefTbl.Default; numbers: IntRefTbl.Default; sorted: SortedIntRefTbl.Default;
    words: SortedTextRefTbl.Default; counts: TextIntTbl.Default; plain: IntSeq.T;
    array: REF ARRAY OF Item; fixed: ARRAY Colour OF INTEGER; days: DaySet; chars: CharSet; letters: Letters3;
    parts: REF ARRAY OF Part; spots: REF ARRAY OF RECORD key: INTEGER; index: TEXT END
  END;
VAR
  db: Database.T;  tr := NEW(Transaction.T);  root := NEW(Root);  item, last: Item := NIL;
  random := NEW(Random.Default).init(TRUE);  count := Scan.Int(Params.Get(3));  number: INTEGER;  price: LONGREAL;
  name: TEXT;
  Nan := LOOPHOLE(16_7FF8000000000000, LONGREAL);  Infinite := LOOPHOLE(16_7FF0000000000000, LONGREAL);

PROCEDURE Next(n: INTEGER): INTEGER = BEGIN RETURN random.integer(0, n - 1) END Next;

PROCEDURE Word(): INTEGER =
  BEGIN
    CASE Next(9) OF
    | 0 => RETURN 0
    | 1 => RETURN 9007199254740992 + Next(4) - 1
    | 2 => RETURN -9007199254740992 - Next(4) + 1
    | 3 => IF Next(2) = 0 THEN RETURN FIRST(INTEGER) ELSE RETURN LAST(INTEGER) END;
    | 4 => RETURN 9100000000000000000 + Next(3)
    ELSE RETURN Next(20 * count) - 3 * count
    END;
  END Word;

PROCEDURE Real(): LONGREAL =
  BEGIN
    CASE Next(14) OF
    | 0 => RETURN LOOPHOLE(16_7FF8000000000000, LONGREAL)
    | 1 => RETURN LOOPHOLE(16_7FF0000000000000, LONGREAL)
    | 2 => RETURN -LOOPHOLE(16_7FF0000000000000, LONGREAL)
    | 3 => RETURN -0.0d0
    | 4 => RETURN 9007199254740992.0d0
    | 5 => RETURN 0.1d0
    | 6 => RETURN 9100000000000000000.0d0
    | 7 => RETURN 1.7d308
    ELSE RETURN FLOAT(Next(1000) - 500, LONGREAL) / 8.0d0
    END;
  END Real;

PROCEDURE Small(): REAL =
  BEGIN
    CASE Next(9) OF
    | 0 => RETURN FLOAT(Nan, REAL)
    | 1 => RETURN FLOAT(Infinite, REAL)
    | 2 => RETURN -0.0
    | 3 => RETURN 3.0e38
    ELSE RETURN FLOAT(Next(100), REAL) / 10.0
    END;
  END Small;

PROCEDURE Wide(): WIDECHAR =
  BEGIN
    CASE Next(4) OF 0 => RETURN W'\x20ac' | 1 => RETURN W'\x00e9' | 2 => RETURN VAL(16_FFFD, WIDECHAR)
    ELSE RETURN VAL(97 + Next(6), WIDECHAR) END;
  END Wide;

PROCEDURE Name(): TEXT =
  BEGIN
    CASE Next(12) OF
    | 0 => RETURN NIL
    | 1 => RETURN ""
    | 2 => RETURN "\303\266" & Fmt.Int(Next(9))
    | 3 => RETURN "a,b \"" & Fmt.Int(Next(5)) & "\"\n"
    | 4 => RETURN W"\xD83D\xDE00\x20ac" & Fmt.Int(Next(9))
    | 5 => RETURN " " & Fmt.Int(Next(9)) & " "
    | 6 => RETURN "\351t\351" & Fmt.Int(Next(9))
    | 7 => RETURN W"\xff21" & Fmt.Int(Next(3))
    | 8 => RETURN Text.FromChar(VAL(97 + Next(6), CHAR))
    ELSE RETURN "Item" & Fmt.Int(Next(count))
    END;
  END Name;

PROCEDURE SetOfDays(): DaySet =
  VAR s := DaySet{};
  BEGIN
    FOR d := FIRST(Days) TO LAST(Days) DO IF Next(2) = 0 THEN s := s + DaySet{d} END END;
    RETURN s;
  END SetOfDays;

PROCEDURE SetOfNumbers(): NumberSet =
  VAR s := NumberSet{};
  BEGIN
    FOR b := -3 TO 70 DO IF Next(5) = 0 THEN s := s + NumberSet{b} END END;
    RETURN s;
  END SetOfNumbers;

PROCEDURE SetOfChars(): CharSet =
  VAR s := CharSet{};
  BEGIN
    IF Next(2) = 0 THEN s := s + CharSet{'\000'} END;
    IF Next(2) = 0 THEN s := s + CharSet{'\377'} END;
    FOR c := 'a' TO 'c' DO IF Next(2) = 0 THEN s := s + CharSet{c} END END;
    RETURN s;
  END SetOfChars;

PROCEDURE SetOfTruths(): TruthSet =
  VAR s := TruthSet{};
  BEGIN
    IF Next(2) = 0 THEN s := s + TruthSet{FALSE} END;
    IF Next(2) = 0 THEN s := s + TruthSet{TRUE} END;
    RETURN s;
  END SetOfTruths;

PROCEDURE Other(): Item = BEGIN IF Next(3) = 0 THEN RETURN NIL ELSE RETURN last END END Other;

PROCEDURE Cell(): REF INTEGER =
  VAR cell: REF INTEGER := NIL;
  BEGIN
    IF Next(3) # 0 THEN cell := NEW(REF INTEGER); cell^ := Next(9) END;
    RETURN cell;
  END Cell;

PROCEDURE Any(): REFANY =
  BEGIN
    CASE Next(4) OF 0 => RETURN Name() | 1 => RETURN Cell() | 2 => RETURN NIL ELSE RETURN last END;
  END Any;

PROCEDURE Ints(): REF ARRAY OF INTEGER =
  VAR a: REF ARRAY OF INTEGER := NIL;
  BEGIN
    IF Next(3) # 0 THEN
      a := NEW(REF ARRAY OF INTEGER, Next(4));
      FOR k := 0 TO LAST(a^) DO a[k] := Next(9) END;
    END;
    RETURN a;
  END Ints;

PROCEDURE Texts(): REF ARRAY OF TEXT =
  VAR a: REF ARRAY OF TEXT := NIL;
  BEGIN
    IF Next(3) # 0 THEN
      a := NEW(REF ARRAY OF TEXT, Next(3));
      FOR k := 0 TO LAST(a^) DO a[k] := Name() END;
    END;
    RETURN a;
  END Texts;

PROCEDURE Seq(): IntSeq.T =
  VAR s: IntSeq.T := NIL;
  BEGIN
    IF Next(3) # 0 THEN
      s := NEW(IntSeq.T).init(2);
      FOR k := 1 TO Next(4) DO IF Next(2) = 0 THEN s.addlo(Next(9)) ELSE s.addhi(Next(9)) END END;
    END;
    RETURN s;
  END Seq;

PROCEDURE Chain(): IntList.T =
  VAR l: IntList.T := NIL;
  BEGIN
    FOR k := 1 TO Next(4) DO l := IntList.Cons(Next(9), l) END;
    RETURN l;
  END Chain;

PROCEDURE Table(): TextIntTbl.Default =
  VAR t: TextIntTbl.Default := NIL;  key: TEXT;
  BEGIN
    IF Next(3) # 0 THEN
      t := NEW(TextIntTbl.Default).init();
      FOR k := 1 TO Next(6) DO key := Name(); IF key # NIL THEN EVAL t.put(key, Next(9)) END END;
    END;
    RETURN t;
  END Table;

PROCEDURE Three(): Three3 = BEGIN RETURN Three3{Next(4), Next(4), Word()} END Three;
PROCEDURE Prices(): Prices4 = BEGIN RETURN Prices4{Real(), Real(), 0.5d0, Real()} END Prices;
PROCEDURE Letters(): Letters3 = BEGIN RETURN Letters3{Next(11) - 5, Next(11) - 5, 0} END Letters;

PROCEDURE Record(): Part =
  VAR r: Part;
  BEGIN
    r.x := Next(9) - 4; r.y := Word(); r.ok := Next(2) = 0; r.t := Name(); r.shade := VAL(Next(4), Colour);
    r.in.z := Real(); r.in.c := VAL(97 + Next(4), CHAR);
    RETURN r;
  END Record;

PROCEDURE Fill(item: Item) = BEGIN %(fill)s END Fill;
PROCEDURE FillSpecial(item: Special) = BEGIN %(fill_special)s END FillSpecial;

BEGIN
  FOR i := 1 TO Scan.Int(Params.Get(2)) DO EVAL Next(2) END;
  Database.Create(Params.Get(1)); db := Database.Open(Params.Get(1));
  tr.begin();
  root.all := NEW(RefSeq.T).init(); root.tree := NEW(IntRefBPlusTree.T).init(2 + Next(5));
  root.texts := NEW(TextRefBPlusTree.T).init(2 + Next(5)); root.reals := NEW(LongRealRefTree.T).init(3);
  root.names := NEW(TextRefTbl.Default).init(); root.numbers := NEW(IntRefTbl.Default).init();
  root.sorted := NEW(SortedIntRefTbl.Default).init(); root.words := NEW(SortedTextRefTbl.Default).init();
  root.counts := NEW(TextIntTbl.Default).init(); root.plain := NEW(IntSeq.T).init();
  root.array := NEW(REF ARRAY OF Item, count); root.days := SetOfDays(); root.chars := SetOfChars();
  root.letters := Letters(); root.parts := NEW(REF ARRAY OF Part, 9);
  root.spots := NEW(REF ARRAY OF RECORD key: INTEGER; index: TEXT END, 7);
  FOR i := 0 TO LAST(root.parts^) DO root.parts[i] := Record() END;
  FOR i := 0 TO LAST(root.spots^) DO root.spots[i].key := Next(4); root.spots[i].index := Name() END;
  FOR i := 1 TO count DO
    IF Next(4) = 0 THEN
      item := NEW(Special); FillSpecial(item)
    ELSE
      item := NEW(Item)
    END;
    Fill(item);
    number := Word(); price := Real(); name := Name();
    IF Next(10) # 0 THEN root.array[i - 1] := item END;
    last := item;
    root.all.addhi(item);
    EVAL root.tree.put(number, item); EVAL root.numbers.put(number, item);
    EVAL root.sorted.put(number, item); root.plain.addhi(number);
    IF price = price THEN EVAL root.reals.put(price, item) END;
    IF name # NIL THEN
      EVAL root.texts.put(name, item); EVAL root.names.put(name, item);
      EVAL root.words.put(name, item); EVAL root.counts.put(name, i);
    END;
    INC(root.fixed[VAL(Next(4), Colour)]);
  END;
  db.setRoot(root); db.bind("ada", root.all); db.bind("good", root.plain);
  tr.commit();
END Main.
"""

# A B+ tree by LONGREAL: units of the program, and what they are instances of.
TREE = {"LongRealRefTree": ("BPlusTree(LongReal, Refany, SortedLongRealRefTbl)",
                            "BPlusTree(LongReal, Refany, LongRealRefTbl, SortedLongRealRefTbl)"),
        "SortedLongRealRefTbl": ("SortedTable(LongReal, LongRealRefTbl)",
                                 "SortedTable(LongReal, Refany, LongRealRefTbl)"),
        "LongRealRefTbl": ("Table(LongReal, Refany)", "Table(LongReal, Refany)")}


class Field:
    def __init__(self, name, kind):
        self.name, self.kind, self.of = name, KINDS[kind], kind


class Schema:
    """The fields of Main.Item, and those that Main.Special adds; one of them hides an Item's."""
    def __init__(self, seed):
        rng = random.Random(f"schema {seed}")
        kinds = list(KINDS)
        rng.shuffle(kinds)
        # Each kind once, some twice.
        kinds += rng.sample(kinds, 6)
        names = PLAIN_NAMES + OTHER_NAMES
        rng.shuffle(names)
        fields = [Field(name, kind) for name, kind in zip(names, kinds)]
        self.item, self.special = fields[:-4], fields[-4:]
        self.hidden = rng.choice(self.item)
        self.special.append(Field(self.hidden.name, rng.choice(list(KINDS))))

    def program(self):
        def declared(fields):
            return " ".join(f"{field.name}: {field.kind.text};" for field in fields)

        def filled(fields):
            return " ".join(f"item.{field.name} := {field.kind.make};" for field in fields)
        return PROGRAM % {"record": RECORD, "item": declared(self.item), "special": declared(self.special),
                          "fill": filled(self.item), "fill_special": filled(self.special)}

    def build(self, tenure, directory):
        """The program."""
        source = os.path.join(directory, "source")
        os.makedirs(source)
        for name, generics in TREE.items():
            for suffix, unit, generic in zip(("i3", "m3"), ("INTERFACE", "MODULE"), generics):
                with open(os.path.join(source, f"{name}.{suffix}"), "w", encoding="utf-8") as file:
                    file.write(f"{unit} {name} = {generic} END {name}.\n")
        with open(os.path.join(source, "Main.m3"), "w", encoding="utf-8") as file:
            file.write(self.program())
        program = os.path.join(directory, "program")
        subprocess.run([tenure, "build", source, "-o", program], check=True, stdout=subprocess.DEVNULL)
        return program


class Model:
    """What a database has: items as dictionaries from the names of fields to values, and containers."""
    def __init__(self, schema, exported):
        lines = [json.loads(line) for line in exported.decode().splitlines()]
        objects = {line["object"]: line for line in lines if "of" in line}
        self.items, self.by_place, self.types = [], {}, {}
        for line in objects.values():
            self.types[line["object"]] = line["type"]
            if line["type"] in ("Main.Item", "Main.Special"):
                item = {"": Ref(line["object"])}
                special = line["type"] == "Main.Special"
                for field in schema.item + (schema.special if special else []):
                    member = field.name
                    if special and field is schema.hidden:
                        member += f"#{schema.item.index(field) + 1}"
                    item[member] = field.kind.read(line["fields"][member], objects)
                self.items.append(item)
                self.by_place[line["object"]] = item
        # Fields of all other types, also of those without objects.
        self.other_names = {words.split()[3] for line in lines if "description" in line
                            and line["name"] not in ("Main.Item", "Main.Special")
                            for words in line["description"].split("\n")
                            if words.startswith("field ") and len(words.split()) > 3}
        root = next(line for line in lines if line.get("type") == "Main.Root")["fields"]
        self.order = [self.by_place[one["ref"]] for one in sequence(root["all"], objects)]
        self.plain = [int(one) for one in sequence(root["plain"], objects)]
        self.array = [one and self.by_place[one["ref"]] for one in elements(root["array"], objects)]
        self.fixed = [int(one) for one in root["fixed"]]
        self.letters = [int(one) for one in root["letters"]]
        self.days = [day(one) for one in root["days"]]
        self.chars = [character(one) for one in root["chars"]]
        self.parts = [record(one, objects) for one in elements(root["parts"], objects)]
        self.spots = [{"key": int(one["key"]), "index": text_of(one["index"], objects)}
                      for one in elements(root["spots"], objects)]

        def keyed(name, key):
            found = []
            for slot in entries(root[name], objects):
                found.append((key(slot["key"], objects), slot["value"]))
            return found

        def item_of(value):
            return self.by_place[value["ref"]]
        self.numbers = [(key, item_of(value)) for key, value in keyed("numbers", whole)]
        self.named = [(key, item_of(value)) for key, value in keyed("names", text_of)]
        self.counts = [(key, int(value)) for key, value in keyed("counts", text_of)]
        self.tree = self.leaves(root["tree"], objects, whole)
        self.reals = self.leaves(root["reals"], objects, lambda value, _: real(value))
        self.texts = self.leaves(root["texts"], objects, text_of)

    def leaves(self, tree, objects, key):
        """The entries of a B+ tree, in its order."""
        found = []

        def walk(at):
            fields = objects[at["ref"]]["fields"]
            inner = "branches" in fields
            for part in elements(fields["branches" if inner else "items"], objects)[:fields["count"]]:
                if inner:
                    walk(part["child"])
                else:
                    found.append((key(part["key"], objects), self.by_place[part["value"]["ref"]]))
        root = objects[tree["ref"]]["fields"]["root"]
        if root is not None:
            walk(root)
        return found
