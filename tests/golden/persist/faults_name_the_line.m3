(* golden: persist, with lib/Store *)
(* An exception raised by a page fault names the program's line, also if the C library's loop
   over memory faulted for the last statement of a procedure. *)
MODULE Main;

IMPORT Database, IO, Params, RTCollector, Store, Text, Transaction;

<*FATAL ANY*>

TYPE
  Big = ARRAY [0..5000] OF INTEGER;
  R = REF RECORD n: INTEGER; b: Big END;

VAR
  db: Database.T;
  tr := NEW(Transaction.T);
  r: R;
  b: Big;

PROCEDURE Write() =
  BEGIN
    r.b := b
  END Write;

PROCEDURE Same(): BOOLEAN =
  BEGIN
    RETURN r.b = b
  END Same;

BEGIN
  db := Store.Open();
  tr.begin();
  r := NEW(R);
  db.setRoot(r);
  tr.commit();
  RTCollector.Collect();
  db.close();
  IO.Put("closed\n");
  IF Text.Equal(Params.Get(Params.Count - 1), "same") THEN
    EVAL Same();
  ELSIF Text.Equal(Params.Get(Params.Count - 1), "write") THEN
    Write();
  END;
  r.b := b
END Main.
(* args: write *)
(* expect: closed *)
(* expect-status: 4 *)
(* expect-stderr: *** at / *)
(* expect-stderr: Main.m3:22 in Main.Write *)
(* restart *)
(* args: same *)
(* expect: closed *)
(* expect-status: 4 *)
(* expect-stderr: *** at / *)
(* expect-stderr: Main.m3:27 in Main.Same *)
(* restart *)
(* args: last *)
(* expect: closed *)
(* expect-status: 4 *)
(* expect-stderr: *** at / *)
(* expect-stderr: Main.m3:44 in Main *)
