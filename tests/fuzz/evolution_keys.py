"""Containers whose keys are elements of an enumeration that changes (random_evolution.py): an upgrade ends where keys
would not be found any more, `--rebuild` converts them all the same, and the program makes the containers anew."""

import os

INSTANCES = {
    "KeyIntTbl": ("Table(Key, Integer)", "Table(Key, Integer)"),
    "SortedKeyIntTbl": ("SortedTable(Key, KeyIntTbl)", "SortedTable(Key, Integer, KeyIntTbl)"),
    "KeyIntTree": ("BPlusTree(Key, Integer, SortedKeyIntTbl)", "BPlusTree(Key, Integer, KeyIntTbl, SortedKeyIntTbl)"),
}
# Of the root's fields; what makes an empty one.
CONTAINERS = {"hashed": ("KeyIntTbl.Default", "init()"), "sorted": ("SortedKeyIntTbl.Default", "init()"),
              "tree": ("KeyIntTree.T", "init(2)")}
KEY = """
INTERFACE Key;
TYPE T = {elements};
CONST Brand = "Key";  Names = ARRAY T OF TEXT {names};
PROCEDURE Compare(a, b: T): [-1..1];
PROCEDURE Equal(a, b: T): BOOLEAN;
PROCEDURE Hash(a: T): INTEGER;
END Key.
"""
KEY_BODY = """
MODULE Key;
PROCEDURE Compare(a, b: T): [-1..1] =
  BEGIN IF a < b THEN RETURN -1 ELSIF a > b THEN RETURN 1 ELSE RETURN 0 END END Compare;
PROCEDURE Equal(a, b: T): BOOLEAN = BEGIN RETURN a = b END Equal;
PROCEDURE Hash(a: T): INTEGER = BEGIN RETURN ORD(a) END Hash;
BEGIN
END Key.
"""
# make STORE ELEMENT...; read STORE; remake STORE: all entries into new containers.
MAIN = """
MODULE Main;
IMPORT Database, IO, Key, Params, Scan, Text, Transaction, KeyIntTbl, SortedKeyIntTbl, KeyIntTree;
<*FATAL ANY*>
TYPE Root = REF RECORD hashed: KeyIntTbl.Default; sorted: SortedKeyIntTbl.Default; tree: KeyIntTree.T; last: Key.T END;
VAR
  what := Params.Get(1);  db: Database.T;  tr := NEW(Transaction.T);  root, old: Root;  key: Key.T;  n: INTEGER;

PROCEDURE New(): Root =
  BEGIN
    RETURN NEW(Root, hashed := NEW(KeyIntTbl.Default).init(), sorted := NEW(SortedKeyIntTbl.Default).init(),
               tree := NEW(KeyIntTree.T).init(2));
  END New;

PROCEDURE Put(k: Key.T; value: INTEGER) =
  BEGIN
    EVAL root.hashed.put(k, value); EVAL root.sorted.put(k, value); EVAL root.tree.put(k, value);
  END Put;

PROCEDURE Show(name: TEXT; all: KeyIntTbl.Iterator; t: KeyIntTbl.T) =
  BEGIN
    IO.Put(name & " has");
    WHILE all.next(key, n) DO IO.Put(" " & Key.Names[key] & "="); IO.PutInt(n) END;
    IO.Put("\\n" & name & " finds");
    FOR k := FIRST(Key.T) TO LAST(Key.T) DO
      IF t.get(k, n) THEN IO.Put(" " & Key.Names[k] & "="); IO.PutInt(n) END;
    END;
    IO.Put("\\n");
  END Show;

BEGIN
  EVAL Text.Length("");
  IF Text.Equal(what, "make") THEN
    Database.Create(Params.Get(2)); db := Database.Open(Params.Get(2));
    tr.begin(); root := New();
    FOR i := 3 TO Params.Count - 1 DO
      FOR k := FIRST(Key.T) TO LAST(Key.T) DO
        IF Text.Equal(Key.Names[k], Params.Get(i)) THEN
          Put(k, Scan.Int(Text.Sub(Params.Get(i), 1))); root.last := k;
        END;
      END;
    END;
    db.setRoot(root); tr.commit();
  ELSE
    db := Database.Open(Params.Get(2));
    tr.begin(); root := db.getRoot();
    IF Text.Equal(what, "remake") THEN
      old := root; root := New(); root.last := old.last;
      WITH all = old.hashed.iterate() DO WHILE all.next(key, n) DO EVAL root.hashed.put(key, n) END END;
      WITH all = old.sorted.iterate() DO WHILE all.next(key, n) DO EVAL root.sorted.put(key, n) END END;
      WITH all = old.tree.iterate() DO WHILE all.next(key, n) DO EVAL root.tree.put(key, n) END END;
      db.setRoot(root);
    END;
    Show("hashed", root.hashed.iterate(), root.hashed);
    Show("sorted", root.sorted.iterate(), root.sorted);
    Show("tree", root.tree.iterate(), root.tree);
    IO.Put("last " & Key.Names[root.last] & "\\n");
    tr.commit();
  END;
END Main.
"""


def changed(rng, names, new):
    """The elements of another version, in words what was done, too."""
    names, what = list(names), rng.choice(["grow", "grow", "insert", "reorder", "rename", "remove", "same"])
    if what == "grow":
        names += [new() for _ in range(rng.choice([1, 2, 300]))]
    elif what == "insert":
        names.insert(rng.randint(0, len(names)), new())
    elif what == "reorder":
        rng.shuffle(names)
    elif what == "rename":
        names[rng.randrange(len(names))] = new()
    elif what == "remove" and len(names) > 1:
        names.pop(rng.randrange(len(names)))
    return names


class Keys:
    """The versions of one enumeration, their programs, and the upgrades between them."""
    def __init__(self, run, tenure, directory, rng, versions):
        self.run, self.tenure, self.directory, self.rng, self.counter = run, tenure, directory, rng, 0
        first = [self.new() for _ in range(rng.choice([1, 2, 3, 12, 40, 256]))]
        self.versions = [first] + [changed(rng, first, self.new) for _ in range(1, versions)]

    def new(self):
        self.counter += 1
        return f"k{self.counter}"

    def program(self, v):
        return os.path.join(self.directory, f"keys{v}")

    def build(self):
        """What is wrong, or None."""
        for v, names in enumerate(self.versions):
            source = self.program(v) + ".source"
            os.mkdir(source)
            files = {"Key.i3": KEY.format(elements="{" + ", ".join(names) + "}",
                                          names="{" + ", ".join(f'"{name}"' for name in names) + "}"),
                     "Key.m3": KEY_BODY, "Main.m3": MAIN}
            for name, (interface, module) in INSTANCES.items():
                files[name + ".i3"] = f"INTERFACE {name} = {interface} END {name}.\n"
                files[name + ".m3"] = f"MODULE {name} = {module} END {name}.\n"
            for name, text in files.items():
                with open(os.path.join(source, name), "w", encoding="latin-1") as file:
                    file.write(text)
            built = self.run(self.tenure, "build", source, "-o", self.program(v), "-O0", timeout=600)
            if built.status != 0:
                return f"the program of the keys does not build:\n{built.out[:3000]}"
        return None

    def expected(self, present, last):
        """What the program shows, in any order within a line."""
        entries = {f"{name}={name[1:]}" for name in present}
        return {**{f"{one} {word}": entries for one in CONTAINERS for word in ("has", "finds")}, "last": {last}}

    def shows(self, what, v, store, wanted):
        ran = self.run(self.program(v), what, store)
        got = {}
        for words in [line.split(" ") for line in ran.out.split("\n") if line]:
            head = 1 if words[0] == "last" else 2
            got[" ".join(words[:head])] = set(words[head:])
        return next((f"{name}: it is {sorted(got.get(name, []))[:9]} and not {sorted(some)[:9]}"
                     for name, some in wanted.items() if got.get(name) != some), None)

    def upgrade(self, a, b):
        """What is wrong with an upgrade, in words; and what it was."""
        before, now = self.versions[a], self.versions[b]
        store = os.path.join(self.directory, f"keys-{a}-{b}")
        present = self.rng.sample(before, self.rng.randint(1, min(len(before), 30)))
        made = self.run(self.program(a), "make", store, *present)
        if made.status != 0:
            return f"making the store: {made}", "?"
        command = [self.tenure, "db", "upgrade", store, self.program(b)]
        rebuild = [word for name, _ in CONTAINERS.values() for word in ("--rebuild", name)]
        moves = any(name in now and now.index(name) != at for at, name in enumerate(before))
        gone = [name for name in present if name not in now]
        if moves:
            tried, ran = self.run(*command, "--dry-run"), self.run(*command)
            if ran.status != 3 or tried.out != ran.out or "may get another order" not in ran.out:
                return f"keys get other numbers, and the upgrade says {ran}; the dry run {tried}", "moves"
        ran = self.run(*command, *rebuild)
        if gone:
            wrong = ran.status != 3 or not any(name in ran.out for name in gone)
            return (f"the keys {gone[:5]} are gone, and the upgrade says {ran}" if wrong else
                    self.shows("read", a, store, self.expected(present, present[-1]))), "gone"
        if ran.status != 0:
            return f"the upgrade says {ran}", "kept"
        whole = self.expected(present, present[-1])
        wanted = {name: some for name, some in whole.items() if not (moves and "finds" in name)}
        problem = self.shows("read", b, store, wanted) or self.shows("remake", b, store, whole)
        verified = self.run(self.tenure, "db", "verify", store)
        return problem or (f"verify says {verified}" if verified.status != 0 else None), "moves" if moves else "kept"
