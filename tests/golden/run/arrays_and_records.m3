(* golden: run, -w *)
(* Assignment by value, overlap, equality, constructors, WITH. *)
MODULE Main;

IMPORT IO;

TYPE
  Pair = RECORD a, b: INTEGER END;
  Mixed = RECORD c: CHAR; n: INTEGER; r: REAL; p: REF INTEGER END;
  Defaults = RECORD small: [3..5]; n := 7; t := "text"; inner: Inner END;
  Inner = RECORD x: [1..2]; flags := ARRAY [0..2] OF BOOLEAN{TRUE, ..} END;
  Vector = ARRAY [0..4] OF INTEGER;

PROCEDURE Int(n: INTEGER) =
  BEGIN
    IO.PutInt(n);
    IO.Put(" ");
  END Int;

PROCEDURE Line() =
  BEGIN
    IO.Put(".\n");
  END Line;

PROCEDURE Bool(b: BOOLEAN) =
  BEGIN
    IF b THEN IO.Put("T ") ELSE IO.Put("F ") END;
  END Bool;

PROCEDURE Show(READONLY v: ARRAY OF INTEGER) =
  BEGIN
    FOR i := 0 TO LAST(v) DO Int(v[i]) END;
  END Show;

CONST
  Primes = ARRAY OF INTEGER{2, 3, 5, 7, 11};
  Names = ARRAY BOOLEAN OF TEXT{"no", "yes"};

VAR
  p, q: Pair;  m1, m2: Mixed;  d: Defaults;
  v := Vector{1, 2, 3, 4, 5};  w: Vector;
  big: ARRAY [1..3] OF Pair;
  letters: ARRAY ['a'..'c'] OF INTEGER;
  negative: ARRAY [-2..2] OF CHAR;
  heap := NEW(REF ARRAY OF Defaults, 3);
  grid := NEW(REF ARRAY OF ARRAY OF INTEGER, 3, 4);
  wide: ARRAY [0..99] OF Defaults;

BEGIN
  p := Pair{1, 2}; q := p; q.b := 5; Int(p.b); p := Pair{p.b, p.a}; Int(p.a); Int(p.b); Bool(p = Pair{2, 1}); Bool(p = q); Line();
  m1 := Mixed{'x', 3, 0.0, NIL}; m2 := Mixed{p := NIL, r := -0.0, n := 3, c := 'x'}; Bool(m1 = m2); m2.c := 'y'; Bool(m1 # m2); Line();
  Int(d.small); Int(d.n); Int(d.inner.x); Bool(d.inner.flags[2]); IO.Put(d.t); Line();
  SUBARRAY(v, 1, 4) := SUBARRAY(v, 0, 4); Show(v); v := Vector{5, 4, 3, 2, 1}; SUBARRAY(v, 0, 4) := SUBARRAY(v, 1, 4); Show(v); Line();
  w := v; w[0] := 9; Bool(v = w); w := v; Bool(v = w); Bool(SUBARRAY(v, 0, 2) = SUBARRAY(v, 0, 3)); Line();
  FOR i := 1 TO 3 DO WITH e = big[i] DO e.a := i; e.b := i * i END END;
  WITH e = big[2], f = e.b, s = f + 1 DO INC(f); Int(s); Int(e.b); Bool(big[2] = Pair{2, 5}) END; Line();
  FOR c := 'a' TO 'c' DO letters[c] := ORD(c) END; Show(letters); Int(FIRST(negative)); negative[-2] := 'q'; negative[2] := negative[-2]; Bool(negative[2] = 'q'); Line();
  Show(Primes); Int(NUMBER(Primes)); IO.Put(Names[p = q] & Names[v = w]); FOR i := 0 TO 4 DO w[i] := Primes[i] END; Bool(w = Primes); Line();
  Int(heap[2].small); Int(heap[1].inner.x); IO.Put(heap[0].t & wide[99].t); Int(wide[50].n); heap[1] := wide[3]; Line();
  FOR i := 0 TO 2 DO FOR j := 0 TO 3 DO grid[i, j] := i * 10 + j END END; Show(grid[2]); WITH row = grid[1] DO Int(row[3]); Int(NUMBER(row)) END;
  grid[0] := grid[2]; Int(grid[0, 3]); SUBARRAY(grid^, 1, 2) := SUBARRAY(grid^, 0, 2); Int(grid[1, 3]); Int(grid[2, 0]); Line();
  WITH s = SUBARRAY(grid^, 1, 2), t = SUBARRAY(s[1], 2, 2) DO t[0] := 99; Int(NUMBER(s)); Int(NUMBER(t)); Int(grid[2, 2]) END; Line();
  FOR i := 0 TO 2 DO w[i] := 0 END;
  WITH i = w[0] DO w[i] := 3; w[i] := 8 END; Show(w); Line();
END Main.
(* expect: 2 2 1 T F . *)
(* expect: T T . *)
(* expect: 3 7 1 T text. *)
(* expect: 1 1 2 3 4 4 3 2 1 1 . *)
(* expect: F T F . *)
(* expect: 5 5 T . *)
(* expect: 97 98 99 -2 T . *)
(* expect: 2 3 5 7 11 5 noyesT . *)
(* expect: 3 1 texttext7 . *)
(* expect: 20 21 22 23 13 4 23 23 10 . *)
(* expect: 2 2 99 . *)
(* expect: 3 0 0 8 11 . *)
