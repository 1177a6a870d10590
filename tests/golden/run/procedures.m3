(* golden: run, -w *)
(* Parameter modes, nested procedures, procedure values. *)
MODULE Main;

IMPORT IO;

TYPE
  Pair = RECORD a, b: INTEGER END;
  Function = PROCEDURE (n: INTEGER): INTEGER;
  Vector = ARRAY [1..3] OF INTEGER;

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

PROCEDURE Swap(VAR a, b: INTEGER) =
  VAR t := a;
  BEGIN
    a := b;
    b := t;
  END Swap;

PROCEDURE ByValue(p: Pair): INTEGER =
  BEGIN
    p.a := p.a + 100;
    RETURN p.a + p.b;
  END ByValue;

PROCEDURE ByRef(VAR p: Pair) =
  BEGIN
    p := Pair{p.b, p.a};
  END ByRef;

PROCEDURE Make(a, b: INTEGER): Pair =
  BEGIN
    RETURN Pair{a, b};
  END Make;

PROCEDURE Sum(READONLY v: ARRAY OF INTEGER): INTEGER =
  VAR s := 0;
  BEGIN
    FOR i := FIRST(v) TO LAST(v) DO INC(s, v[i]) END;
    RETURN s;
  END Sum;

PROCEDURE Clear(v: ARRAY OF INTEGER): INTEGER =
  BEGIN
    FOR i := 0 TO LAST(v) DO v[i] := v[i] * 2 END;
    RETURN Sum(v);
  END Clear;

PROCEDURE Fill(VAR v: ARRAY OF INTEGER; value: INTEGER) =
  BEGIN
    FOR i := 0 TO LAST(v) DO v[i] := value + i END;
  END Fill;

PROCEDURE Fixed(READONLY v: Vector): INTEGER =
  BEGIN
    RETURN v[1] * 100 + v[2] * 10 + v[3];
  END Fixed;

PROCEDURE Apply(f: Function; n: INTEGER): INTEGER =
  BEGIN
    RETURN f(n);
  END Apply;

PROCEDURE Double(n: INTEGER): INTEGER =
  BEGIN
    RETURN 2 * n;
  END Double;

(* Each level has variables of its own; the innermost uses all of them. *)
PROCEDURE Outer(base: INTEGER): INTEGER =
  VAR count := 0;
  PROCEDURE Middle(step: INTEGER): INTEGER =
    VAR local := 1;
    PROCEDURE Inner(n: INTEGER): INTEGER =
      BEGIN
        INC(count);
        INC(local, step);
        IF n = 0 THEN RETURN base + local END;
        RETURN Inner(n - 1);
      END Inner;
    BEGIN
      RETURN Apply(Inner, 3) + local;
    END Middle;
  BEGIN
    RETURN Middle(10) * 10 + count;
  END Outer;

PROCEDURE Closures() =
  VAR total := 0;
  PROCEDURE Add(n: INTEGER): INTEGER =
    BEGIN
      INC(total, n);
      RETURN total;
    END Add;
  PROCEDURE Same(f, g: Function) =
    BEGIN
      Bool(f = g);
      Bool(f # Add);
    END Same;
  BEGIN
    Int(Apply(Add, 5));
    Int(Apply(Add, 6));
    Int(total);
    Same(Add, Add);
    Same(Double, Add);
    Same(Double, Double);
  END Closures;

PROCEDURE Defaults(a: INTEGER; b := 2; c: INTEGER := 3) =
  BEGIN
    Int(a * 100 + b * 10 + c);
  END Defaults;

PROCEDURE Fibonacci(n: INTEGER): INTEGER =
  BEGIN
    IF n < 2 THEN RETURN n ELSE RETURN Fibonacci(n - 1) + Fibonacci(n - 2) END;
  END Fibonacci;

PROCEDURE Matrix(READONLY m: ARRAY OF ARRAY OF INTEGER): INTEGER =
  VAR s := 0;
  BEGIN
    FOR i := 0 TO LAST(m) DO
      FOR j := 0 TO LAST(m[i]) DO s := s * 10 + m[i, j] END;
    END;
    RETURN s;
  END Matrix;

VAR
  x := 1;  y := 2;  p := Pair{3, 4};  f: Function;
  v := Vector{1, 2, 3};
  small: [0..9] := 5;
  m := ARRAY [0..1], [0..2] OF INTEGER{ARRAY [0..2] OF INTEGER{1, 2, 3}, ARRAY [0..2] OF INTEGER{4, 5, 6}};
  dynamic := NEW(REF ARRAY OF ARRAY OF INTEGER, 2, 2);

PROCEDURE ReadOnly(READONLY n: INTEGER) =
  BEGIN
    x := 77; small := 7;
    Int(n);
  END ReadOnly;

BEGIN
  Swap(x, y); Int(x); Int(y); Line();
  Int(ByValue(p)); Int(p.a); ByRef(p); Int(p.a); Int(p.b); Int(Make(8, 9).b); p := Make(p.b, p.a); Int(p.a); Line();
  Int(Sum(v)); Int(Sum(ARRAY OF INTEGER{4, 5})); Int(Sum(SUBARRAY(v, 1, 2))); Int(Sum(SUBARRAY(v, 3, 0))); Line();
  Int(Clear(v)); Int(v[1]); Fill(v, 7); Int(Fixed(v)); Fill(SUBARRAY(v, 1, 2), 1); Int(Fixed(v)); Line();
  f := Double; Int(f(4)); Int(Apply(f, 5)); Bool(f = Double); f := NIL; Bool(f = NIL); Line();
  Int(Outer(1000)); Line();
  Closures(); Line();
  Defaults(1); Defaults(1, c := 5); Defaults(b := 7, a := 6); Line();
  Int(Fibonacci(20)); Line();
  Int(Matrix(m)); dynamic[0, 0] := 9; dynamic[1][1] := 8; Int(Matrix(dynamic^)); Int(Matrix(SUBARRAY(m, 1, 1))); Line();
  x := 1; ReadOnly(x); ReadOnly(small); Int(small); Line();
END Main.
(* expect: 2 1 . *)
(* expect: 107 3 4 3 9 3 . *)
(* expect: 6 9 5 0 . *)
(* expect: 12 1 789 712 . *)
(* expect: 8 10 T T . *)
(* expect: 10824 . *)
(* expect: 5 11 11 T F F T T T . *)
(* expect: 123 125 673 . *)
(* expect: 6765 . *)
(* expect: 123456 9008 456 . *)
(* expect: 77 7 7 . *)
