(* golden: run *)
(* The scope of a name of WITH begins after its binding (language.md 14.11). *)
MODULE Main;

IMPORT IO;

PROCEDURE First(<*UNUSED*> name: TEXT; value: INTEGER) =
  BEGIN
    IO.Put("first "); IO.PutInt(value); IO.Put("\n");
  END First;

PROCEDURE Second(<*UNUSED*> name: TEXT; value: INTEGER) =
  BEGIN
    IO.Put("second "); IO.PutInt(value); IO.Put("\n");
  END Second;

VAR a := 1;  b := 10;  x := 100;  show := First;

BEGIN
  WITH a = a + 1, b = a + b, a = a + b, c = b DO
    IO.PutInt(a); IO.Put(" "); IO.PutInt(b); IO.Put(" "); IO.PutInt(c); IO.Put("\n");
  END;
  (* expect: 14 12 12 *)

  (* Neither does a trace see the names after its own. *)
  WITH w <*TRACE show*> = x, show = Second DO
    w := 101;
    show("", 5);
  END;
  (* expect: first 100 *)
  (* expect: first 101 *)
  (* expect: second 5 *)
  First("", b);
  (* expect: first 10 *)
END Main.
