(* golden: persist, with lib/Store, lib/Check *)
(* A weak reference is valid only in the process that made it. Read from a database it refers to
   no object, whatever weak references the program has made meanwhile. Other values that cannot
   be kept are NIL, and named in the report of the commit (language.md 27.3). *)
UNSAFE MODULE Main;

IMPORT Check, Database, DatabaseStatistics, IO, Process, Store, Text, Transaction, WeakRef;

<*FATAL ANY*>

TYPE
  Handle = <*TRANSIENT*> ROOT OBJECT n: INTEGER END;
  Root = REF RECORD
    weak, other: WeakRef.T;
    target: REF INTEGER;
    any: REFANY;
    address: ADDRESS;
    untraced: UNTRACED REF INTEGER;
    procedure: PROCEDURE () := NIL;
    many: ARRAY [0 .. 2] OF WeakRef.T;
  END;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  root: Root;
  kept: ARRAY [0 .. 9] OF REF INTEGER;
  weak: ARRAY [0 .. 9] OF WeakRef.T;

PROCEDURE Top() = BEGIN END Top;

(* In both runs the program makes these, in the same order. *)
PROCEDURE MakeWeak() =
  BEGIN
    FOR i := 0 TO LAST(kept) DO
      kept[i] := NEW(REF INTEGER);
      kept[i]^ := i;
      weak[i] := WeakRef.FromRef(kept[i]);
    END;
    FOR i := 0 TO LAST(kept) DO
      Check.That(WeakRef.ToRef(weak[i]) = kept[i], "its own");
    END;
  END MakeWeak;

PROCEDURE Tells(part: TEXT) =
  VAR report := DatabaseStatistics.CommitReport();
  BEGIN
    FOR i := 0 TO Text.Length(report) - Text.Length(part) DO
      IF Text.Equal(Text.Sub(report, i, Text.Length(part)), part) THEN RETURN END;
    END;
    IO.Put("not in the report: " & part & "\n" & report);
  END Tells;

BEGIN
  MakeWeak();
  tr.begin();
  root := db.getRoot();
  IF root = NIL THEN
    DatabaseStatistics.ReportCommits();
    root := NEW(Root, weak := weak[3], other := weak[9], target := kept[3], procedure := Top,
                any := NEW(Handle, n := 1), address := ADR(kept),
                untraced := NEW(UNTRACED REF INTEGER));
    root.many[1] := weak[5];
    db.setRoot(root);
    (* expect-warning above: Main.Root.weak is not kept in the database: it is of type WeakRef.T, and NIL when it is read again (27.3) *)
    (* expect-warning above: Main.Root.other is not kept in the database: it is of type WeakRef.T, and NIL when it is read again (27.3) *)
    (* expect-warning above: Main.Root.address is not kept in the database: it is of type ADDRESS, and NIL when it is read again (27.3) *)
    (* expect-warning above: Main.Root.untraced is not kept in the database: it is of type UNTRACED REF INTEGER, and NIL when it is read again (27.3) *)
    (* expect-warning above: Main.Root.many[] is not kept in the database: it is of type WeakRef.T, and NIL when it is read again (27.3) *)
    tr.commit();
    Tells("not kept (NIL when they are read again):");
    FOR i := 0 TO 4 DO
      Tells("1 times  Main.Root.");
    END;
    Tells(".weak\n");  Tells(".other\n");  Tells(".any\n");  Tells(".address\n");
    Tells(".untraced\n");  Tells(".many\n");
    Check.That(WeakRef.ToRef(root.weak) = root.target, "committed: in this process");
    IO.Put("made\n");
    Process.Exit();
  END;
  Check.That(WeakRef.ToRef(root.weak) = NIL, "reopened");
  Check.That(WeakRef.ToRef(root.other) = NIL, "reopened: another");
  Check.That(WeakRef.ToRef(root.many[1]) = NIL, "reopened: in an array");
  Check.That(root.any = NIL, "reopened: of a transient type");
  Check.That(root.address = NIL AND root.untraced = NIL, "reopened: untraced");
  Check.That(root.procedure = Top, "reopened: a procedure");
  Check.Int(root.target^, 3, "reopened: what it referred to");
  root.weak := WeakRef.FromRef(root.target);
  Check.That(WeakRef.ToRef(root.weak) = root.target, "made anew");
  tr.commit();
  Check.Done();
END Main.
(* expect: made *)
(* restart *)
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
