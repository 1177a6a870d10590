(* golden: persist, with lib/Store *)
(* A thread ends in its own open transaction. Other threads may end the transaction or join it;
   if no thread does, a thread that waits for its turn gets an exception. *)
MODULE Main;

IMPORT Database, IO, Store, Text, Thread, Transaction;

<*FATAL ANY*>

TYPE
  Root = REF RECORD sum := 0 END;
  Add = Transaction.Closure OBJECT OVERRIDES apply := Apply END;
  Runner = Thread.Closure OBJECT OVERRIDES apply := RunAll END;
  Leaver = Thread.Closure OBJECT readOnly := FALSE OVERRIDES apply := Leave END;
  Look = Transaction.Closure OBJECT OVERRIDES apply := LookAtSum END;

VAR
  db := Store.Open();
  tr := NEW(Transaction.T);
  root: Root;
  leaver, runner, second: Thread.T;

PROCEDURE Apply(<*UNUSED*> a: Add) =
  BEGIN
    INC(root.sum);
  END Apply;

(* The exception of a thread that does not get its turn. *)
PROCEDURE RunAll(<*UNUSED*> r: Runner): REFANY =
  BEGIN
    TRY
      Transaction.Run(NEW(Add));
      RETURN "done";
    EXCEPT
    | Database.Failure(text) => RETURN text;
    END;
  END RunAll;

PROCEDURE LookAtSum(<*UNUSED*> l: Look) =
  BEGIN
    IF root.sum = 0 THEN IO.Put("nothing there\n") END;
  END LookAtSum;

PROCEDURE Leave(l: Leaver): REFANY =
  BEGIN
    IF l.readOnly THEN
      tr.beginReadOnly();
    ELSE
      tr.begin();
      INC(root.sum, 100);
    END;
    RETURN NIL;
  END Leave;

PROCEDURE Contains(text, part: TEXT): BOOLEAN =
  BEGIN
    FOR i := 0 TO Text.Length(text) - Text.Length(part) DO
      IF Text.Equal(Text.Sub(text, i, Text.Length(part)), part) THEN RETURN TRUE END;
    END;
    RETURN FALSE;
  END Contains;

PROCEDURE Told(t: Thread.T) =
  VAR text: TEXT := Thread.Join(t);
  BEGIN
    IF Text.Equal(text, "done") THEN
      IO.Put("done\n");
    ELSIF Contains(text, "no thread works in") AND Contains(text, "in Main.Leave")
        AND Contains(text, "Main.m3:") THEN
      IO.Put("told who has left, and where\n");
    ELSE
      IO.Put(text & "\n");
    END;
  END Told;

PROCEDURE Sum(what: TEXT) =
  BEGIN
    IO.Put(what & " "); IO.PutInt(root.sum); IO.Put("\n");
  END Sum;

BEGIN
  tr.begin();
  root := db.getRoot();
  IF root = NIL THEN root := NEW(Root); db.setRoot(root) END;
  root.sum := 0;
  tr.commit();

  (* No thread ends the transaction: waiting threads and later ones get the exception. *)
  leaver := Thread.Fork(NEW(Leaver));
  EVAL Thread.Join(leaver);
  runner := Thread.Fork(NEW(Runner));
  second := Thread.Fork(NEW(Runner));
  Told(runner);
  Told(second);
  Told(Thread.Fork(NEW(Runner)));

  (* The transaction can still be ended. *)
  tr.commit();
  Told(Thread.Fork(NEW(Runner)));
  tr.begin();
  Sum("committed by another thread");
  tr.commit();

  (* The transaction ends in time: no thread gets an exception. *)
  leaver := Thread.Fork(NEW(Leaver));
  EVAL Thread.Join(leaver);
  runner := Thread.Fork(NEW(Runner));
  Thread.Pause(0.1d0);
  tr.abort();
  Told(runner);

  (* A thread that joins the transaction works in it. *)
  leaver := Thread.Fork(NEW(Leaver));
  EVAL Thread.Join(leaver);
  tr.join();
  runner := Thread.Fork(NEW(Runner));
  Thread.Pause(1.3d0);
  tr.commit();
  Told(runner);
  tr.begin();
  Sum("joined");
  tr.commit();

  (* The same with a read-only transaction; others that read do not wait for it. *)
  leaver := Thread.Fork(NEW(Leaver, readOnly := TRUE));
  EVAL Thread.Join(leaver);
  runner := Thread.Fork(NEW(Runner));
  Transaction.RunReadOnly(NEW(Look));
  Told(runner);
  Transaction.RunReadOnly(NEW(Look));
  tr.commit();
  Told(Thread.Fork(NEW(Runner)));
END Main.
(* expect: told who has left, and where *)
(* expect: told who has left, and where *)
(* expect: told who has left, and where *)
(* expect: done *)
(* expect: committed by another thread 101 *)
(* expect: done *)
(* expect: done *)
(* expect: joined 203 *)
(* expect: told who has left, and where *)
(* expect: done *)
