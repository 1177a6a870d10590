(* golden: check *)
MODULE Main;
IMPORT Thread, Long, Text AS Texts;
FROM Word IMPORT And, Size;

(* Declarations are visible before their text. *)
VAR before: T;
TYPE T = INTEGER;

(* Structural types. *)
TYPE A = {x, y}; B = {x, y};
     Color = {Red, Green, Blue};
     Primary = [Color.Red .. Color.Green];
     Pair = RECORD a, b: INTEGER := 1; c := 'c' END;
     Matrix = ARRAY [0..2], [0..3] OF REAL;
     Nested = ARRAY [0..2] OF ARRAY [0..3] OF REAL;
     Packed = RECORD a: BITS 3 FOR [0..7]; b: BITS 1 FOR BOOLEAN END;
     List = REF RECORD head: INTEGER; tail: List END;
     Visit = PROCEDURE (n: INTEGER; READONLY t: TEXT := "t") RAISES {Stop};
     Any = PROCEDURE () RAISES ANY;
     Bird = OBJECT name: TEXT METHODS cry(times := 1) := Cry; fly() := NIL END;
     Duck = Bird OBJECT wet := TRUE OVERRIDES cry := Quack END;
     Crow = Bird OBJECT METHODS cry() := Caw END;
     Transient = <*TRANSIENT*> REF INTEGER;
     Chain = ROOT OBJECT END OBJECT x: INTEGER END;
EXCEPTION Stop; Retry(PROCEDURE (n: INTEGER) RAISES {Retry}); Value(INTEGER);

CONST
  Depth = BITSIZE(REF SET OF [1..Depth]);
  Letters = ARRAY OF CHAR{'a', 'b', 'c'};
  Default = Pair{};
  Greeting = "Hello, " & "world";
  Minimum = FIRST(INTEGER);
  Mask = And(16_FF, 16_0F);
  Big = 10L;
  Procedure = Cry;

VAR
  a: A; b: B;
  matrix: Matrix; nested: Nested;
  w: REF SET OF [1..BYTESIZE(w)];
  k := 3; cardinal: CARDINAL; long: LONGINT := Big; wide: WIDECHAR := W'x'; text := W"wide";
  list: List; any: REFANY; transient: Transient; open: REF ARRAY OF ARRAY OF CHAR;
  bird: Bird; duck: Duck; crow: Crow; mutex := NEW(MUTEX); packed: Packed; pair := Pair{2, c := 'd'};
  primary: Primary; visit: Visit := Walk; anything: Any; set := SET OF CHAR{'a' .. 'f', 'z'}; chain: Chain;
  fixed: ARRAY [5..7] OF CHAR := Letters; long_real := 1.5d0; extended: EXTENDED := 1.0x0; real: REAL;
  p, q := NEW(REF INTEGER); untraced: UNTRACED REF INTEGER; address: ADDRESS;

PROCEDURE Cry(self: Bird; times: INTEGER) =
  BEGIN
    IF times > 0 THEN self.cry(times - 1) END;
  END Cry;

PROCEDURE Quack(d: Duck; times: INTEGER) =
  BEGIN
    Bird.cry(d, times);
  END Quack;

PROCEDURE Quack1(b: Bird; times: INTEGER) = BEGIN b.cry(times) END Quack1;

PROCEDURE Run(<*UNUSED*> c: Thread.Closure): REFANY = BEGIN RETURN NIL END Run;

PROCEDURE Caw(<*UNUSED*> self: ROOT) = BEGIN END Caw;

PROCEDURE Walk(n: INTEGER; READONLY t: TEXT) RAISES {Stop} =
  BEGIN
    IF n = Texts.Length(t) THEN RAISE Stop END;
  END Walk;

PROCEDURE Sum(READONLY x: ARRAY OF INTEGER): INTEGER =
  VAR sum := 0;
  BEGIN
    FOR i := FIRST(x) TO LAST(x) DO INC(sum, x[i]) END;
    RETURN sum;
  END Sum;

PROCEDURE Rows(VAR m: ARRAY OF ARRAY [0..3] OF REAL; READONLY n: ARRAY [0..2] OF CHAR) =
  BEGIN
    m[0, 0] := FLOAT(ORD(n[0]));
  END Rows;

PROCEDURE Apply(f: PROCEDURE (n: INTEGER): INTEGER; n: INTEGER): INTEGER =
  BEGIN
    RETURN f(n);
  END Apply;

PROCEDURE Outer(n: INTEGER): INTEGER =
  PROCEDURE Add(m: INTEGER): INTEGER = BEGIN RETURN n + m END Add;
  BEGIN
    (* A local procedure may be passed. *)
    RETURN Apply(Add, 1);
  END Outer;

PROCEDURE T_hides(T: T): T = BEGIN RETURN T END T_hides;

PROCEDURE Tail(l: List): List =
  BEGIN
    LOOP
      IF l = NIL THEN RETURN NIL ELSE l := l.tail END;
    END;
  END Tail;

BEGIN
  a := b;
  (* expect-warning above: b is read here, and nothing was assigned to it before; assign to b first (10.5) *)
  IF A.x = B.x AND NOT a = B.y THEN k := Depth + Size + Mask END;
  matrix := nested;
  before := Minimum;
  cardinal := k; k := cardinal; primary := Color.Red;
  WITH c = primary DO INC(c); IF c IN SET OF Color{Color.Red} THEN DEC(c) END END;
  long := long + VAL(k, LONGINT) * 2L + Long.Plus(1L, 2L);
  wide := 'c';
  IF wide = 'x' THEN wide := VAL(ORD('y'), WIDECHAR) END;
  list := NEW(List, head := 3, tail := NEW(List));
  list.tail.head := list^.head;
  any := list; any := transient; any := text; b := VAL(ORD(visit = NIL = FALSE AND (any = NIL) <= TRUE), B);
  TYPECASE any OF
  | NULL => k := 0;
  | List (l) => k := l.head;
  | TEXT, Bird => k := 1;
  ELSE k := 2;
  END;
  open := NEW(REF ARRAY OF ARRAY OF CHAR, 2, 3);
  open[0, 1] := 'x'; open^[1][2] := open[0][1];
  SUBARRAY(open[0], 0, 2) := SUBARRAY(open[1], 1, 2);
  bird := NEW(Duck, name := Greeting, cry := Quack1);
  bird := duck; duck := NARROW(bird, Duck); duck := bird; duck.wet := FALSE;
  (* expect-warning above: duck is NIL here: a run-time error; follow duck only where duck # NIL (15.4) *)
  crow := NEW(Crow); crow.cry(); NARROW(crow, Bird).cry(times := 2);
  IF ISTYPE(bird, Duck) AND TYPECODE(bird) = TYPECODE(Duck) THEN bird.fly() END;
  (* expect-warning above: bird is NIL here: a run-time error; follow bird only where bird # NIL (15.4) *)
  LOCK mutex DO k := 1 END;
  packed.a := 7; packed.b := NOT packed.b;
  pair := Pair{pair.b, pair.a};
  pair := Default;
  fixed := ARRAY OF CHAR{'x', 'y', 'z'};
  Rows(matrix, fixed); Rows(nested, open[0]);
  k := Sum(ARRAY OF INTEGER{1, 2, 3}) + Sum(ARRAY [1..2] OF INTEGER{1, ..}) + Outer(3) + T_hides(4);
  TRY
    visit(3);
    anything := NIL;
    anything();
    RAISE Value(3);
  EXCEPT
  | Stop => k := 0;
  | Value (v) => k := v;
  | Retry => k := 1;
  ELSE k := 2;
  END;
  TRY k := 1 FINALLY k := 2 END;
  CASE k OF | 0, 3 => k := 1; | 1 => k := 2; | 10 .. 20 => ELSE END;
  CASE Letters[k] OF 'a' .. 'c' => k := 1 ELSE k := 2 END;
  FOR c := 'a' TO 'z' DO set := set - SET OF CHAR{c} END;
  FOR i := 10 TO 0 BY -2 DO k := i END;
  FOR f := FALSE TO TRUE DO IF f THEN EXIT END END;
  FOR i := 0L TO 3L DO long := i END;
  WHILE k > 0 DO DEC(k) END;
  REPEAT INC(k, 2) UNTIL k >= 10;
  real := FLOAT(long_real, REAL) MOD 2.0 + FLOAT(long) * MAX(1.0, 2.0);
  extended := FLOAT(long_real, EXTENDED);
  k := ROUND(real) + FLOOR(long_real) + ABS(-3);
  long := TRUNC(extended, LONGINT);
  untraced := NEW(UNTRACED REF INTEGER); untraced^ := 3; address := untraced;
  p^ := q^;
  WITH s = SUBARRAY(fixed, 0, 2), n = NUMBER(s) DO s[n - 1] := 'q' END;
  <*ASSERT k >= 0*>
  <*ASSERT k >= 0 WITH "k is " & Greeting*>
  text := text & Greeting;
  VAR local := 1; BEGIN k := local END;
  chain := NEW(Chain, x := 3);
  EVAL Tail(list); EVAL w; EVAL NEW(Thread.Closure, apply := Run).apply(); EVAL Procedure = Cry;
END Main.
