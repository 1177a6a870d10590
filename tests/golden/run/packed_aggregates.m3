(* golden: run *)
(* Arrays and records of packed components that are packed components themselves, at any bit
   (language.md 5.6). *)
MODULE Main;
IMPORT IO, Fmt;
TYPE
  B3 = BITS 3 FOR [0..7];
  Four = ARRAY [0..3] OF B3;
  Four12 = BITS 12 FOR Four;
  Pair = RECORD a: BITS 5 FOR [-16..15]; b: BITS 2 FOR [1..3] := 2 END;
  Pair7 = BITS 7 FOR Pair;
  Bools = BITS 9 FOR ARRAY BOOLEAN OF BITS 4 FOR SET OF [1..4];
  Big = RECORD x: BITS 1 FOR BOOLEAN; f: Four12; p: Pair7; g: Four12; s: Bools; y: BITS 3 FOR [0..7];
               far: BITS 60 FOR ARRAY [0..4] OF Four12 END;
  Table = ARRAY [0..6] OF Four12;
  Pairs = ARRAY [1..5] OF Pair7;
  Obj = OBJECT k: BITS 3 FOR [0..7] := 5; f := Four{1, 2, 3, 4}; q: Four12 := Four{4, 3, 2, 1};
               p: Pair7 METHODS sum (): INTEGER := Sum END;

  Byte4 = BITS 8 FOR ARRAY [0..3] OF BITS 2 FOR [0..3];
  Shifted = RECORD pad: B3; h: BITS 19 FOR ARRAY [1..2] OF Byte4; end: BITS 5 FOR [0..31] END;

PROCEDURE Sum (o: Obj): INTEGER =
  VAR n := o.k; t := 0;
  BEGIN
    FOR i := 0 TO 3 DO INC(t, o.q[i] * (i + 1)) END;
    RETURN t + n + o.p.a + o.p.b;
  END Sum;

PROCEDURE Show (READONLY f: Four) =
  BEGIN
    FOR i := 0 TO 3 DO IO.PutInt(f[i]) END; IO.Put(" ");
  END Show;

PROCEDURE ShowOpen (READONLY f: ARRAY OF B3) =
  BEGIN
    FOR i := LAST(f) TO 0 BY -1 DO IO.PutInt(f[i]) END; IO.Put(" ");
  END ShowOpen;

PROCEDURE Reversed (f: Four): Four =
  VAR r: Four;
  BEGIN
    FOR i := 0 TO 3 DO r[i] := f[3 - i] END;
    f := r;
    RETURN f;
  END Reversed;

PROCEDURE ShowPair (READONLY p: Pair) =
  BEGIN IO.Put(Fmt.Int(p.a) & "/" & Fmt.Int(p.b) & " ") END ShowPair;

PROCEDURE Line () = BEGIN IO.Put(".\n") END Line;

PROCEDURE Fill (READONLY bits: ARRAY OF INTEGER) =
  BEGIN
    FOR i := 0 TO LAST(bits) DO IO.Put(Fmt.Int(bits[i]) & " ") END; Line();
  END Fill;

VAR
  b, c: Big; t: Table; ps: Pairs; o := NEW(Obj); r := NEW(REF ARRAY OF Four12, 9);
  whole: Four12; m := NEW(REF ARRAY OF ARRAY OF Pair7, 2, 3);
EXCEPTION E (Four);
CONST K = Big{TRUE, Four{7, 0, 7, 0}, Pair{-16, 3}, Four{1, 2, 3, 4}, ARRAY BOOLEAN OF BITS 4 FOR SET OF [1..4]{SET OF [1..4]{1}, SET OF [1..4]{2, 4}}, 6,
             ARRAY [0..4] OF Four12{Four{5, ..}, ..}};
BEGIN
  Fill(ARRAY OF INTEGER{BITSIZE(Four12), BITSIZE(Pair7), BITSIZE(Big), BITSIZE(Table), BITSIZE(Pairs)});
  (* expect: 12 7 128 128 64 . *)

  b.x := TRUE; b.y := 5;
  FOR i := 0 TO 3 DO b.f[i] := i + 1; b.g[i] := 7 - i END;
  b.p := Pair{-3, 1}; b.s[FALSE] := SET OF [1..4]{2, 3}; b.s[TRUE] := SET OF [1..4]{4};
  Show(b.f); Show(b.g); ShowPair(b.p); ShowOpen(b.f); IO.PutInt(ORD(b.x) + b.y); Line();
  (* expect: 1234 7654 -3/1 4321 6. *)
  b.f := Reversed(b.g); Show(b.f); Show(b.g); b.p.a := 15; ShowPair(b.p);
  IO.PutInt(ORD(2 IN b.s[FALSE]) + 2 * ORD(4 IN b.s[TRUE]) + 4 * ORD(4 IN b.s[FALSE])); Line();
  (* expect: 4567 7654 15/1 3. *)
  c := b; c.y := 5;
  IF c = b AND c.f = b.f AND c.f # b.g AND b.s = c.s THEN IO.Put("same ") END;
  DEC(c.f[3], 2); INC(c.f[3]); IF c # b AND c.f # b.f THEN IO.Put("differ ") END; Show(c.f); Line();
  (* expect: same differ 4566 . *)

  FOR i := 0 TO 6 DO FOR j := 0 TO 3 DO t[i][j] := (i * 3 + j) MOD 8 END END;
  t[2] := t[5]; t[3] := Four{0, ..}; t[4] := Reversed(t[6]);
  FOR i := 0 TO 6 DO Show(t[i]) END; Line();
  (* expect: 0123 3456 7012 0000 5432 7012 2345 . *)
  WITH w = t[1], v = w[2], z = b.far[3], q = b.p DO
    w[0] := 0; v := 1; z := w; z[3] := 7; Show(w); Show(z); Show(t[1]); Show(b.far[3]);
    q.b := 3; q := Pair{q.b, 2}; ShowPair(b.p); IO.PutInt(NUMBER(z) + LAST(w));
    w := Reversed(w); ShowOpen(w); Show(t[1]); Show(t[0]); Show(t[2]);
  END;
  Line();
  (* expect: 0416 0417 0416 0417 3/2 70416 6140 0123 7012 . *)
  FOR i := 1 TO 5 DO ShowPair(ps[i]); ps[i].a := i - 3; ps[i].b := i MOD 3 + 1 END;
  FOR i := 1 TO 5 DO ShowPair(ps[i]) END; Line();
  (* expect: 0/2 0/2 0/2 0/2 0/2 -2/2 -1/3 0/1 1/2 2/3 . *)

  IO.PutInt(o.sum()); IO.Put(" "); o.p := Pair{3, 3}; IO.PutInt(o.sum()); Show(o.q); Show(o.f);
  o := NEW(Obj, q := Four{7, ..}, p := Pair{a := 1}, k := 0); IO.PutInt(o.sum()); Line();
  (* expect: 27 314321 1234 73. *)
  FOR i := 0 TO LAST(r^) DO r[i] := Four{i MOD 8, 0, 1, i DIV 2} END;
  r[3] := r[8]; FOR i := 0 TO LAST(r^) DO Show(r[i]) END; Line();
  (* expect: 0010 1010 2011 0014 4012 5012 6013 7013 0014 . *)
  m[1, 1] := Pair{-1, 3}; FOR i := 0 TO 1 DO FOR j := 0 TO 2 DO ShowPair(m[i, j]) END END; Line();
  (* expect: 0/2 0/2 0/2 0/2 -1/3 0/2 . *)
  whole := r[8]; WITH w = whole DO INC(w[1]); Show(w) END; Show(whole); whole := b.g; Show(whole); Line();
  (* expect: 0114 0114 7654 . *)
  b := K; Show(b.f); ShowPair(b.p); Show(b.g); Show(b.far[4]); IO.PutInt(b.y);
  IF b = K AND b.s[TRUE] = SET OF [1..4]{2, 4} THEN IO.Put(" K") END; Line();
  (* expect: 7070 -16/3 1234 5555 6 K. *)
  TRY WITH w = b.g DO w[2] := 0; RAISE E(w) END EXCEPT E (e) => Show(e) END; Show(b.g); Line();
  (* expect: 1204 1204 . *)
  (* A component of whole bytes at a bit. *)
  VAR s: Shifted;
  BEGIN
    s.pad := 5; s.end := 21;
    WITH w = s.h[2], v = s.h[1] DO w[1] := 3; v[3] := 2; w[3] := v[3]; v := w; v[0] := 1 END;
    FOR i := 1 TO 2 DO FOR j := 0 TO 3 DO IO.PutInt(s.h[i][j]) END END;
    IO.Put(" " & Fmt.Int(s.pad) & " " & Fmt.Int(s.end)); Line();
  END;
  (* expect: 13020302 5 21. *)
END Main.
