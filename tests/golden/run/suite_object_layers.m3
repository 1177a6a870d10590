(* golden: run, -w *)
(* Objects: overriding at several levels, super calls, hidden members, opaque types with several layers across modules, anonymous subtypes. *)
MODULE Main;
IMPORT IO, Fmt, Text, Pen, PenRep, Shape, ShapeClass, Counter;
VAR bad := 0;
PROCEDURE Ck(b: BOOLEAN; n: INTEGER) =
  BEGIN IF NOT b THEN INC(bad); IO.Put("FAIL " & Fmt.Int(n) & "\n") END END Ck;
TYPE
  A = OBJECT x := 1; t := "A" METHODS f(): TEXT := AF; g(n := 2): INTEGER := AG; h() := NIL END;
  B = A OBJECT y := 2 OVERRIDES f := BF END;
  C = B OBJECT x := 'c' METHODS k(): TEXT := CK OVERRIDES f := CF; g := CG END;
  D = C OBJECT METHODS f(): TEXT := DF END;
  E = D BRANDED "E" OBJECT z: ARRAY [0..3] OF A OVERRIDES f := EF; h := EH END;
  U = UNTRACED ROOT OBJECT n := 7; next: U METHODS f(): INTEGER := UF END; V = U OBJECT m := 8 OVERRIDES f := VF END;
  My = Pen.T OBJECT mine := 5 OVERRIDES draw := MyDraw END;
  Sq = Shape.T OBJECT side: INTEGER OVERRIDES area := SqArea; name := SqName END;
PROCEDURE AF(a: A): TEXT = BEGIN RETURN "a" & a.t END AF;
PROCEDURE AG(a: A; n: INTEGER): INTEGER = BEGIN RETURN a.x * n END AG;
PROCEDURE BF(b: B): TEXT = BEGIN RETURN "b" & A.f(b) END BF;
PROCEDURE CF(c: C): TEXT = BEGIN RETURN "c" & B.f(c) & Fmt.Char(c.x) END CF;
PROCEDURE CG(c: C; n: INTEGER): INTEGER = BEGIN RETURN B.g(c, n + 1) + NARROW(c, A).x END CG;
PROCEDURE CK(c: C): TEXT = BEGIN RETURN "k" & c.f() END CK;
PROCEDURE DF(d: D): TEXT = BEGIN RETURN "d" & C.f(d) END DF;
PROCEDURE EF(e: E): TEXT = BEGIN RETURN "e" & D.f(e) END EF;
PROCEDURE EH(e: E) = BEGIN INC(e.y) END EH;
PROCEDURE UF(u: U): INTEGER = BEGIN RETURN u.n END UF;
PROCEDURE VF(v: V): INTEGER = BEGIN RETURN U.f(v) * 10 + v.m END VF;
PROCEDURE MyDraw(m: My; x: INTEGER): INTEGER = BEGIN RETURN Pen.T.draw(m, x) + m.mine END MyDraw;
PROCEDURE SqArea(s: Sq): INTEGER = BEGIN RETURN s.side * s.side END SqArea;
PROCEDURE SqName(s: Sq): TEXT = BEGIN RETURN "sq-" & Shape.T.name(s) END SqName;
PROCEDURE Any(<*UNUSED*> r: ROOT): TEXT = BEGIN RETURN "any" END Any;
PROCEDURE OfB(b: B): TEXT = BEGIN RETURN "ofb" & Fmt.Int(b.y) END OfB;
PROCEDURE Kind(r: REFANY): TEXT =
  BEGIN
    TYPECASE r OF
    | NULL => RETURN "nil" | E => RETURN "E" | D (d) => RETURN "D" & Fmt.Int(d.y) | C, Sq => RETURN "CSq" | A (a) => RETURN "A" & Fmt.Int(a.x)
    | REF ARRAY OF CHAR (c) => RETURN Fmt.Int(NUMBER(c^)) | TEXT (t) => RETURN t | REF RECORD a: INTEGER END (q) => RETURN Fmt.Int(q.a) | PROCEDURE_ => RETURN "P" | MUTEX => RETURN "mutex"
    ELSE RETURN "else" END
  END Kind;
TYPE PROCEDURE_ = REF PROCEDURE();
PROCEDURE Flat(<*UNUSED*> p: Pen.T; <*UNUSED*> x: INTEGER): INTEGER = BEGIN RETURN 0 END Flat;
TYPE Anon = OBJECT q := 3 METHODS go(): INTEGER := Go END;
PROCEDURE Go(a: Anon): INTEGER = BEGIN RETURN a.q + 5 END Go;
VAR a := NEW(A); b := NEW(B); c := NEW(C); d := NEW(D); e := NEW(E); u := NEW(U); v := NEW(V); l := NEW(Sq, side := 4); m: My; p: Pen.T; x: A;
PROCEDURE Eq(t, u: TEXT; n: INTEGER) = BEGIN IF NOT Text.Equal(t, u) THEN IO.Put("got " & t & "\n"); Ck(FALSE, n) END END Eq;
BEGIN
  Eq(a.f(), "aA", 1); Eq(b.f(), "baA", 2); Eq(c.f(), "cbaAc", 3); Eq(d.f(), "dcbaAc", 4); Eq(e.f(), "edcbaAc", 5);
  x := d; Eq(x.f(), "cbaAc", 6); x := e; Eq(x.f(), "cbaAc", 7); Eq(NARROW(x, D).f(), "edcbaAc", 8); Eq(e.k(), "kcbaAc", 9);
  Ck(a.g() = 2 AND c.g() = 4 AND c.g(5) = 7 AND A.g(c, 3) = 3 AND C.g(d, n := 1) = 3, 10);
  x := e; x.h(); x.h(); Ck(e.y = 4, 11);
  NARROW(c, A).x := 10; Ck(c.x = 'c' AND c.g() = 40, 12);
  Ck(u.f() = 7 AND v.f() = 78 AND U.f(v) = 7, 13); u.next := v; Ck(u.next.f() = 78 AND ISTYPE(u.next, V) AND NOT ISTYPE(u, V), 14);
  Eq(Kind(NIL), "nil", 15); Eq(Kind(a), "A1", 16); Eq(Kind(b), "A1", 17); Eq(Kind(c), "CSq", 18); Eq(Kind(d), "D2", 19); Eq(Kind(e), "E", 20); Eq(Kind(l), "CSq", 21);
  Eq(Kind(NEW(REF ARRAY OF CHAR, 3)), "3", 22); Eq(Kind("tt"), "tt", 23); Eq(Kind(NEW(REF RECORD a: INTEGER END, a := 6)), "6", 24); Eq(Kind(NEW(PROCEDURE_)), "P", 25); Eq(Kind(NEW(MUTEX)), "mutex", 26); Eq(Kind(NEW(REF RECORD b: INTEGER END)), "else", 27);
  Eq(NEW(A, f := Any).f(), "any", 28); Eq(NEW(C, f := OfB, y := 9).f(), "ofb9", 29);
  Ck(TYPECODE(NEW(A, f := Any)) # TYPECODE(A) AND TYPECODE(a) = TYPECODE(A) AND TYPECODE(x) = TYPECODE(E) AND TYPECODE(x) # TYPECODE(A), 30);
  Ck(ISTYPE(NEW(A, f := Any), A) AND NOT ISTYPE(NEW(A, f := Any), B), 31);
  p := NEW(Pen.T); Ck(p.draw(1) = 101, 32); Ck(p.ink = 100 AND p.hidden = 1, 33);
  m := NEW(My); Ck(m.draw(1) = 106 AND m.draw(2) = 107, 34); Ck(m.ink = 100 AND m.mine = 5 AND m.hidden = 2, 35);
  p := m; Ck(p.draw(5) = 110 AND Pen.Count(p) = 3, 36); p := NEW(Pen.T, draw := Flat); Ck(p.draw(4) = 0, 37);
  p := Pen.New(50); Ck(p.draw(1) = 51 AND p.ink = 50, 38);
  Ck(l.area() = 16 AND l.twice() = 32, 39); Eq(l.name(), "sq-shape", 40); Eq(l.tag, "tag", 41); Ck(NEW(Shape.T).area() = 0, 42);
  Ck(Counter.New().inc().inc().inc().value() = 3, 43);
  VAR o := NEW(Anon); o2 := NEW(OBJECT q := 3 METHODS go(): INTEGER := Go END); BEGIN Ck(o.go() = 8 AND o.q = 3, 44) END;
  e.z[2] := e; e.z[3] := e.z[2]; Eq(NARROW(e.z[3], E).z[2].f(), "cbaAc", 45);
  VAR arr := NEW(REF ARRAY OF A, 3); s := ""; BEGIN arr[0] := a; arr[1] := b; arr[2] := e; FOR i := 0 TO LAST(arr^) DO s := s & arr[i].f() & "," END; Eq(s, "aA,baA,cbaAc,", 46) END;
  Ck(a = a AND a # b AND x = e AND (b = NIL) = FALSE, 47);
  VAR q: PROCEDURE(a: A): TEXT := A.f; BEGIN Eq(q(e), "aA", 48); Ck(q = AF, 49) END;
  Ck(A.h = NIL, 50);
  IF bad = 0 THEN IO.Put("ok\n") END;
END Main.
(* expect: ok *)
(* unit: Pen.i3 *)
INTERFACE Pen;
TYPE T <: Public; Public = OBJECT METHODS draw(x: INTEGER): INTEGER END;
PROCEDURE New(ink: INTEGER): T; PROCEDURE Count(t: T): INTEGER;
END Pen.
(* unit: PenRep.i3 *)
INTERFACE PenRep;
IMPORT Pen;
REVEAL Pen.T <: Semi;
TYPE Semi = Pen.Public OBJECT hidden := 0; ink := 100 METHODS secret(): INTEGER := NIL END;
END PenRep.
(* unit: Pen.m3 *)
MODULE Pen EXPORTS Pen, PenRep;
REVEAL T = Semi BRANDED "Pen.T" OBJECT more: ARRAY [0..5] OF LONGREAL OVERRIDES draw := Draw; secret := Secret END;
PROCEDURE Draw(t: T; x: INTEGER): INTEGER = BEGIN INC(t.hidden); t.more[5] := 1.0d0; RETURN t.ink + x END Draw;
PROCEDURE Secret(t: T): INTEGER = BEGIN RETURN t.hidden END Secret;
PROCEDURE New(ink: INTEGER): T = BEGIN RETURN NEW(T, ink := ink) END New;
PROCEDURE Count(t: T): INTEGER = BEGIN RETURN t.secret() END Count;
BEGIN END Pen.
(* unit: Shape.i3 *)
INTERFACE Shape;
TYPE T <: Public; Public = ROOT OBJECT tag := "tag" METHODS area(): INTEGER; name(): TEXT; twice(): INTEGER END;
END Shape.
(* unit: ShapeClass.i3 *)
INTERFACE ShapeClass;
IMPORT Shape;
REVEAL Shape.T <: Shape.Public; REVEAL Shape.T <: P2; TYPE P2 = Shape.Public OBJECT cache: INTEGER := -1 END; REVEAL Shape.T <: P3;
TYPE P3 = P2 OBJECT END;
END ShapeClass.
(* unit: Shape.m3 *)
MODULE Shape EXPORTS Shape;
IMPORT ShapeClass;
REVEAL T = ShapeClass.P3 BRANDED OBJECT OVERRIDES area := Area; name := Name; twice := Twice END;
PROCEDURE Area(t: T): INTEGER = BEGIN RETURN t.cache + 1 END Area;
PROCEDURE Name(<*UNUSED*> t: T): TEXT = BEGIN RETURN "shape" END Name;
PROCEDURE Twice(t: T): INTEGER = BEGIN t.cache := t.area(); RETURN 2 * t.cache END Twice;
BEGIN END Shape.
(* unit: Counter.i3 *)
INTERFACE Counter;
TYPE T <: Public; Public = OBJECT METHODS inc(by := 1): T; value(): INTEGER END;
PROCEDURE New(): T;
END Counter.
(* unit: Counter.m3 *)
MODULE Counter;
REVEAL T = Public BRANDED OBJECT n := 0 OVERRIDES inc := Inc; value := Value END;
PROCEDURE Inc(t: T; by: INTEGER): T = BEGIN INC(t.n, by); RETURN t END Inc;
PROCEDURE Value(t: T): INTEGER = BEGIN RETURN t.n END Value;
PROCEDURE New(): T = BEGIN RETURN NEW(T) END New;
BEGIN END Counter.
