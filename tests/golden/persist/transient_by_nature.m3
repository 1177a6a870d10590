(* golden: persist, with lib/Store, lib/Check *)
(* Mutexes, streams and files are never saved, though nothing in their declarations says so
   (language.md 27.4). *)
MODULE Main;

IMPORT Check, Database, FS, File, Rd, Store, TextRd, TextWr, Transaction, Wr;

<*FATAL ANY*>

TYPE
  Root = REF RECORD
    mutex: MUTEX;
    rd: Rd.T;
    wr: Wr.T;
    file: File.T;
    any: REFANY;
    name: TEXT;
  END;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  root: Root;

BEGIN
  tr.begin();
  root := db.getRoot();
  IF root = NIL THEN
    root := NEW(Root, mutex := NEW(MUTEX), rd := TextRd.New("text"), wr := TextWr.New(),
                file := FS.OpenFile("file"), name := "root");
    root.any := root.rd;
    db.setRoot(root);
    (* expect-warning above: Main.Root.mutex is not kept in the database: it is of type MUTEX, and NIL when it is read again (27.3) *)
    (* expect-warning above: Main.Root.rd is not kept in the database: it is of type Rd.T, and NIL when it is read again (27.3) *)
    (* expect-warning above: Main.Root.wr is not kept in the database: it is of type Wr.T, and NIL when it is read again (27.3) *)
    (* expect-warning above: Main.Root.file is not kept in the database: it is of type File.T, and NIL when it is read again (27.3) *)
    tr.commit();
    Check.Text(Rd.GetLine(root.rd), "text", "committed: the reader still works");
    Check.That(root.mutex # NIL AND root.any = root.rd, "committed: the mutex is there");
    root.file.close();
  ELSE
    Check.Text(root.name, "root", "reopened: name");
    Check.That(root.mutex = NIL, "reopened: mutex");
    Check.That(root.rd = NIL, "reopened: reader");
    Check.That(root.wr = NIL, "reopened: writer");
    Check.That(root.file = NIL, "reopened: file");
    Check.That(root.any = NIL, "reopened: by REFANY");
    tr.commit();
  END;
  Check.Done();
END Main.
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
