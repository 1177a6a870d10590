"""Types of one version of a case, values of these types, and the program of Modula-3 that makes objects with
these values, and shows them (random_evolution.py)."""

LAST = 2**63 - 1

# ---- Types of values. A type is a tuple: its kind, and what the kind needs. Enumerations and records are
# ---- named by keys, whose definitions a version has.

BASIC = [("int", "INTEGER", -LAST - 1, LAST), ("int", "CARDINAL", 0, LAST), ("long",), ("bool",), ("char",),
         ("wchar",), ("real",), ("longreal",), ("ext",), ("text",), ("text",), ("refany",), ("proc",)]
ORDINALS = ("int", "char", "wchar", "bool", "enum", "subenum")


def subrange(rng):
    low = rng.choice([0, 0, 1, -1, -5, -128, -200, 100, -40000])
    high = low + rng.choice([0, 1, 3, 7, 15, 100, 255, 256, 70000, 2**33])
    return ("int", f"[{low}..{high}]", low, high)


class Version:
    """The definitions of one version of a case: each may differ from those of other versions."""
    def __init__(self, case):
        self.case = case
        self.enums = {}    # key -> [element, ...]
        self.records = {}  # key -> [Field, ...]
        self.types = {}    # key -> Type; in the order of declaration
        self.sets = {}     # names of set types, for constructors, by their spelling

    def above(self, key):
        """The supertypes of an object type, the nearest first."""
        found = []
        while self.types[key].super:
            key = self.types[key].super
            found.append(key)
        return found

    def fields(self, key):
        """All fields, those of supertypes first."""
        return [field for one in reversed([key] + self.above(key)) for field in self.types[one].fields]

    def name(self, key):
        return f"C{self.case}_{key}"


class Field:
    def __init__(self, name, type_, default=None, transient=False):
        self.id, self.name, self.type, self.default, self.transient = name, name, type_, default, transient


class Type:
    """Of objects ("object"), records ("record"), open arrays ("array"), or a container of the library."""
    def __init__(self, kind, name, super_=None, brand=None, fields=(), element=None, methods=0):
        self.kind, self.name, self.super, self.brand = kind, name, super_, brand
        self.fields, self.element, self.methods = list(fields), element, methods
        self.opaque = False  # declared with its supertype, and revealed


CONTAINERS = ["RefSeq.T", "IntSeq.T", "TextSeq.T", "IntRefTbl.Default", "TextIntTbl.Default", "TextRefTbl.Default",
              "SortedIntRefTbl.Default"]


def ordinal(type_, value, version):
    """What ORD gives."""
    return version.enums[type_[1]].index(value) if type_[0] in ("enum", "subenum") else int(value)


def members(type_, version):
    """The values of an ordinal type, in order: for sets and for what indexes arrays."""
    kind = type_[0]
    if kind == "enum":
        return version.enums[type_[1]]
    if kind == "subenum":
        names = version.enums[type_[1]]
        return names[names.index(type_[2]):names.index(type_[3]) + 1]
    return {"bool": range(2), "char": range(256)}.get(kind) or range(type_[2], type_[3] + 1)


def spelled(type_, version):
    """The type in Modula-3."""
    kind = type_[0]
    if kind == "int":
        return type_[1]
    if kind == "bits":
        return f"BITS {type_[1]} FOR {spelled(type_[2], version)}"
    if kind == "enum":
        return version.name(type_[1])
    if kind == "subenum":
        enum = version.name(type_[1])
        return f"[{enum}.{type_[2]}..{enum}.{type_[3]}]"
    if kind == "set":
        return f"SET OF {spelled(type_[1], version)}"
    if kind == "rec":
        return version.name(type_[1])
    if kind == "arr":
        return f"ARRAY {spelled(type_[1], version)} OF {spelled(type_[2], version)}"
    if kind == "ref":
        type_ = version.types[type_[1]]
        return type_.name
    return {"long": "LONGINT", "bool": "BOOLEAN", "char": "CHAR", "wchar": "WIDECHAR", "real": "REAL",
            "longreal": "LONGREAL", "ext": "EXTENDED", "text": "TEXT", "refany": "REFANY",
            "proc": "PROCEDURE (): INTEGER"}[kind]


def zero(type_, version):
    """The value that NEW gives a field without a default."""
    kind = type_[0]
    if kind == "int":
        return 0 if type_[2] <= 0 <= type_[3] else type_[2]
    if kind == "bits":
        return zero(type_[2], version)
    if kind in ("enum", "subenum"):
        return members(type_, version)[0]
    if kind == "set":
        return frozenset()
    if kind == "rec":
        return {field.name: default_of(field, version) for field in version.records[type_[1]]}
    if kind == "arr":
        return [zero(type_[2], version) for _ in members(type_[1], version)]
    return None if kind in ("text", "ref", "refany", "proc") else 0.0 if kind in ("real", "longreal", "ext") else 0


def default_of(field, version):
    return zero(field.type, version) if field.default is None else field.default


def literal(type_, value, version):
    """A constant expression."""
    kind = type_[0]
    if kind == "bits":
        return literal(type_[2], value, version)
    if kind == "int":
        return str(value) if value >= 0 else "FIRST(INTEGER)" if value == -LAST - 1 else f"({value})"
    if kind == "long":
        return f"{value}L" if value >= 0 else "FIRST(LONGINT)" if value == -LAST - 1 else f"(-{-value}L)"
    if kind == "bool":
        return "TRUE" if value else "FALSE"
    if kind == "char":
        return f"VAL({value}, CHAR)"
    if kind == "wchar":
        return f"VAL({value}, WIDECHAR)"
    if kind in ("enum", "subenum"):
        return f"{version.name(type_[1])}.{value}"
    if kind == "set":
        name = version.sets.setdefault(spelled(type_, version), version.name(f"S{len(version.sets)}"))
        return f"{name} {{" + ", ".join(literal(type_[1], one, version) for one in
                                                           members(type_[1], version) if one in value) + "}"
    if kind in ("real", "longreal", "ext"):
        text = f"{abs(value)!r}"
        text = text if kind == "real" else text + ("d0" if kind == "longreal" else "x0")
        return text if value >= 0 else f"(-{text})"
    if kind == "text":
        if value is None:
            return "NIL"
        wide = any(ord(c) > 255 for c in value)
        spell = [f"\\x{ord(c):04x}" if wide and ord(c) > 126 else f"\\{ord(c):03o}" if ord(c) < 32 or ord(c) > 126
                 else "\\" + c if c in '\\"' else c for c in value]
        return ("W" if wide else "") + '"' + "".join(spell) + '"'
    raise AssertionError(kind)


def got_text(type_, value, version):
    """What a converter gets of a value; None where this says nothing of it."""
    if value is None:
        return None
    if type_[0] == "bool":
        return "true" if value else "false"
    if type_[0] in ("enum", "subenum"):
        return str(version.enums[type_[1]].index(value))
    return value if type_[0] == "text" else str(value) if type_[0] in ("int", "long", "char", "wchar") else None


class Writer:
    """The text of one version's program."""
    def __init__(self):
        self.lines = []

    def put(self, line):
        self.lines.append(line)

    def declare(self, version):
        for key, names in version.enums.items():
            self.put(f"TYPE {version.name(key)} = {{{', '.join(names)}}};")
        for key, fields in version.records.items():
            self.put(f"TYPE {version.name(key)} = RECORD {self.fields(fields, version)} END;")
        for key, type_ in version.types.items():
            brand = f'BRANDED "{type_.brand}" ' if type_.brand else ""
            if type_.kind == "object":
                methods = "METHODS " + " ".join(f"m{i}();" for i in range(type_.methods)) if type_.methods else ""
                above = version.types[type_.super].name + " " if type_.super else ""
                made = f"{above}{brand}OBJECT {self.fields(type_.fields, version)} {methods} END;"
                if type_.opaque and brand:
                    self.put(f"TYPE {type_.name} <: {above or 'ROOT'}; REVEAL {type_.name} = {made}")
                else:
                    self.put(f"TYPE {type_.name} = {made}")
            elif type_.kind == "record":
                self.put(f"TYPE {type_.name} = {brand}REF RECORD {self.fields(type_.fields, version)} END;")
            elif type_.kind == "array":
                self.put(f"TYPE {type_.name} = {brand}REF ARRAY OF {spelled(type_.element, version)};")

    def fields(self, fields, version):
        return " ".join(
            f"{'<*TRANSIENT*> ' if field.transient else ''}{field.name}: {spelled(field.type, version)}"
            + ("" if field.default is None else f" := {literal(field.type, field.default, version)}") + ";"
            for field in fields)

    def assign(self, place, type_, value, version):
        kind = type_[0]
        if kind == "rec":
            for field in version.records[type_[1]]:
                self.assign(f"{place}.{field.name}", field.type, value[field.name], version)
        elif kind == "arr":
            for at, one in zip(members(type_[1], version), value):
                self.assign(f"{place}[{literal(type_[1], at, version)}]", type_[2], one, version)
        elif kind in ("ref", "refany"):
            self.put(f"    {place} := " + ("NIL" if value is None else f"n{value}") + ";")
        elif kind == "proc":
            self.put(f"    {place} := " + ("NIL" if value is None else value) + ";")
        elif kind == "text" and value is not None and len(value) > 40:
            # In pieces that are joined when the program runs.
            pieces = [value[i:i + 60] for i in range(0, len(value), 60)]
            self.put(f"    {place} := " + " & ".join(f"J({literal(type_, one, version)})" for one in pieces) + ";")
        else:
            self.put(f"    {place} := {literal(type_, value, version)};")

    def show(self, place, type_, version, depth=0):
        kind = type_[0]
        if kind == "bits":
            return self.show(place, type_[2], version, depth)
        if kind == "rec":
            return "P(\"(\"); " + " ".join(
                f'P("{field.name}="); {self.show(f"{place}.{field.name}", field.type, version, depth)}'
                for field in sorted(version.records[type_[1]], key=lambda one: one.name)) + ' P(");");'
        if kind in ("arr", "set"):
            i, base = f"i{depth}", spelled(type_[1], version)
            if kind == "arr":
                return (f'P("["); FOR {i} := FIRST({base}) TO LAST({base}) DO '
                        f'{self.show(f"{place}[{i}]", type_[2], version, depth + 1)} END; P("];");')
            return (f'P("{{"); FOR {i} := FIRST({base}) TO LAST({base}) DO IF {i} IN {place} THEN I(ORD({i})) END END; '
                    'P("};");')
        if kind in ORDINALS:
            return f"I(ORD({place}));"
        return {"long": "N({});", "real": "D(FLOAT({}, LONGREAL));", "longreal": "D({});",
                "ext": "D(FLOAT({}, LONGREAL));", "text": "T({});", "ref": "R({});", "refany": "R({});",
                "proc": "Q({});"}[kind].format(place)

    def use(self, version, nodes):
        """Procedures that make the objects, give them values, and show them."""
        case = version.case
        if not nodes:
            return
        self.put(f"PROCEDURE New{case}(i: INTEGER): REFANY =\n  BEGIN\n    CASE i OF")
        for i, node in enumerate(nodes):
            type_ = version.types[node.type]
            if type_.kind == "array":
                made = f"NEW({type_.name}, {len(node.value)})"
            else:
                made = f"NEW({type_.name})" + (".init()" if type_.kind == "container" else "")
            self.put(f"    | {i} => RETURN {made};")
        self.put(f"    ELSE RETURN NIL\n    END;\n  END New{case};")
        self.put(f"PROCEDURE Fill{case}(n: Nodes) =\n  VAR")
        for i, node in enumerate(nodes):
            self.put(f"    n{i}: {version.types[node.type].name} := n[{i}];")
        self.put("  BEGIN")
        for i, node in enumerate(nodes):
            self.fill(f"n{i}", version.types[node.type], node, version)
        self.put(f"  END Fill{case};")
        self.put(f"PROCEDURE Show{case}(i: INTEGER) =\n  BEGIN\n    TYPECASE all[i] OF")
        self.put("    | NULL => P(\"lost\");")
        for key in sorted(version.types, key=lambda one: -len(version.above(one))):
            type_ = version.types[key]
            if type_.kind == "array":
                self.put(f"    | {type_.name} (x) => P(\"{key}:\"); FOR i := 0 TO LAST(x^) DO "
                         f"{self.show('x[i]', type_.element, version)} END;")
            elif type_.kind == "container":
                self.put(f"    | {type_.name} (x) => P(\"{key}:\"); Show{type_.name.replace('.', '')}(x);")
            else:
                self.put(f"    | {type_.name} (x) => P(\"{key}:\"); " + " ".join(
                    f'P("{field.name}="); {self.show(f"x.{field.name}", field.type, version)}'
                    for field in sorted(version.fields(key), key=lambda one: one.name)))
        self.put(f"    ELSE P(\"another type\");\n    END;\n  END Show{case};")

    def fill(self, place, type_, node, version):
        if type_.kind == "array":
            for i, one in enumerate(node.value):
                self.assign(f"{place}[{i}]", type_.element, one, version)
        elif type_.kind == "container":
            for i, one in enumerate(node.value):
                if type_.name.endswith("Seq.T"):
                    self.put(f"    {place}.addhi({one_of(type_.name, one)});")
                else:
                    key = f'"k{i}"' if type_.name.startswith("Text") else str(i)
                    self.put(f"    EVAL {place}.put({key}, {one_of(type_.name, one)});")
        else:
            for field in version.fields(node.type):
                self.assign(f"{place}.{field.name}", field.type, node.value[field.id], version)


def content(container):
    """What a container holds: references, numbers or texts."""
    return ("text",) if container == "TextSeq.T" else ("int", "INTEGER", -LAST - 1, LAST) if "Int" in \
        container.removeprefix("Sorted").removeprefix("Int").removeprefix("Text") or container == "IntSeq.T" \
        else ("refany",)


def one_of(container, value):
    kind = content(container)
    if kind[0] == "refany":
        return "NIL" if value is None else f"n{value}"
    return literal(kind, value, None)


HEAD = r"""
UNSAFE MODULE Main;
IMPORT Database, Fmt, IO, Params, Scan, Text, Transaction;
IMPORT RefSeq, IntSeq, TextSeq, IntRefTbl, TextIntTbl, TextRefTbl, SortedIntRefTbl;
<*FATAL ANY*>
TYPE
  Nodes = BRANDED "nodes of a case" REF ARRAY OF REFANY;
  Cases = BRANDED "cases of evolution" REF ARRAY OF Nodes;
VAR
  near, away: Cases;
  all: Nodes;  (* the objects of one case *)

PROCEDURE Take(case: INTEGER) =
  BEGIN
    all := NEW(Nodes, NUMBER(near[case]^));
    FOR i := 0 TO LAST(all^) DO
      IF near[case][i] # NIL THEN all[i] := near[case][i] ELSE all[i] := away[case][i] END;
    END;
  END Take;

PROCEDURE P(t: TEXT) = BEGIN IO.Put(t) END P;
PROCEDURE I(i: INTEGER) = BEGIN IO.Put(Fmt.Int(i)); IO.Put(",") END I;
PROCEDURE N(i: LONGINT) = BEGIN IO.Put(Fmt.LongInt(i)); IO.Put(",") END N;
PROCEDURE D(d: LONGREAL) = BEGIN I(LOOPHOLE(d, INTEGER)) END D;
PROCEDURE J(t: TEXT): TEXT = BEGIN RETURN t END J;
PROCEDURE Zero(): INTEGER = BEGIN RETURN 0 END Zero;
PROCEDURE One(): INTEGER = BEGIN RETURN 1 END One;
PROCEDURE Q(p: PROCEDURE (): INTEGER) = BEGIN IF p = NIL THEN P("nil,") ELSE I(p()) END END Q;

PROCEDURE T(t: TEXT) =
  BEGIN
    IF t = NIL THEN P("nil,"); RETURN END;
    P("\"");
    FOR i := 0 TO Text.Length(t) - 1 DO
      WITH c = ORD(Text.GetWideChar(t, i)) DO
        IF 48 <= c AND c <= 122 AND c # 92 THEN IO.PutChar(VAL(c, CHAR)) ELSE P("\\"); I(c) END;
      END;
    END;
    P("\"");
  END T;

PROCEDURE R(r: REFANY) =
  BEGIN
    IF r = NIL THEN P("nil,"); RETURN END;
    FOR i := 0 TO LAST(all^) DO IF all[i] = r THEN P("#"); I(i); RETURN END END;
    P("stranger,");
  END R;

PROCEDURE ShowRefSeqT(s: RefSeq.T) = BEGIN FOR i := 0 TO s.size() - 1 DO R(s.get(i)) END END ShowRefSeqT;
PROCEDURE ShowIntSeqT(s: IntSeq.T) = BEGIN FOR i := 0 TO s.size() - 1 DO I(s.get(i)) END END ShowIntSeqT;
PROCEDURE ShowTextSeqT(s: TextSeq.T) = BEGIN FOR i := 0 TO s.size() - 1 DO T(s.get(i)) END END ShowTextSeqT;
PROCEDURE ShowIntRefTblDefault(t: IntRefTbl.Default) =
  VAR r: REFANY;
  BEGIN FOR i := 0 TO t.size() - 1 DO IF t.get(i, r) THEN R(r) ELSE P("misses,") END END END ShowIntRefTblDefault;
PROCEDURE ShowSortedIntRefTblDefault(t: SortedIntRefTbl.Default) =
  VAR r: REFANY;
  BEGIN FOR i := 0 TO t.size() - 1 DO IF t.get(i, r) THEN R(r) ELSE P("misses,") END END END ShowSortedIntRefTblDefault;
PROCEDURE ShowTextIntTblDefault(t: TextIntTbl.Default) =
  VAR v: INTEGER;
  BEGIN
    FOR i := 0 TO t.size() - 1 DO IF t.get("k" & Fmt.Int(i), v) THEN I(v) ELSE P("misses,") END END
  END ShowTextIntTblDefault;
PROCEDURE ShowTextRefTblDefault(t: TextRefTbl.Default) =
  VAR r: REFANY;
  BEGIN
    FOR i := 0 TO t.size() - 1 DO IF t.get("k" & Fmt.Int(i), r) THEN R(r) ELSE P("misses,") END END
  END ShowTextRefTblDefault;
"""

# make STORE NAME CASE...: makes the objects of these cases in the databases main and far, as named objects.
# read STORE NAME: shows them.
TAIL = r"""
VAR
  store := Params.Get(2);  name := Params.Get(3);
  main, far: Database.T;  tr := NEW(Transaction.T);  case: INTEGER;

PROCEDURE Open(name: TEXT): Database.T =
  BEGIN
    TRY RETURN Database.Open(name)
    EXCEPT Database.DatabaseNotFound => Database.Create(name); RETURN Database.Open(name)
    END;
  END Open;

BEGIN
  main := Open(store);  far := Open(store & ":far");
  IF Text.Equal(Params.Get(1), "make") THEN
    (* The objects first, so that each lies in its database; then their values. *)
    tr.begin();
    near := NEW(Cases, NUMBER(IsFar));  away := NEW(Cases, NUMBER(IsFar));
    FOR k := 4 TO Params.Count - 1 DO
      case := Scan.Int(Params.Get(k));
      near[case] := NEW(Nodes, Count[case]);  away[case] := NEW(Nodes, Count[case]);
      FOR i := 0 TO Count[case] - 1 DO
        IF IsFar[case][i] THEN away[case][i] := New(case, i) ELSE near[case][i] := New(case, i) END;
      END;
    END;
    main.bind(name, near);  far.bind(name, away);
    tr.commit();
    tr.begin();
    FOR k := 4 TO Params.Count - 1 DO
      case := Scan.Int(Params.Get(k));
      Take(case);
      Fill(case);
    END;
    tr.commit();
  ELSE
    tr.begin();
    near := main.lookup(name);  away := far.lookup(name);
    FOR case := 0 TO LAST(near^) DO
      IF near[case] # NIL THEN
        Take(case);
        FOR i := 0 TO LAST(all^) DO P(Fmt.Int(case) & " " & Fmt.Int(i) & " "); Show(case, i); P("\n") END;
      END;
    END;
    tr.commit();
  END;
END Main.
"""


class Node:
    def __init__(self, type_, far, value):
        self.type, self.far, self.value = type_, far, value
