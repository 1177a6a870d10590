(* golden: run, -w *)
(* Errors are found also where nothing uses the value (language.md 23). *)
MODULE Main;

IMPORT Fmt, IO, RuntimeError, Text;

TYPE
  E = {a, b, c};
  S = [1..3];
  O = OBJECT x: INTEGER METHODS m(): INTEGER := M END;
  P = O OBJECT y: INTEGER END;
  R = RECORD a: S; b: REF INTEGER END;
  A = ARRAY [0..3] OF INTEGER;

VAR
  zero := 0;
  ten := 10;
  minus := -1;
  nil: REF INTEGER;
  nilo: O;
  o := NEW(O);
  any: REFANY := NEW(REF CHAR);
  arr: A;
  oa := NEW(REF ARRAY OF INTEGER, 3);
  oaNil: REF ARRAY OF INTEGER;
  proc: PROCEDURE (): INTEGER;
  s: S := 2;
  nilText: TEXT;

PROCEDURE M(o: O): INTEGER = BEGIN RETURN o.x END M;
PROCEDURE Pure(n: INTEGER): INTEGER = BEGIN RETURN n * 2 END Pure;
PROCEDURE Sub(n: S): INTEGER = BEGIN RETURN 1 + 0 * n END Sub;
PROCEDURE PureNil(r: REF INTEGER): INTEGER = VAR t := r^; BEGIN RETURN 7 END PureNil;
PROCEDURE Arr(a: ARRAY OF INTEGER): INTEGER = BEGIN RETURN 1 END Arr;
PROCEDURE Fix(READONLY a: A): INTEGER = BEGIN RETURN 1 END Fix;
PROCEDURE Ret(n: INTEGER): S = BEGIN RETURN n END Ret;
PROCEDURE Try(k: INTEGER): TEXT =
  VAR x: INTEGER;
  BEGIN
    TRY
      CASE k OF
      | 0 => EVAL 1 DIV zero
      | 1 => EVAL ten MOD zero
      | 2 => EVAL VAL(ten, E)
      | 3 => EVAL arr[ten]
      | 4 => EVAL oa[ten]
      | 5 => EVAL oaNil[0]
      | 6 => EVAL nil^
      | 7 => EVAL nilo.x
      | 8 => EVAL nilo.m()
      | 9 => EVAL NARROW(o, P)
      | 10 => EVAL NARROW(any, REF INTEGER)
      | 11 => EVAL proc()
      | 12 => EVAL Sub(ten)
      | 13 => EVAL Pure(PureNil(nil))
      | 14 => EVAL Arr(oaNil^)
      | 15 => EVAL Fix(oa^)
      | 16 => EVAL Ret(ten)
      | 17 => EVAL SUBARRAY(arr, 2, ten)[0]
      | 18 => EVAL NUMBER(SUBARRAY(arr, minus, 1))
      | 19 => EVAL R{a := ten, b := NIL}
      | 20 => EVAL A{1, ten DIV zero, ..}
      | 21 => EVAL SET OF S{ten}
      | 22 => EVAL SET OF S{1 .. ten}
      | 23 => WITH q = nil^ DO END
      | 24 => WITH q = arr[ten] DO END
      | 25 => x := nil^
      | 26 => x := ten DIV zero
      | 27 => VAR t: S := ten; BEGIN END
      | 28 => EVAL NEW(REF ARRAY OF CHAR, minus)
      | 29 => EVAL nilText & "x"
      | 30 => EVAL Text.Length(nilText)
      | 31 => FOR i := ten DIV zero TO 3 DO END
      | 32 => IF nil^ = 3 THEN END
      | 33 => CASE ten OF 1 => END
      | 34 => TYPECASE any OF REF INTEGER => END
      | 35 => INC(s, 5)
      | 36 => DEC(s, 2)
      | 37 => EVAL NEW(REF R, a := ten)
      | 38 => EVAL NUMBER(oaNil^)
      | 39 => EVAL LAST(oaNil^)
      | 40 => EVAL ORD(VAL(minus, CHAR))
      | 41 => EVAL TYPECODE(nilo)
      | 42 => EVAL o.x + nilo.x
      | 43 => EVAL (zero = 0) OR (nil^ = 1)
      | 44 => EVAL (zero = 1) OR (nil^ = 1)
      | 45 => EVAL ROUND(1.0E30 * FLOAT(ten))
      | 46 => EVAL TRUNC(-1.0D300 * FLOAT(ten, LONGREAL))
      | 47 => EVAL FLOOR(0.0 / FLOAT(zero))
      | 48 => EVAL VAL(LAST(LONGINT), [0..3])
      | 49 => EVAL ARRAY OF A{arr, oa^}[0][0]
      ELSE RETURN "-"
      END;
      RETURN "ok";
    EXCEPT RuntimeError.E (t) => RETURN Fmt.Int(ORD(t))
    END;
  END Try;
BEGIN
  FOR k := 0 TO 49 DO
    IO.Put(Fmt.Int(k) & ":" & Try(k));
    IF k MOD 10 = 9 THEN IO.Put("\n") ELSE IO.Put(" ") END;
  END;
END Main.
(* expect: 0:15 1:15 2:1 3:2 4:2 5:4 6:4 7:4 8:4 9:5 *)
(* expect: 10:5 11:4 12:1 13:4 14:4 15:3 16:1 17:1 18:1 19:1 *)
(* expect: 20:15 21:1 22:1 23:4 24:2 25:4 26:15 27:1 28:1 29:4 *)
(* expect: 30:4 31:15 32:4 33:7 34:8 35:1 36:1 37:1 38:4 39:4 *)
(* expect: 40:1 41:ok 42:4 43:ok 44:4 45:1 46:1 47:1 48:1 49:3 *)
