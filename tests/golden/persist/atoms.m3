(* golden: persist, with lib/Store, lib/Check *)
(* Atoms in a database are equal to the program's atoms, also as keys, and the program can make
   new atoms in whatever state the stored ones are. *)
MODULE Main;

IMPORT Atom, AtomList, AtomRefTbl, Check, Database, Fmt, Process, RTCollector, Store, Transaction;

<*FATAL ANY*>

CONST
  Many = 3000;

TYPE
  Root = REF RECORD
    atom: Atom.T;
    table: AtomRefTbl.T;
    list: AtomList.T;
  END;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  root: Root;
  stored, again: Atom.T;
  value: REFANY;

PROCEDURE MakeMany(prefix: TEXT) =
  BEGIN
    FOR i := 1 TO Many DO EVAL Atom.FromText(prefix & Fmt.Int(i)) END;
  END MakeMany;

(* The state that another program finds. *)
PROCEDURE CheckStored() =
  VAR hello := Atom.FromText("hello");
  BEGIN
    Check.Text(Atom.ToText(root.atom), "hello", "its text");
    Check.That(Atom.Equal(root.atom, hello), "equal to the program's");
    Check.That(NOT Atom.Equal(root.atom, Atom.FromText("other")), "not to another one");
    Check.Int(Atom.Hash(root.atom), Atom.Hash(hello), "their hashes");
    Check.That(Atom.FromText(Atom.ToText(root.atom)) = hello, "the program's own");
    Check.That(root.table.get(hello, value) AND value = root, "a key by the program's atom");
    Check.That(AtomList.Member(root.list, hello), "a member of a list");
    Check.That(root.table.get(root.atom, value) AND value = root, "a key by itself");
  END CheckStored;

BEGIN
  tr.begin();
  root := db.getRoot();
  IF root # NIL THEN
    CheckStored();
    tr.commit();
    Check.Done();
    Process.Exit();
  END;
  stored := Atom.FromText("hello");
  root := NEW(Root, atom := stored, table := NEW(AtomRefTbl.Default).init(),
              list := AtomList.List2(Atom.FromText("first"), stored));
  EVAL root.table.put(stored, root);
  db.setRoot(root);
  tr.commit();
  RTCollector.Collect();
  Check.That(Atom.FromText("hello") = root.atom, "stored, it is still what FromText gives");
  (* The table of atoms grows while no transaction is open. *)
  MakeMany("a");
  db.close();
  MakeMany("b");
  root := NIL;
  again := Atom.FromText("hello");
  Check.Text(Atom.ToText(again), "hello", "when its database is closed");
  Check.That(Atom.FromText("hello") = again, "the same from then on");
  db := Store.Open();
  tr.begin();
  root := db.getRoot();
  CheckStored();
  tr.commit();
  Check.Done();
END Main.
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
