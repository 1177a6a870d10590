(* golden: parse *)
(* A name that stands alone is told alike before each statement and before each pragma that is one
   (language.md 2.3, 26). *)
MODULE Main;
VAR x: INTEGER;
BEGIN
  x.a^
  (* expect-error above: a value alone is not a statement; EVAL discards a value (2.3) *)
  <*ASSERT TRUE*>
  x.a^
  (* expect-error above: a value alone is not a statement; EVAL discards a value (2.3) *)
  <*DEBUG "here"*>
  x.a^
  (* expect-error above: a value alone is not a statement; EVAL discards a value (2.3) *)
  BEGIN x := 1 END;
  x.a^
  (* expect-error above: a value alone is not a statement; EVAL discards a value (2.3) *)
  RETURN;
END Main.
