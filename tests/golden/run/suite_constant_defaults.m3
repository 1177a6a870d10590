(* golden: run, -w *)
(* Constants of record, array and set types in constant expressions; defaults of fields of all types. *)
MODULE Main;
IMPORT IO, Fmt;
TYPE
  E = {a, b, c}; T = OBJECT x: INTEGER END;
  A = ARRAY [1..3] OF REF INTEGER;
  R = RECORD t: TEXT := "x"; a := A{NIL, ..}; p: PROCEDURE (): INTEGER := F; s := SET OF E {E.a}; e := E.b; n: REF INTEGER := NIL; w: WIDECHAR := W'\x1234'; l := 5L; x := 1.5x0; END;
PROCEDURE F(): INTEGER = BEGIN RETURN 8 END F;
VAR r: R; rr := NEW(REF R); ra := NEW(REF ARRAY OF R, 2);
CONST cr = R{}; ca = ARRAY [0..1] OF R {R{t := "y"}, R{}}; cs = cr.s + SET OF E {E.c}; cn = NUMBER(ca) + ORD(cr.e) + BITSIZE(WIDECHAR);
  big = SET OF [0..255]{0..255}; half = big - SET OF [0..255]{128..255};
  lr = FLOAT(3, LONGREAL) / 7.0d0; tr = TRUNC(lr * 10.0d0); mx = MAX(3.5, 2.0); ab = ABS(-3); minus = -(-5); dv = -7 DIV 3; md = -7 MOD 3; fm = 7.5 MOD 2.0;
  eq = cs = SET OF E {E.a, E.c}; inn = E.b IN cs; vl = VAL(2, E); fst = FIRST([3..9]); num = NUMBER([3..9]); sub = cr.s <= cs; cc = 'a' < 'b'; nn = NOT TRUE OR FALSE;
  st = SUBARRAY_; SUBARRAY_ = 5; char = VAL(ORD('a') + 2, CHAR); lng = 5L * 3L - LAST(LONGINT) DIV 2L; fl = FLOOR(-2.5); ce = CEILING(-2.5); ro = ROUND(0.5d0);
VAR arr: ARRAY [0..cn-1] OF CHAR; ch: [char..'z'] := char; arr2: ARRAY [FIRST(E)..LAST(E)] OF ARRAY [tr..9] OF INTEGER;
  i: INTEGER;
BEGIN
  IO.Put(r.t & rr.t & ra[1].t & ca[0].t & ca[1].t & Fmt.Int(r.p()) & Fmt.Int(ra[0].p()) & Fmt.Int(ca[1].p()) & "\n");
  IO.Put(Fmt.Bool(E.a IN r.s) & Fmt.Bool(eq) & Fmt.Bool(inn) & Fmt.Bool(sub) & Fmt.Bool(cc) & Fmt.Bool(nn) & "\n");
  IO.Put(Fmt.Int(NUMBER(arr)) & " " & Fmt.Int(tr) & " " & Fmt.Int(ab) & " " & Fmt.Int(minus) & " " & Fmt.Int(dv) & " " & Fmt.Int(md) & " " & Fmt.Int(fl) & Fmt.Int(ce) & Fmt.Int(ro) & " " & Fmt.Real(fm) & " " & Fmt.Real(mx) & " " & Fmt.LongInt(lng) & "\n");
  i := 127; IO.Put(Fmt.Bool(i IN half) & Fmt.Bool(i + 1 IN half) & Fmt.Int(NUMBER(arr2[E.b])) & Fmt.Char(ch) & Fmt.Int(ORD(vl)) & "\n");
  IO.Put(Fmt.Bool(cr.n = NIL) & Fmt.Int(ORD(ra[1].w)) & Fmt.LongInt(ra[1].l) & Fmt.Bool(rr.x = 1.5x0) & "\n");
  i := 1; IO.Put(ca[i].t & Fmt.Int(BYTESIZE(R)) & "\n");
END Main.
(* expect: xxxyx888 *)
(* expect: TRUETRUEFALSETRUETRUEFALSE *)
(* expect: 19 4 3 5 -3 2 -3-20 1.5 3.5 -4611686018427387888 *)
(* expect: TRUEFALSE6c2 *)
(* expect: TRUE46605TRUE *)
(* expect: x80 *)
