(* golden: run, -w *)
(* Objects: overrides, masking, anonymous supertypes, T.m, TYPECASE, NEW with bindings. *)
MODULE Main;
IMPORT IO, Fmt, Text;
VAR bad := 0;
PROCEDURE Ck(b: BOOLEAN; n: INTEGER) =
  BEGIN IF NOT b THEN INC(bad); IO.Put("FAIL " & Fmt.Int(n) & "\n") END END Ck;
TYPE
  T = OBJECT a: INTEGER := 1; b := 'x'; METHODS m (n: INTEGER := 5): INTEGER := M; nil(); END;
  U = T OBJECT c := 3; METHODS m2 (): INTEGER := M2 OVERRIDES m := MU END;
  V = U OBJECT a: TEXT := "masked"; OVERRIDES m2 := M2V END;
  L = OBJECT next: L; METHODS graft (t: L): L := Graft END;
  Anon = OBJECT i := 4 END OBJECT j := 5 METHODS go(): INTEGER := Go END;
  Chain = BRANDED "ch1" OBJECT i := 1 END BRANDED "ch2" OBJECT j := 2 END;
  Visit = PROCEDURE (next: Visit);
  UT = UNTRACED ROOT OBJECT x := 7 END;
PROCEDURE M (self: T; n: INTEGER): INTEGER = BEGIN RETURN self.a + n END M;
PROCEDURE MU (self: U; n: INTEGER): INTEGER = BEGIN RETURN 1000 + T.m(self, n) + self.c END MU;
PROCEDURE M2 (self: T): INTEGER = BEGIN RETURN self.a END M2;
PROCEDURE M2V (self: V): INTEGER = BEGIN RETURN Text.Length(self.a) + NARROW(self, T).a + U.m2(self) END M2V;
PROCEDURE Graft (self: L; t: L): L = BEGIN self.next := t; RETURN self END Graft;
PROCEDURE Go (a: Anon): INTEGER = BEGIN RETURN a.i + a.j END Go;
PROCEDURE Crow (self: T; n: INTEGER): INTEGER = BEGIN RETURN n + 77 + self.a END Crow;
PROCEDURE Vis (v: Visit) = BEGIN IF v # NIL THEN v(NIL); v := NIL END; INC(count) END Vis;
PROCEDURE Kind (r: REFANY): INTEGER =
  BEGIN
    TYPECASE r OF
    | NULL => RETURN 0
    | V (v) => RETURN 3 + ORD(v = NIL)
    | U, L => RETURN 2
    | T (t) => t := NIL; RETURN 1
    | REF INTEGER (i) => RETURN i^
    | TEXT (t) => RETURN Text.Length(t)
    ELSE RETURN -1
    END
  END Kind;
VAR t: T := NEW(U, a := 10); u := NEW(U); v := NEW(V); count := 0;
  t2 := NEW(T, a := 5, m := Crow);
  ri := NEW(REF INTEGER);
  pm: PROCEDURE (self: U; n: INTEGER := 2): INTEGER := U.m;
  ut := NEW(UT);
  ra: REFANY; ar: REF ARRAY OF CHAR; rec := NEW(REF RECORD a: INTEGER := 4; b: ARRAY [0..2] OF REAL END, a := 9);
BEGIN
  Ck(t.m() = 1018, 1); Ck(t.m(n := 1) = 1014, 2); Ck(T.m(t, 2) = 12, 3); Ck(pm(u) = 1006, 4);
  Ck(v.m2() = 6 + 1 + 1, 5); Ck(t2.m(1) = 83, 6); Ck(TYPECODE(t2) # TYPECODE(T), 7);
  Ck(ISTYPE(t2, T) AND NOT ISTYPE(t2, U) AND ISTYPE(NIL, U), 8);
  Ck(NEW(Anon).go() = 9, 9); Ck(NEW(Chain).i = 1, 10);
  Vis(Vis); Ck(count = 2, 11);
  ri^ := 42;
  Ck(Kind(NIL) = 0 AND Kind(v) = 3 AND Kind(u) = 2 AND Kind(NEW(L)) = 2 AND Kind(t2) = 1 AND Kind(ri) = 42 AND Kind("abcd") = 4 AND Kind(ar) = 0 , 12);
  ar := NEW(REF ARRAY OF CHAR, 3); Ck(Kind(ar) = -1, 13);
  Ck(ut.x = 7, 14);
  WITH l = NEW(L) DO Ck(l.graft(l) = l AND l.next.next = l, 15) END;
  ra := u; u := ra; Ck(u = ra, 16);
  Ck(rec.a = 9 AND rec.b[2] = 0.0, 17);
  WITH x = v.c, y = x DO x := 9; Ck(y = 9 AND v.c = 9, 18) END;
  Ck(NARROW(ra, U).c = 3, 19); NARROW(ra, U).c := 8; Ck(u.c = 8, 20);
  IF bad = 0 THEN IO.Put("ok\n") END;
END Main.
(* expect: ok *)
