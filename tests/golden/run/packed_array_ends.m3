(* golden: run *)
(* Elements of packed arrays, including the last one, and the memory behind the array
   (language.md 5.6). *)
MODULE Main;
IMPORT IO, Thread, Fmt;
TYPE
  B3 = BITS 3 FOR [0..7];
  B5 = BITS 5 FOR [-16..15];
  B7 = BITS 7 FOR [0..127];
  R = RECORD a: ARRAY [0..7] OF B3; x: [0..255]; b: ARRAY [0..2] OF B5; y: [0..255];
             c: ARRAY [0..0] OF B7; z: [0..255]; d: ARRAY [1..8] OF B7; w: [0..255] END;
VAR
  r: R; open := NEW(REF ARRAY OF B3, 64); sum := 0;

(* Writes the last elements over and over, while another thread counts in the memory behind them. *)
PROCEDURE Writer(<*UNUSED*> c: Thread.Closure): REFANY =
  BEGIN
    FOR i := 1 TO 300000 DO r.a[7] := i MOD 8; r.b[2] := i MOD 16; r.c[0] := i MOD 128; r.d[8] := i MOD 128 END;
    RETURN NIL
  END Writer;

VAR t: Thread.T; lost := FALSE; count := 0;
BEGIN
  FOR i := 0 TO 7 DO r.a[i] := 7 - i; r.d[i + 1] := i * 17 END;
  FOR i := 0 TO 2 DO r.b[i] := -i * 7 END;
  r.c[0] := 99; r.x := 1; r.y := 2; r.z := 3; r.w := 4;
  FOR i := 0 TO 7 DO IO.Put(Fmt.Int(r.a[i]) & " " & Fmt.Int(r.d[i + 1]) & " ") END;
  FOR i := 0 TO 2 DO IO.Put(Fmt.Int(r.b[i]) & " ") END;
  IO.Put(Fmt.Int(r.c[0]) & " " & Fmt.Int(r.x + r.y + r.z + r.w) & "\n");
  (* expect: 7 0 6 17 5 34 4 51 3 68 2 85 1 102 0 119 0 -7 -14 99 10 *)
  FOR i := FIRST(open^) TO LAST(open^) DO open[i] := i MOD 8 END;
  FOR i := FIRST(open^) TO LAST(open^) DO INC(sum, open[i] * i) END;
  IO.PutInt(sum); IO.Put("\n");
  (* expect: 7392 *)
  t := Thread.Fork(NEW(Thread.Closure, apply := Writer));
  FOR i := 1 TO 300000 DO
    count := (count + 1) MOD 256;
    r.x := count; r.y := count; r.z := count; r.w := count;
    IF r.x # count OR r.y # count OR r.z # count OR r.w # count THEN lost := TRUE END;
  END;
  EVAL Thread.Join(t);
  IO.Put(Fmt.Bool(lost) & "\n");
  (* expect: FALSE *)
END Main.
