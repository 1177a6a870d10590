(* golden: check *)
MODULE Main;
TYPE Box = RECORD inner: Box END;
(* expect-error above: the declaration of Box depends on itself; a type cannot contain itself; REF Box can stand inside it (4) *)
TYPE Row = ARRAY [0..1] OF Row;
(* expect-error above: the declaration of Row depends on itself; a type cannot contain itself; REF Row can stand inside it (4) *)
TYPE S = SET OF S;
(* expect-error above: the declaration of S depends on itself; a type cannot contain itself; REF S can stand inside it (4) *)
TYPE Me = Me;
(* expect-error above: the declaration of Me depends on itself; a type cannot contain itself; REF Me can stand inside it (4) *)
TYPE Egg = Hen; Hen = Egg;
(* expect-error above: the declaration of Egg depends on itself; a type cannot contain itself; REF Egg can stand inside it (4) *)
CONST One = 2 - One;
(* expect-error above: the declaration of One depends on itself (4) *)
TYPE Loop = OBJECT METHODS go() := Loop.go END;
(* expect-error above: the declaration of Main.Loop depends on itself (4) *)
TYPE Own = Own OBJECT END;
(* expect-error above: the declaration of Own depends on itself; a type cannot contain itself; REF Own can stand inside it (4) *)
VAR z := G();
(* expect-error above: the declaration of z depends on itself (4) *)
PROCEDURE G(): ARRAY [1..NUMBER(z)] OF CHAR =
  VAR result: ARRAY [1..NUMBER(z)] OF CHAR;
  BEGIN
    RETURN result;
  END G;
TYPE Cell = REF RECORD rest: Cell END;
TYPE Visit = PROCEDURE (next: Visit);
TYPE Tree = OBJECT kid: Tree; METHODS graft(t: Tree): Tree END;
CONST Depth = BITSIZE(REF SET OF [1..Depth]);
EXCEPTION Retry(PROCEDURE (n: INTEGER) RAISES {Retry});
VAR w: REF SET OF [1..BYTESIZE(w)];
VAR box: Box;
BEGIN
  box := box;
END Main.
