(* golden: persist, with lib/Store *)
(* The child of a fork has no database: every use of its parent's is a clear error. *)
UNSAFE MODULE Main;

FROM CProcess IMPORT fork, waitpid, exit;
IMPORT Database, IO, Store, Transaction;

<*FATAL ANY*>

TYPE
  Cell = REF RECORD number: INTEGER; next: Cell END;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  root: Cell;
  status := 0;
  errors := 0;

PROCEDURE List(n: INTEGER): Cell =
  VAR c: Cell := NIL;
  BEGIN
    FOR i := n TO 1 BY -1 DO c := NEW(Cell, number := i, next := c) END;
    RETURN c;
  END List;

PROCEDURE Length(c: Cell): INTEGER =
  VAR n := 0;
  BEGIN
    WHILE c # NIL DO INC(n, ORD(c.number > 0)); c := c.next END;
    RETURN n;
  END Length;

PROCEDURE Use() =
  BEGIN
    tr.begin();
    root := db.getRoot();
    IF fork() = 0 THEN
      TRY EVAL Length(root) EXCEPT Database.Failure => INC(errors) END;
      TRY root.number := 5 EXCEPT Database.Failure => INC(errors) END;
      TRY tr.commit() EXCEPT Database.Failure => INC(errors) END;
      TRY EVAL db.getRoot() EXCEPT Database.Failure => INC(errors) END;
      exit(errors);
    END;
    EVAL waitpid(-1, status, 0);
    IO.PutInt(status DIV 256); IO.Put(" "); IO.PutInt(Length(root)); IO.Put("\n");
    tr.commit();
  END Use;

BEGIN
  tr.begin();
  root := db.getRoot();
  IF root = NIL THEN
    db.setRoot(List(1000));
    IO.Put("made\n");
    tr.commit();
  ELSE
    tr.commit();
    Use();
  END;
END Main.
(* expect: made *)
(* restart *)
(* expect: 4 1000 *)
(* unit: CProcess.i3 *)
UNSAFE INTERFACE CProcess;
<*EXTERNAL*> PROCEDURE fork(): INTEGER;
<*EXTERNAL*> PROCEDURE waitpid(pid: INTEGER; VAR status: INTEGER; options: INTEGER): INTEGER;
<*EXTERNAL "_exit"*> PROCEDURE exit(status: INTEGER);
END CProcess.
