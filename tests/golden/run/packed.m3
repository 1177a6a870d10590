(* golden: run, -w *)
(* BITS n FOR T in records, objects and arrays. *)
MODULE Main;

IMPORT IO;

TYPE
  Three = BITS 3 FOR [0..7];
  Signed = BITS 5 FOR [-16..15];
  Flags = RECORD
    a: Three; b: BITS 1 FOR BOOLEAN; c: Signed; d: BITS 20 FOR [0..16_FFFFF]; e: INTEGER; f: BITS 7 FOR [1..100];
  END;
  Holder = OBJECT x: Three := 5; flags: Flags; y: Signed := -3 END;
  Nibbles = ARRAY [0..9] OF BITS 4 FOR [0..15];
  Odd = ARRAY [0..20] OF BITS 5 FOR [-16..15];

PROCEDURE Int(n: INTEGER) =
  BEGIN
    IO.PutInt(n);
    IO.Put(" ");
  END Int;

PROCEDURE Line() =
  BEGIN
    IO.Put(".\n");
  END Line;

VAR f, g: Flags;  h := NEW(Holder);  n: Nibbles;  o: Odd;  r := NEW(REF Odd);  s := 0;

BEGIN
  Int(f.f); f.a := 7; f.b := TRUE; f.c := -16; f.d := 16_ABCDE; f.e := -1; f.f := 100;
  Int(f.a); Int(ORD(f.b)); Int(f.c); Int(f.d); Int(f.e); Int(f.f); Line();
  f.a := 2; f.b := FALSE; Int(f.a); Int(ORD(f.b)); Int(f.c); g := f; IF f = g THEN Int(1) END; g.c := 3; IF f # g THEN Int(g.c) END; Line();
  Int(h.x); Int(h.y); h.flags := f; h.x := 1; Int(h.flags.c); Int(h.flags.d); Int(h.x); Int(h.y); Line();
  FOR i := 0 TO 9 DO n[i] := i + 3 END; FOR i := 0 TO 9 DO Int(n[i]) END; Line();
  FOR i := 0 TO 20 DO o[i] := i - 10; r[i] := -o[i] END; FOR i := 0 TO 20 DO INC(s, o[i] * (i + 1)); INC(s, r[i]) END; Int(s); Line();
  INC(f.a); Int(f.a); DEC(o[0], 2); Int(o[0]); WITH x = n[2] DO INC(x); Int(n[2]) END; Line();
  f := Flags{1, TRUE, -1, 5, 6, 7}; Int(f.a + f.c + f.d + f.e + f.f); Line();
END Main.
(* expect: 1 7 1 -16 703710 -1 100 . *)
(* expect: 2 0 -16 1 3 . *)
(* expect: 5 -3 -16 703710 1 -3 . *)
(* expect: 3 4 5 6 7 8 9 10 11 12 . *)
(* expect: 770 . *)
(* expect: 3 -12 6 . *)
(* expect: 18 . *)
