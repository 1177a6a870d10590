(* golden: check *)
MODULE Main;
IMPORT IO, Old, Fmt;
(* expect-warning above: Fmt is imported and never used *)
FROM Old IMPORT Unused;
(* expect-warning above: Unused is imported and never used *)
EXCEPTION E;
TYPE Color = {Red, Green, Blue};
VAR color := Color.Red; small: [0..9]; p: PROCEDURE (); unused: INTEGER; r: REFANY; t: TEXT; a: ARRAY [0..2] OF CHAR;
(* expect-warning above: unused is never used *)
<*UNUSED*> VAR fine: INTEGER;
PROCEDURE MayEnd(n: INTEGER): INTEGER =
  BEGIN
    IF n > 0 THEN RETURN 1 END;
  END MayEnd;
  (* expect-warning above: MayEnd may end without RETURN; write RETURN or RAISE before this END (11.5) *)
PROCEDURE Ends(n: INTEGER): INTEGER =
  BEGIN
    LOOP
      IF n > 0 THEN RETURN 1 END;
    END;
  END Ends;
PROCEDURE Raises() = BEGIN RAISE E END Raises;
(* expect-warning above: Main.E may be raised here and is neither handled nor in the raises set; handle it with TRY ... EXCEPT, or add it to RAISES of Raises (13.3) *)
PROCEDURE RaisesToo() RAISES ANY = BEGIN RAISE E END RaisesToo;
PROCEDURE Quiet() = <*FATAL E*> BEGIN RAISE E END Quiet;
PROCEDURE Handles() = BEGIN TRY RAISE E EXCEPT E => END END Handles;
PROCEDURE Copies(a: ARRAY OF CHAR; VAR b: ARRAY OF CHAR) = BEGIN b[0] := a[0] END Copies;
(* expect-warning above: a is an open array by value: each call copies it; READONLY would not (11.4) *)
PROCEDURE NeverCalled() = BEGIN END NeverCalled;
(* expect-warning above: NeverCalled is never used *)
PROCEDURE Outer() =
  VAR local: INTEGER;
  (* expect-warning above: local is never used *)
  PROCEDURE Inner() = BEGIN END Inner;
  BEGIN
    p := Inner;
    (* expect-warning above: Inner is a local procedure: storing it is a run-time error; move it out to the top level of the module (11.2) *)
  END Outer;
PROCEDURE Caught(): INTEGER =
  BEGIN
    LOOP
      TRY
        IF small = 0 THEN EXIT END;
        (* expect-warning above: the ELSE of the TRY around it catches this EXIT (14.8) *)
        LOOP EXIT END;
        RETURN 1;
        (* expect-warning above: the ELSE of the TRY around it catches this RETURN (14.8) *)
      EXCEPT ELSE
      END;
    END;
    RETURN 2;
  END Caught;
BEGIN
  CASE color OF | Color.Red => small := 10; END;
  (* expect-warning above: CASE has no ELSE, and no label for Color.Green, Color.Blue; add these labels, or ELSE (14.13) *)
  (* expect-warning above: the value 10 is not in [0..9]: a run-time error (8.2) *)
  CASE color OF | Color.Red .. Color.Blue => small := 1; END;
  TYPECASE r OF | ROOT => small := 1; | MUTEX => small := 2; ELSE END;
  (* expect-warning above: never selected: ROOT comes first (14.14) *)
  IF t = "text" THEN IO.Put(t) END;
  (* expect-warning above: = compares the references, not the texts; write Text.Equal(t, "text"), with IMPORT Text (19.5) *)
  Old.P();
  (* expect-warning above: P is obsolete (26) *)
  a[3] := 'a';
  (* expect-warning above: the subscript is not in [0..2]: a run-time error (15.4) *)
  RaisesToo();
  (* expect-warning above: any exception may be raised here and is neither handled nor in the raises set; handle it with TRY ... EXCEPT (13.3) *)
  small := MayEnd(1) + Ends(2) + Caught();
  Raises(); Quiet(); Handles(); Copies(a, a); Outer();
  LOOP small := 1 END;
  small := 2;
  (* expect-warning above: this statement is never reached *)
  a[3] := 'b'; <*NOWARN*>
END Main.
(* unit: Old.i3 *)
INTERFACE Old;
<*OBSOLETE*> PROCEDURE P();
CONST Unused = 1;
END Old.
(* unit: Old.m3 *)
MODULE Old;
PROCEDURE P() = BEGIN END P;
BEGIN
END Old.
