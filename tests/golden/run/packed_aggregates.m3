(* golden: run *)
(* Arrays and records of packed components alone begin at any bit, also those of 8, 16, 32 bits (5.6);
   and INC by a constant that wraps around is an error (14.15). *)
MODULE Main;

IMPORT Fmt, IO, RuntimeError;

TYPE
  Nibbles = ARRAY [0..1] OF BITS 4 FOR [0..15];
  Pair = RECORD a, b: BITS 4 FOR [0..15] END;
  Mixed = RECORD x: BITS 3 FOR [0..7];  y: BITS 8 FOR Nibbles END;
  Three = RECORD x: BITS 3 FOR [0..7];  y: BITS 8 FOR Pair;  z: BITS 5 FOR [0..31] END;
  Outer = RECORD m: BITS 11 FOR Mixed;  t: BITS 16 FOR Three;  rest: BITS 5 FOR [0..31] END;

VAR
  all: ARRAY [0..2] OF Outer;
  high: [-5..LAST(INTEGER)] := LAST(INTEGER);
  low: [FIRST(INTEGER)..5] := FIRST(INTEGER);
BEGIN
  FOR i := 0 TO LAST(all) DO
    WITH o = all[i] DO
      o.m.x := 5 + i;
      o.m.y := Nibbles {9, 6 + i};
      o.t := Three {7 - i, Pair {3, 12 + i}, 17 + i};
      o.rest := 30 - i;
    END;
  END;
  FOR i := 0 TO LAST(all) DO
    WITH o = all[i] DO
      IO.Put(Fmt.Int(o.m.x) & " " & Fmt.Int(o.m.y[0]) & " " & Fmt.Int(o.m.y[1]) & " " & Fmt.Int(o.t.x)
             & " " & Fmt.Int(o.t.y.a) & " " & Fmt.Int(o.t.y.b) & " " & Fmt.Int(o.t.z) & " "
             & Fmt.Int(o.rest) & "\n");
    END;
  END;
  (* expect: 5 9 6 7 3 12 17 30 *)
  (* expect: 6 9 7 6 3 13 18 29 *)
  (* expect: 7 9 8 5 3 14 19 28 *)
  IO.Put(Fmt.Int(BITSIZE(Outer)) & " " & Fmt.Int(BITSIZE(Mixed)) & "\n");
  (* expect: 32 16 *)
  TRY INC(high, LAST(INTEGER)); IO.Put("wrong\n") EXCEPT RuntimeError.E => IO.Put("error\n") END;
  TRY DEC(low, LAST(INTEGER)); IO.Put("wrong\n") EXCEPT RuntimeError.E => IO.Put("error\n") END;
  (* expect: error *)
  (* expect: error *)
END Main.
