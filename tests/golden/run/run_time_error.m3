(* golden: run *)
(* FINALLY parts do not run for an unhandled error; earlier output comes first, then the report. *)
MODULE Main;

IMPORT IO;

TYPE Range = [1..10];

PROCEDURE Set(VAR r: Range; n: INTEGER) =
  BEGIN
    TRY
      r := n;
    FINALLY
      IO.Put("not reached\n");
    END;
  END Set;

VAR r: Range;

BEGIN
  Set(r, 10);
  IO.Put("printed\n");
  Set(r, 11);
END Main.
(* expect: not reached *)
(* expect: printed *)
(* expect-status: 4 *)
(* expect-stderr: *** run-time error: ValueOutOfRange: value out of range *)
(* expect-stderr: Main.m3:12 in Main.Set *)
(* expect-stderr: Main.m3:23 in Main *)
