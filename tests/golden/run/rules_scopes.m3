(* golden: run, with lib/Check, -w *)
(* Scopes, the order of declarations and recursive declarations (language.md 3, 3.1, 3.2, 3.3, 3.4, 3.5, 3.6, 3.7, 3.8, 4). *)
INTERFACE Shadow; CONST Text = 5; TYPE T = {INTEGER_, b}; VAR v := 9; EXCEPTION Stop(T); PROCEDURE P(): INTEGER; END Shadow.

(* unit: Shadow.m3 *)
MODULE Shadow; PROCEDURE P(): INTEGER = BEGIN RETURN v END P; BEGIN END Shadow.

(* unit: Main.m3 *)
MODULE Main;
IMPORT Check, Shadow;

(* Used before it is declared. *)
VAR early: T := C; TYPE T = [A .. B]; CONST A = B - 10; B = Limit; Limit = NUMBER(Names) * 10; TYPE Names = {x, y, z};
VAR order := F(); later := 3;  (* F sees later before its initial value is assigned. *)
PROCEDURE F(): INTEGER = BEGIN IF later = 3 THEN RETURN 1 ELSE later := 77; RETURN 2 END END F;
CONST C = A + 1;

(* Formals do not hide the names in their own signature. *)
PROCEDURE Formals(T: T; Names: Names; A := A): INTEGER = BEGIN RETURN T + ORD(Names) * 100 + A * 1000 END Formals;

PROCEDURE Nested(x: INTEGER): INTEGER =
  VAR y := x;
  PROCEDURE Inner(x: INTEGER): INTEGER =
    VAR y := x + z;  z := 1;   (* z of this block, not yet set: any value *)
    PROCEDURE Inner(): INTEGER = BEGIN RETURN y END Inner;
    BEGIN z := 0; y := x; RETURN Inner() * 10 + z END Inner;
  VAR z := Inner(y + 1);
  BEGIN
    VAR y := x + 5; x := 100; BEGIN z := z + y * 0 + x END;
    BEGIN RETURN z + y END;
  END Nested;

(* FOR, WITH, handlers and TYPECASE arms introduce scopes. *)
PROCEDURE Constructs() =
  VAR i := 3; n := 0; v := 1; e := 2; r: REFANY := NEW(REF INTEGER);
  BEGIN
    WITH i = i + 1, j = i * 2, i2 = i DO Check.Int(j + i2, 12, "later bindings see earlier ones") END;
    FOR k := 1 TO i DO FOR k := k + 0 * n TO 2 DO INC(n, k) END END; Check.Int(n, 5, "FOR in FOR");
    TRY RAISE Shadow.Stop(Shadow.T.b) EXCEPT Shadow.Stop (v) => IF v = Shadow.T.b THEN n := 10 END; v := Shadow.T.INTEGER_ END;
    TYPECASE r OF REF INTEGER (e) => e^ := 4 | NULL, TEXT => e := 9 END;
    Check.Int(i * 1000 + n * 10 + v + e, 3103, "the outer names again");
    VAR Check_ := 1; Shadow_ := 2; BEGIN Check.Int(Check_ + Shadow_, 3, "names") END;
    VAR Shadow: RECORD v: INTEGER END; BEGIN Shadow.v := 5; Check.Int(Shadow.v, 5, "a local hides an interface") END;
    Check.Int(Shadow.v + Shadow.P() + Shadow.Text, 23, "the interface again");
  END Constructs;

(* Names of fields, methods and elements are apart; those of formals of types introduce nothing. *)
TYPE Odd = RECORD Odd: INTEGER; T: CHAR; Main, Check: BOOLEAN END; Elem = {Elem, Odd, T};
     Obj = OBJECT Obj: Obj; x: INTEGER METHODS m(Obj: INTEGER; m, x: CHAR := 'c'): INTEGER := M END;
     Proc = PROCEDURE (Proc: INTEGER; T: T; Elem: Elem): T;
PROCEDURE M(self: Obj; Obj: INTEGER; m, x: CHAR): INTEGER = BEGIN IF m = x THEN RETURN self.x + Obj ELSE RETURN 0 END END M;
PROCEDURE P(Proc: INTEGER; T: T; Elem: Elem): T = BEGIN RETURN Proc + T + ORD(Elem) END P;

(* Recursive declarations. *)
TYPE Cell = REF RECORD rest: Cell; n: INTEGER END;
     Visit = PROCEDURE (n: INTEGER; next: Visit): INTEGER;
     Tree = OBJECT kids: ARRAY [0..1] OF Tree; METHODS graft(t: Tree): Tree := Graft; leaves(): INTEGER := Leaves END;
     Rec = RECORD r: REF Rec; p: PROCEDURE (READONLY r: Rec): INTEGER; t: Tree; a: REF ARRAY OF Rec; v: INTEGER := 2 END;
     Even = REF RECORD odd: Odds END; Odds = REF RECORD even: Even; a: REF ARRAY [0..1] OF Odds END;
     Dizzy = REF Dizzy; Strange = REF ARRAY OF REF SET OF [0..BITSIZE(Strange)];
CONST Depth = BITSIZE(REF SET OF [1..Depth]);
EXCEPTION Retry(PROCEDURE (n: INTEGER) RAISES {Retry});
VAR w: REF SET OF [1..BYTESIZE(w)]; k := ADRSIZE(k); pr: PROCEDURE (a: ARRAY OF INTEGER; n := NUMBER(w2)) := NIL; w2: ARRAY [1..3] OF INTEGER;

PROCEDURE Graft(t: Tree; u: Tree): Tree = BEGIN t.kids[1] := u; RETURN t END Graft;
PROCEDURE Leaves(t: Tree): INTEGER =
  VAR n := 0; BEGIN FOR i := 0 TO 1 DO IF t.kids[i] # NIL THEN INC(n, t.kids[i].leaves()) END END; IF n = 0 THEN n := 1 END; RETURN n END Leaves;
PROCEDURE One(n: INTEGER; next: Visit): INTEGER = BEGIN IF n > 3 THEN RETURN n ELSE RETURN next(n + 1, One) END END One;
PROCEDURE Val(READONLY r: Rec): INTEGER = BEGIN IF r.r = NIL THEN RETURN r.v ELSE RETURN r.v + r.r.p(r.r^) END END Val;
PROCEDURE Again(n: INTEGER) RAISES {Retry} = BEGIN IF n < 3 THEN RAISE Retry(Again) END; later := n END Again;

PROCEDURE Recursive() =
  VAR c := NEW(Cell, n := 1, rest := NEW(Cell, n := 2)); r := Rec{NIL, Val, NIL, NIL}; t := NEW(Tree); d := NEW(Dizzy); s := NEW(Strange, 2); e := NEW(Even);
  BEGIN
    c.rest.rest := c; Check.Int(c.rest.rest.rest.n, 2, "Cell");
    Check.Int(One(0, One), 4, "Visit");
    Check.Int(t.graft(NEW(Tree).graft(NEW(Tree))).leaves(), 1, "Tree"); t.kids[0] := NEW(Tree); Check.Int(t.leaves(), 2, "Tree");
    r.r := NEW(REF Rec, p := Val); Check.Int(r.p(r), 4, "Rec"); r.a := NEW(REF ARRAY OF Rec, 3); r.a[2] := r; Check.Int(r.a[2].v + r.a[1].v, 4, "REF ARRAY OF Rec");
    d^ := d; Check.That(d^^^^ = d, "Dizzy"); s[1] := NEW(REF SET OF [0..BITSIZE(Strange)]); Check.That(NOT 64 IN s[1]^, "Strange");
    e.odd := NEW(Odds, even := e); e.odd.a := NEW(REF ARRAY [0..1] OF Odds); Check.That(e.odd.even.odd.a[0] = NIL, "Even and Odds");
    Check.Int(Depth, BITSIZE(ADDRESS), "Depth"); w := NEW(REF SET OF [1..8]); w^ := SET OF [1..8]{8}; Check.Int(k, 8, "ADRSIZE(k)"); Check.That(pr = NIL, "a default");
    TRY Again(1) EXCEPT Retry (p) => TRY p(5) EXCEPT Retry => later := 0 END END; Check.Int(later, 5, "Retry");
  END Recursive;

PROCEDURE OneName() =   (* Nested blocks may use one name again and again. *)
  VAR x := 1;
  BEGIN
    VAR y := x + 1; x := 3; BEGIN Check.Int(y * 10 + x, 0 * y + y * 10 + 3, "blocks") END;
  END OneName;

BEGIN
  Check.Int(early, 21, "early"); Check.Int(Limit, 30, "Limit"); Check.That(order IN SET OF [0..9]{1, 2} AND later = 3, "order");
  Check.Int(Formals(25, Names.z), 20225, "Formals"); Check.Int(Nested(4), 50 + 100 + 4, "Nested");
  Constructs();
  VAR o := Odd{1, 'x', TRUE, FALSE}; obj := NEW(Obj, x := 3); p: Proc := P;
  BEGIN
    obj.Obj := obj; Check.Int(o.Odd + ORD(o.Main) + obj.Obj.m(4, x := 'c') + p(1, 20, Elem.T), 1 + 1 + 7 + 23, "name spaces");
  END;
  Recursive(); OneName();
  Check.Done();
END Main.
(* expect: all checks hold *)
