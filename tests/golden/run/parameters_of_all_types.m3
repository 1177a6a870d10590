(* golden: run, -w *)
(* Many parameters, of every type, through procedures, methods, values and closures. *)
MODULE Main;

IMPORT IO, Fmt;

TYPE
  Set = SET OF [0..9];
  Large = SET OF CHAR;
  Pair = RECORD a: [0..255]; b: REAL END;
  Matrix = ARRAY [0..1], [0..1] OF INTEGER;
  Object = OBJECT
    n := 1;
  METHODS
    all(c: CHAR; b: BOOLEAN; s: [-5..5]; r: REAL; d: LONGREAL; l: LONGINT; t: TEXT; set: Set; large: Large; p: Pair;
        m: Matrix; READONLY o: ARRAY OF INTEGER; VAR v: INTEGER; READONLY q: INTEGER): TEXT := All;
    matrix(x: INTEGER): Matrix := Identity;
    large(c: CHAR): Large := OneChar;
  END;
  Procedure = PROCEDURE (self: Object; c: CHAR; b: BOOLEAN; s: [-5..5]; r: REAL; d: LONGREAL; l: LONGINT; t: TEXT; set: Set;
                         large: Large; p: Pair; m: Matrix; READONLY o: ARRAY OF INTEGER; VAR v: INTEGER; READONLY q: INTEGER): TEXT;

PROCEDURE All(self: Object; c: CHAR; b: BOOLEAN; s: [-5..5]; r: REAL; d: LONGREAL; l: LONGINT; t: TEXT; set: Set; large: Large;
              p: Pair; m: Matrix; READONLY o: ARRAY OF INTEGER; VAR v: INTEGER; READONLY q: INTEGER): TEXT =
  BEGIN
    INC(v, self.n);
    p.a := p.a + 1;
    m[1, 1] := m[1, 1] + p.a;
    large := large + Large{c};
    RETURN Fmt.Char(c) & Fmt.Bool(b) & Fmt.Int(s) & Fmt.Real(r) & Fmt.LongReal(d) & Fmt.Int(VAL(l, INTEGER)) & t & Fmt.Bool(3 IN set)
             & Fmt.Bool('x' IN large) & Fmt.Int(m[1, 1]) & Fmt.Real(p.b) & Fmt.Int(o[LAST(o)]) & Fmt.Int(v) & Fmt.Int(q);
  END All;

PROCEDURE Identity(self: Object; x: INTEGER): Matrix =
  VAR m: Matrix;
  BEGIN
    FOR i := 0 TO 1 DO FOR j := 0 TO 1 DO m[i, j] := ORD(i = j) * x * self.n END END;
    RETURN m;
  END Identity;

PROCEDURE OneChar(<*UNUSED*> self: Object; c: CHAR): Large =
  BEGIN
    RETURN Large{c};
  END OneChar;

PROCEDURE Call(p: Procedure; self: Object; VAR v: INTEGER): TEXT =
  BEGIN
    RETURN p(self, 'y', FALSE, 5, -2.5, 1.0d100, 99999999999L, "value", Set{}, Large{'x'}, Pair{254, 0.5}, self.matrix(4), ARRAY OF INTEGER{v}, v, 7);
  END Call;

PROCEDURE Nested(o: Object): TEXT =
  VAR calls := 0;  v := 10;
  PROCEDURE Local(self: Object; c: CHAR; b: BOOLEAN; s: [-5..5]; r: REAL; d: LONGREAL; l: LONGINT; t: TEXT; set: Set;
                  large: Large; p: Pair; m: Matrix; READONLY o: ARRAY OF INTEGER; VAR v: INTEGER; READONLY q: INTEGER): TEXT =
    BEGIN
      INC(calls);
      RETURN Fmt.Int(calls) & All(self, c, b, s, r, d, l, t, set, large, p, m, o, v, q);
    END Local;
  BEGIN
    RETURN Call(Local, o, v) & " " & Call(Local, o, v) & " " & Fmt.Int(calls);
  END Nested;

VAR o := NEW(Object, n := 3);  v := 100;  big := 50;

BEGIN
  IO.Put(o.all('x', TRUE, -5, 1.5, 2.5d0, 4L, "text", Set{3}, Large{}, Pair{1, 9.0}, Matrix{ARRAY [0..1] OF INTEGER{1, 2}, ..},
               ARRAY [5..6] OF INTEGER{8, 9}, v, big) & "\n");
  IO.PutInt(v); IO.Put("\n");
  IO.Put(Call(All, o, v) & "\n" & Call(Object.all, o, v) & "\n" & Nested(o) & "\n");
  IO.PutInt(o.matrix(2)[1, 1]); IO.Put(Fmt.Bool('q' IN o.large('q')) & "\n");
END Main.
(* expect: xTRUE-51.52.54textTRUETRUE49910350 *)
(* expect: 103 *)
(* expect: yFALSE5-2.51e10099999999999valueFALSETRUE2670.51031067 *)
(* expect: yFALSE5-2.51e10099999999999valueFALSETRUE2670.51061097 *)
(* expect: 1yFALSE5-2.51e10099999999999valueFALSETRUE2670.510137 2yFALSE5-2.51e10099999999999valueFALSETRUE2670.513167 2 *)
(* expect: 6TRUE *)
