(* golden: run, -w *)
(* Every kind of type in every kind of place: one generic module, an instance for each type. *)
MODULE Main;
IMPORT IO, Fmt, C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13, C14, C15, C16, C17, C18, C19, C20, C21, C22, C23, C24, C25, C26, C27, C28, C29, C30, C31, C32, C33, C34, C35, C36, C37, C38, C39, C40, C41, C42, C43, C44, C45, C46, C47, C48, C49, C50, C51, C52, C53, C54, C55, C56, C57, C58;
VAR bad := 0;
BEGIN
  WITH n = C0.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C0 " & Fmt.Int(n) & "\n") END END;
  WITH n = C1.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C1 " & Fmt.Int(n) & "\n") END END;
  WITH n = C2.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C2 " & Fmt.Int(n) & "\n") END END;
  WITH n = C3.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C3 " & Fmt.Int(n) & "\n") END END;
  WITH n = C4.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C4 " & Fmt.Int(n) & "\n") END END;
  WITH n = C5.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C5 " & Fmt.Int(n) & "\n") END END;
  WITH n = C6.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C6 " & Fmt.Int(n) & "\n") END END;
  WITH n = C7.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C7 " & Fmt.Int(n) & "\n") END END;
  WITH n = C8.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C8 " & Fmt.Int(n) & "\n") END END;
  WITH n = C9.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C9 " & Fmt.Int(n) & "\n") END END;
  WITH n = C10.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C10 " & Fmt.Int(n) & "\n") END END;
  WITH n = C11.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C11 " & Fmt.Int(n) & "\n") END END;
  WITH n = C12.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C12 " & Fmt.Int(n) & "\n") END END;
  WITH n = C13.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C13 " & Fmt.Int(n) & "\n") END END;
  WITH n = C14.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C14 " & Fmt.Int(n) & "\n") END END;
  WITH n = C15.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C15 " & Fmt.Int(n) & "\n") END END;
  WITH n = C16.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C16 " & Fmt.Int(n) & "\n") END END;
  WITH n = C17.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C17 " & Fmt.Int(n) & "\n") END END;
  WITH n = C18.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C18 " & Fmt.Int(n) & "\n") END END;
  WITH n = C19.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C19 " & Fmt.Int(n) & "\n") END END;
  WITH n = C20.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C20 " & Fmt.Int(n) & "\n") END END;
  WITH n = C21.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C21 " & Fmt.Int(n) & "\n") END END;
  WITH n = C22.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C22 " & Fmt.Int(n) & "\n") END END;
  WITH n = C23.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C23 " & Fmt.Int(n) & "\n") END END;
  WITH n = C24.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C24 " & Fmt.Int(n) & "\n") END END;
  WITH n = C25.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C25 " & Fmt.Int(n) & "\n") END END;
  WITH n = C26.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C26 " & Fmt.Int(n) & "\n") END END;
  WITH n = C27.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C27 " & Fmt.Int(n) & "\n") END END;
  WITH n = C28.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C28 " & Fmt.Int(n) & "\n") END END;
  WITH n = C29.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C29 " & Fmt.Int(n) & "\n") END END;
  WITH n = C30.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C30 " & Fmt.Int(n) & "\n") END END;
  WITH n = C31.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C31 " & Fmt.Int(n) & "\n") END END;
  WITH n = C32.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C32 " & Fmt.Int(n) & "\n") END END;
  WITH n = C33.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C33 " & Fmt.Int(n) & "\n") END END;
  WITH n = C34.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C34 " & Fmt.Int(n) & "\n") END END;
  WITH n = C35.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C35 " & Fmt.Int(n) & "\n") END END;
  WITH n = C36.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C36 " & Fmt.Int(n) & "\n") END END;
  WITH n = C37.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C37 " & Fmt.Int(n) & "\n") END END;
  WITH n = C38.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C38 " & Fmt.Int(n) & "\n") END END;
  WITH n = C39.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C39 " & Fmt.Int(n) & "\n") END END;
  WITH n = C40.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C40 " & Fmt.Int(n) & "\n") END END;
  WITH n = C41.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C41 " & Fmt.Int(n) & "\n") END END;
  WITH n = C42.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C42 " & Fmt.Int(n) & "\n") END END;
  WITH n = C43.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C43 " & Fmt.Int(n) & "\n") END END;
  WITH n = C44.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C44 " & Fmt.Int(n) & "\n") END END;
  WITH n = C45.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C45 " & Fmt.Int(n) & "\n") END END;
  WITH n = C46.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C46 " & Fmt.Int(n) & "\n") END END;
  WITH n = C47.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C47 " & Fmt.Int(n) & "\n") END END;
  WITH n = C48.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C48 " & Fmt.Int(n) & "\n") END END;
  WITH n = C49.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C49 " & Fmt.Int(n) & "\n") END END;
  WITH n = C50.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C50 " & Fmt.Int(n) & "\n") END END;
  WITH n = C51.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C51 " & Fmt.Int(n) & "\n") END END;
  WITH n = C52.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C52 " & Fmt.Int(n) & "\n") END END;
  WITH n = C53.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C53 " & Fmt.Int(n) & "\n") END END;
  WITH n = C54.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C54 " & Fmt.Int(n) & "\n") END END;
  WITH n = C55.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C55 " & Fmt.Int(n) & "\n") END END;
  WITH n = C56.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C56 " & Fmt.Int(n) & "\n") END END;
  WITH n = C57.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C57 " & Fmt.Int(n) & "\n") END END;
  WITH n = C58.Run() DO IF n # 0 THEN INC(bad); IO.Put("FAIL C58 " & Fmt.Int(n) & "\n") END END;
  IF bad = 0 THEN IO.Put("ok\n") END;
END Main.
(* expect: ok *)
(* unit: Check.ig *)
GENERIC INTERFACE Check(E);
TYPE T = E.T; Rec = RECORD c := 'x'; t: E.T := E.A; d := 'y'; u: E.T := E.B END; Proc = PROCEDURE(READONLY t: E.T; u: E.T): E.T;
VAR global: E.T; initial: E.T := E.B; rec := Rec{}; PROCEDURE Run(): INTEGER;
CONST N = BITSIZE(E.T); Arr = ARRAY [0..2] OF E.T{E.A, E.B, E.A};
EXCEPTION X(E.T);
END Check.
(* unit: Check.mg *)
GENERIC MODULE Check(E);
TYPE Obj = OBJECT c := 'p'; t: E.T := E.B; d := 'q' METHODS swap(VAR t: E.T): E.T RAISES {X} := Swap; get(READONLY t: E.T; u := E.A): E.T := Get END; Vec = ARRAY [3..5] OF E.T; Open = REF ARRAY OF E.T; Open2 = REF ARRAY OF ARRAY OF E.T; Node = REF RECORD t: E.T; n: Node; u: E.T := E.B END; RT = REF E.T; UT = UNTRACED REF RECORD c: CHAR; i: INTEGER; b: BOOLEAN END;
VAR bad := 0; local: E.T; gv: Vec;
PROCEDURE Ck(b: BOOLEAN; n: INTEGER) = BEGIN IF NOT b AND bad = 0 THEN bad := n END END Ck;
PROCEDURE Same(a, b: E.T): BOOLEAN = BEGIN RETURN a = b END Same;
PROCEDURE SameR(READONLY a, b: E.T): BOOLEAN = BEGIN RETURN NOT a # b END SameR;
PROCEDURE Swap(o: Obj; VAR t: E.T): E.T RAISES {X} = VAR u := t; BEGIN t := o.t; o.t := u; IF o.c = 'r' THEN RAISE X(u) END; RETURN u END Swap;
PROCEDURE Get(<*UNUSED*> o: Obj; READONLY t: E.T; u: E.T): E.T = BEGIN IF SameR(t, u) THEN RETURN t END; RETURN u END Get;
PROCEDURE Id(t: E.T): E.T = BEGIN RETURN t END Id;
PROCEDURE IdR(READONLY t: E.T): E.T = BEGIN RETURN t END IdR;
PROCEDURE Def(t: E.T := E.B; READONLY u: E.T := E.A): Rec = BEGIN RETURN Rec{t := t, u := u} END Def;
PROCEDURE Second(<*UNUSED*> READONLY t: E.T; u: E.T): E.T = BEGIN RETURN u END Second;
PROCEDURE Nest(v: E.T; READONLY r: E.T; VAR w: E.T): BOOLEAN =
  VAR l := v;
  PROCEDURE In(): BOOLEAN = VAR k := r; PROCEDURE Deep() = BEGIN w := l; l := k; v := w END Deep; BEGIN Deep(); RETURN k = l AND v = w END In;
  BEGIN RETURN In() AND Same(l, r) END Nest;
PROCEDURE Fill(VAR a: ARRAY OF E.T; t: E.T) = BEGIN FOR i := FIRST(a) TO LAST(a) DO a[i] := t END END Fill;
PROCEDURE Count(READONLY a: ARRAY OF E.T; t: E.T): INTEGER = VAR n := 0; BEGIN FOR i := 0 TO LAST(a) DO IF a[i] = t THEN INC(n) END END; RETURN n END Count;
PROCEDURE ByValue(a: ARRAY OF E.T; b: Vec): INTEGER = BEGIN a[0] := E.B; b[5] := E.B; RETURN Count(a, E.B) + Count(b, E.B) END ByValue;
PROCEDURE Finally(t: E.T): E.T = VAR u := t; BEGIN TRY RETURN u FINALLY u := E.A; global := u END END Finally;
PROCEDURE Throw(READONLY t: E.T) RAISES {X} = BEGIN TRY RAISE X(t) EXCEPT X(u) => u := E.A; RAISE X(t) END END Throw;
PROCEDURE Loop(): E.T = BEGIN LOOP WITH t = E.B DO TRY RETURN t FINALLY END END END END Loop;
PROCEDURE MkVec(t: E.T): Vec = BEGIN RETURN Vec{E.A, t, ..} END MkVec;
PROCEDURE Run(): INTEGER =
  VAR a: E.T := E.A; b: E.T := E.B; o := NEW(Obj); v := Vec{E.A, E.B, ..}; r: Rec; op := NEW(Open, 5); o2 := NEW(Open2, 2, 3); n := NEW(Node, t := E.A); rt := NEW(RT); ra: ARRAY [0..3] OF Rec; p: Proc := Second; m: ARRAY [0..1], [0..2] OF E.T; differ := NOT Same(E.A, E.B);
  BEGIN
    Ck(a = E.A AND b = E.B AND Same(a, E.A) AND SameR(b, E.B) AND SameR(E.A, a) AND (a = b) # differ, 1);
    Ck(Same(initial, E.B) AND Same(rec.t, E.A) AND SameR(rec.u, E.B) AND rec.c = 'x' AND rec.d = 'y', 2);
    global := b; local := global; rt^ := local; rec.t := rt^; Ck(rec.t = b AND Same(rt^, E.B) AND rec.d = 'y' AND rec.c = 'x', 3); rec.t := E.A; Ck(rec = Rec{}, 4);
    Ck(Same(Id(a), a) AND Same(IdR(b), b) AND Same(Id(IdR(Id(E.B))), E.B), 5);
    a := b; Ck(a = b, 6); a := E.A;
    Ck(r.t = E.A AND r.u = E.B AND ra[3] = r, 7); ra[1].t := E.B; Ck(ra[1].c = 'x' AND ra[1].d = 'y' AND ra[1].t = E.B AND ra[2] = r AND ra[0] = r AND (ra[1] = r) # differ, 8);
    r := Def(); Ck(r.t = E.B AND r.u = E.A, 9); r := Def(u := b, t := a); Ck(r.t = a AND SameR(r.u, b) AND Same(Def(a).t, a), 10);
    Ck(v[3] = E.A AND v[5] = E.B AND Count(v, b) >= 2 AND Count(Arr, E.A) >= 2, 11); v[4] := v[3]; gv := v; Ck(gv = v AND Count(gv, a) >= 2, 12); Ck(MkVec(b)[5] = b AND Same(MkVec(a)[3], a) AND Count(MkVec(a), a) = 3, 13);
    Fill(v, b); Ck(Count(v, b) = 3, 14); Fill(op^, a); Fill(SUBARRAY(op^, 1, 2), b); Ck(op[0] = a AND op[1] = b AND op[2] = b AND op[3] = a, 15); SUBARRAY(op^, 2, 3) := SUBARRAY(op^, 1, 3); Ck(op[2] = b AND op[3] = b AND op[4] = a, 16);
    Fill(v, a); Fill(op^, a); IF differ THEN Ck(ByValue(op^, v) = 2, 17) END; Ck(op[0] = a AND v[5] = a, 18);
    Fill(o2[1], b); Fill(o2[0], a); Ck(o2[1, 2] = b AND o2[0][2] = a, 19); o2[0] := o2[1]; Ck(o2[0, 1] = b, 20); m := o2^; Ck(m[1] = o2[0] AND m[0, 2] = b, 21); SUBARRAY(m[0], 0, 2) := SUBARRAY(v, 1, 2); Ck(m[0, 1] = a AND m[0, 2] = b, 22);
    n.n := n; n.n.n.u := n.t; Ck(n.u = a, 23); n.u := E.B; Ck(n.t = a AND n.u = b, 24);
    Ck(o.t = b AND o.c = 'p' AND o.d = 'q', 25); TRY Ck(Same(o.swap(a), E.A), 26) EXCEPT X => Ck(FALSE, 27) END; Ck(a = E.B AND o.t = E.A AND o.c = 'p' AND o.d = 'q', 28);
    o.c := 'r'; TRY EVAL o.swap(a); Ck(FALSE, 29) EXCEPT X(x) => Ck(x = E.B, 30); x := E.A; Ck(Same(x, E.A), 31) END; Ck(a = E.A, 32);
    Ck(o.get(a) = a AND o.get(b) = a AND Obj.get(o, b, b) = b AND NEW(Obj, t := a).t = a, 33);
    Ck(Nest(a, b, local) AND local = a, 34); Ck(Nest(E.B, E.A, v[4]) AND v[4] = b AND v[3] = a AND v[5] = a, 35); Ck(Nest(b, a, n.t) AND n.t = b AND n.u = b, 36); Ck(Nest(a, b, op[2]) AND op[2] = a, 37); Ck(Nest(b, a, o.t) AND o.t = b, 38);
    WITH w = v[5], x = o.t, y = n.t, z = rt^, k = Id(b), g = global, rr = ra[2].u DO w := x; x := E.A; y := x; z := y; g := z; rr := k; Ck(v[5] = b AND o.t = a AND n.t = a AND rt^ = a AND global = a AND ra[2].u = k AND ra[2].c = 'x' AND ra[2].d = 'y', 39) END;
    Ck(Finally(b) = b AND global = E.A, 40); TRY Throw(E.B) EXCEPT X(x) => Ck(x = b, 41); v[3] := x END; Ck(v[3] = b AND Loop() = E.B, 42);
    Ck(p(a, b) = b AND Same(p(b, p(a, E.A)), E.A), 43); p := NIL; Ck(p = NIL AND N >= 0 AND BITSIZE(a) = N, 44);
    VAR x := Arr; i := 1; BEGIN Ck(x[i] = E.B AND Arr[i] = b AND SameR(Arr[i + 1], a), 45); x[i] := x[i + 1]; Ck(x[1] = E.A, 46) END;
    IF differ THEN r.t := E.A; r.u := E.B; r := Rec{t := r.u, u := r.t}; Ck(r.t = E.B AND r.u = E.A, 47); v := Vec{E.A, E.B, E.B}; v := Vec{v[5], v[3], v[4]}; Ck(v[3] = b AND v[4] = a AND v[5] = b, 48) END;
    VAR q: REFANY := n; BEGIN TYPECASE q OF NULL => Ck(FALSE, 49) | RT => Ck(FALSE, 50) | Node(nn) => Ck(nn.u = n.u, 51) ELSE Ck(FALSE, 52) END; q := op; Ck(NARROW(q, Open)[0] = op[0] AND ISTYPE(q, Open) AND NOT ISTYPE(q, Open2), 53) END;
    RETURN bad
  END Run;
BEGIN END Check.
(* unit: PCheck.ig *)
GENERIC INTERFACE PCheck(E);
TYPE T = E.T; Rec = RECORD c := 'x'; t: E.T := E.A; d := 'y'; u: E.T := E.B END; Proc = PROCEDURE(READONLY t: E.T; u: E.T): E.T;
VAR global: E.T; initial: E.T := E.B; rec := Rec{}; PROCEDURE Run(): INTEGER;
CONST N = BITSIZE(E.T); Arr = ARRAY [0..2] OF E.T{E.A, E.B, E.A};
EXCEPTION X(E.T);
END PCheck.
(* unit: PCheck.mg *)
GENERIC MODULE PCheck(E);
TYPE Obj = OBJECT c := 'p'; t: E.T := E.B; d := 'q' METHODS swap(t: E.T): E.T RAISES {X} := Swap; get(READONLY t: E.T; u := E.A): E.T := Get END; Vec = ARRAY [3..5] OF E.T; Open = REF ARRAY OF E.T; Open2 = REF ARRAY OF ARRAY OF E.T; Node = REF RECORD t: E.T; n: Node; u: E.T := E.B END; RT = REF E.T; UT = UNTRACED REF RECORD c: CHAR; i: INTEGER; b: BOOLEAN END;
VAR bad := 0; local: E.T; gv: Vec;
PROCEDURE Ck(b: BOOLEAN; n: INTEGER) = BEGIN IF NOT b AND bad = 0 THEN bad := n END END Ck;
PROCEDURE Same(a, b: E.T): BOOLEAN = BEGIN RETURN a = b END Same;
PROCEDURE SameR(READONLY a, b: E.T): BOOLEAN = BEGIN RETURN NOT a # b END SameR;
PROCEDURE Swap(o: Obj; t: E.T): E.T RAISES {X} = VAR u := t; BEGIN t := o.t; o.t := u; IF o.c = 'r' THEN RAISE X(u) END; RETURN u END Swap;
PROCEDURE Get(<*UNUSED*> o: Obj; READONLY t: E.T; u: E.T): E.T = BEGIN IF SameR(t, u) THEN RETURN t END; RETURN u END Get;
PROCEDURE Id(t: E.T): E.T = BEGIN RETURN t END Id;
PROCEDURE IdR(READONLY t: E.T): E.T = BEGIN RETURN t END IdR;
PROCEDURE Def(t: E.T := E.B; READONLY u: E.T := E.A): Rec = BEGIN RETURN Rec{t := t, u := u} END Def;
PROCEDURE Second(<*UNUSED*> READONLY t: E.T; u: E.T): E.T = BEGIN RETURN u END Second;
PROCEDURE Nest(v: E.T; READONLY r: E.T; w: E.T): BOOLEAN =
  VAR l := v;
  PROCEDURE In(): BOOLEAN = VAR k := r; PROCEDURE Deep() = BEGIN w := l; l := k; v := w END Deep; BEGIN Deep(); RETURN k = l AND v = w END In;
  BEGIN RETURN In() AND Same(l, r) END Nest;
PROCEDURE Fill(VAR a: ARRAY OF E.T; t: E.T) = BEGIN FOR i := FIRST(a) TO LAST(a) DO a[i] := t END END Fill;
PROCEDURE Count(READONLY a: ARRAY OF E.T; t: E.T): INTEGER = VAR n := 0; BEGIN FOR i := 0 TO LAST(a) DO IF a[i] = t THEN INC(n) END END; RETURN n END Count;
PROCEDURE ByValue(a: ARRAY OF E.T; b: Vec): INTEGER = BEGIN a[0] := E.B; b[5] := E.B; RETURN Count(a, E.B) + Count(b, E.B) END ByValue;
PROCEDURE Finally(t: E.T): E.T = VAR u := t; BEGIN TRY RETURN u FINALLY u := E.A; global := u END END Finally;
PROCEDURE Throw(READONLY t: E.T) RAISES {X} = BEGIN TRY RAISE X(t) EXCEPT X(u) => u := E.A; RAISE X(t) END END Throw;
PROCEDURE Loop(): E.T = BEGIN LOOP WITH t = E.B DO TRY RETURN t FINALLY END END END END Loop;
PROCEDURE MkVec(t: E.T): Vec = BEGIN RETURN Vec{E.A, t, ..} END MkVec;
PROCEDURE Run(): INTEGER =
  VAR a: E.T := E.A; b: E.T := E.B; o := NEW(Obj); v := Vec{E.A, E.B, ..}; r: Rec; op := NEW(Open, 5); n := NEW(Node, t := E.A); rt := NEW(RT); ra: ARRAY [0..3] OF Rec; p: Proc := Second; differ := NOT Same(E.A, E.B);
  BEGIN
    Ck(a = E.A AND b = E.B AND Same(a, E.A) AND SameR(b, E.B) AND SameR(E.A, a) AND (a = b) # differ, 1);
    Ck(Same(initial, E.B) AND Same(rec.t, E.A) AND SameR(rec.u, E.B) AND rec.c = 'x' AND rec.d = 'y', 2);
    global := b; local := global; rt^ := local; rec.t := rt^; Ck(rec.t = b AND Same(rt^, E.B) AND rec.d = 'y' AND rec.c = 'x', 3); rec.t := E.A; Ck(rec = Rec{}, 4);
    Ck(Same(Id(a), a) AND Same(IdR(b), b) AND Same(Id(IdR(Id(E.B))), E.B), 5);
    a := b; Ck(a = b, 6); a := E.A;
    Ck(r.t = E.A AND r.u = E.B AND ra[3] = r, 7); ra[1].t := E.B; Ck(ra[1].c = 'x' AND ra[1].d = 'y' AND ra[1].t = E.B AND ra[2] = r AND ra[0] = r AND (ra[1] = r) # differ, 8);
    r := Def(); Ck(r.t = E.B AND r.u = E.A, 9); r := Def(u := b, t := a); Ck(r.t = a AND SameR(r.u, b) AND Same(Def(a).t, a), 10);
    Ck(v[3] = E.A AND v[5] = E.B AND Count(v, b) >= 2 AND Count(Arr, E.A) >= 2, 11); v[4] := v[3]; gv := v; Ck(gv = v AND Count(gv, a) >= 2, 12); Ck(MkVec(b)[5] = b AND Same(MkVec(a)[3], a) AND Count(MkVec(a), a) = 3, 13);
    Fill(v, b); Ck(Count(v, b) = 3, 14); Fill(op^, a); op[1] := b; op[2] := b; Ck(op[0] = a AND op[1] = b AND op[2] = b AND op[3] = a, 15); op[4] := op[3]; op[3] := op[2]; Ck(op[2] = b AND op[3] = b AND op[4] = a, 16);
    Fill(v, a); Fill(op^, a); IF differ THEN Ck(ByValue(op^, v) = 2, 17) END; Ck(op[0] = a AND v[5] = a, 18);
    n.n := n; n.n.n.u := n.t; Ck(n.u = a, 23); n.u := E.B; Ck(n.t = a AND n.u = b, 24);
    Ck(o.t = b AND o.c = 'p' AND o.d = 'q', 25); TRY Ck(Same(o.swap(a), E.A), 26) EXCEPT X => Ck(FALSE, 27) END; Ck(o.t = E.A AND o.c = 'p' AND o.d = 'q', 28);
    o.c := 'r'; TRY EVAL o.swap(a); Ck(FALSE, 29) EXCEPT X(x) => Ck(x = E.A, 30); x := E.B; Ck(Same(x, E.B), 31) END; Ck(o.t = E.A, 32);
    Ck(o.get(a) = a AND o.get(b) = a AND Obj.get(o, b, b) = b AND NEW(Obj, t := a).t = a, 33);
    Ck(Nest(a, b, local) AND Nest(b, a, n.t) AND Nest(E.B, op[1], v[4]), 34); o.t := b; n.t := b; v[4] := b; n.u := b;
    WITH w = v[5], x = o.t, y = n.t, z = rt^, k = Id(b), g = global, rr = ra[2].u DO w := x; x := E.A; y := x; z := y; g := z; rr := k; Ck(v[5] = b AND o.t = a AND n.t = a AND rt^ = a AND global = a AND ra[2].u = k AND ra[2].c = 'x' AND ra[2].d = 'y', 39) END;
    Ck(Finally(b) = b AND global = E.A, 40); TRY Throw(E.B) EXCEPT X(x) => Ck(x = b, 41); v[3] := x END; Ck(v[3] = b AND Loop() = E.B, 42);
    Ck(p(a, b) = b AND Same(p(b, p(a, E.A)), E.A), 43); p := NIL; Ck(p = NIL AND N >= 0 AND BITSIZE(a) = N, 44);
    VAR x := Arr; i := 1; BEGIN Ck(x[i] = E.B AND Arr[i] = b AND SameR(Arr[i + 1], a), 45); x[i] := x[i + 1]; Ck(x[1] = E.A, 46) END;
    IF differ THEN r.t := E.A; r.u := E.B; r := Rec{t := r.u, u := r.t}; Ck(r.t = E.B AND r.u = E.A, 47); v := Vec{E.A, E.B, E.B}; v := Vec{v[5], v[3], v[4]}; Ck(v[3] = b AND v[4] = a AND v[5] = b, 48) END;
    VAR q: REFANY := n; BEGIN TYPECASE q OF NULL => Ck(FALSE, 49) | RT => Ck(FALSE, 50) | Node(nn) => Ck(nn.u = n.u, 51) ELSE Ck(FALSE, 52) END; q := op; Ck(NARROW(q, Open)[0] = op[0] AND ISTYPE(q, Open) AND NOT ISTYPE(q, Open2), 53) END;
    RETURN bad
  END Run;
BEGIN END PCheck.
(* unit: T0.i3 *)
INTERFACE T0; TYPE T = INTEGER; CONST A: T = 5; B: T = -7; END T0.
(* unit: C0.i3 *)
INTERFACE C0 = Check(T0) END C0.
(* unit: C0.m3 *)
MODULE C0 = Check(T0) END C0.
(* unit: T1.i3 *)
INTERFACE T1; TYPE T = LONGINT; CONST A: T = 5L; B: T = -7L; END T1.
(* unit: C1.i3 *)
INTERFACE C1 = Check(T1) END C1.
(* unit: C1.m3 *)
MODULE C1 = Check(T1) END C1.
(* unit: T2.i3 *)
INTERFACE T2; TYPE T = CARDINAL; CONST A: T = 5; B: T = 7; END T2.
(* unit: C2.i3 *)
INTERFACE C2 = Check(T2) END C2.
(* unit: C2.m3 *)
MODULE C2 = Check(T2) END C2.
(* unit: T3.i3 *)
INTERFACE T3; TYPE T = [-3..3]; CONST A: T = -3; B: T = 2; END T3.
(* unit: C3.i3 *)
INTERFACE C3 = Check(T3) END C3.
(* unit: C3.m3 *)
MODULE C3 = Check(T3) END C3.
(* unit: T4.i3 *)
INTERFACE T4; TYPE T = [0..255]; CONST A: T = 255; B: T = 3; END T4.
(* unit: C4.i3 *)
INTERFACE C4 = Check(T4) END C4.
(* unit: C4.m3 *)
MODULE C4 = Check(T4) END C4.
(* unit: T5.i3 *)
INTERFACE T5; TYPE T = [-128..127]; CONST A: T = -128; B: T = 3; END T5.
(* unit: C5.i3 *)
INTERFACE C5 = Check(T5) END C5.
(* unit: C5.m3 *)
MODULE C5 = Check(T5) END C5.
(* unit: T6.i3 *)
INTERFACE T6; TYPE T = [0..65535]; CONST A: T = 65535; B: T = 3; END T6.
(* unit: C6.i3 *)
INTERFACE C6 = Check(T6) END C6.
(* unit: C6.m3 *)
MODULE C6 = Check(T6) END C6.
(* unit: T7.i3 *)
INTERFACE T7; TYPE T = [-40000..40000]; CONST A: T = -40000; B: T = 3; END T7.
(* unit: C7.i3 *)
INTERFACE C7 = Check(T7) END C7.
(* unit: C7.m3 *)
MODULE C7 = Check(T7) END C7.
(* unit: T8.i3 *)
INTERFACE T8; TYPE T = [0..16_ffffffff]; CONST A: T = 16_ffffffff; B: T = 1; END T8.
(* unit: C8.i3 *)
INTERFACE C8 = Check(T8) END C8.
(* unit: C8.m3 *)
MODULE C8 = Check(T8) END C8.
(* unit: T9.i3 *)
INTERFACE T9; TYPE T = [5L..900000000000L]; CONST A: T = 5L; B: T = 900000000000L; END T9.
(* unit: C9.i3 *)
INTERFACE C9 = Check(T9) END C9.
(* unit: C9.m3 *)
MODULE C9 = Check(T9) END C9.
(* unit: T10.i3 *)
INTERFACE T10; TYPE T = BOOLEAN; CONST A: T = TRUE; B: T = FALSE; END T10.
(* unit: C10.i3 *)
INTERFACE C10 = Check(T10) END C10.
(* unit: C10.m3 *)
MODULE C10 = Check(T10) END C10.
(* unit: T11.i3 *)
INTERFACE T11; TYPE T = CHAR; CONST A: T = 'a'; B: T = '\377'; END T11.
(* unit: C11.i3 *)
INTERFACE C11 = Check(T11) END C11.
(* unit: C11.m3 *)
MODULE C11 = Check(T11) END C11.
(* unit: T12.i3 *)
INTERFACE T12; TYPE T = WIDECHAR; CONST A: T = W'a'; B: T = W'\xFFFE'; END T12.
(* unit: C12.i3 *)
INTERFACE C12 = Check(T12) END C12.
(* unit: C12.m3 *)
MODULE C12 = Check(T12) END C12.
(* unit: T13.i3 *)
INTERFACE T13; TYPE T = {x, y, z}; CONST A: T = T.x; B: T = T.z; END T13.
(* unit: C13.i3 *)
INTERFACE C13 = Check(T13) END C13.
(* unit: C13.m3 *)
MODULE C13 = Check(T13) END C13.
(* unit: T14.i3 *)
INTERFACE T14; TYPE T = ['a'..'f']; CONST A: T = 'b'; B: T = 'f'; END T14.
(* unit: C14.i3 *)
INTERFACE C14 = Check(T14) END C14.
(* unit: C14.m3 *)
MODULE C14 = Check(T14) END C14.
(* unit: T15.i3 *)
INTERFACE T15; TYPE T = REAL; CONST A: T = 1.5; B: T = -0.25; END T15.
(* unit: C15.i3 *)
INTERFACE C15 = Check(T15) END C15.
(* unit: C15.m3 *)
MODULE C15 = Check(T15) END C15.
(* unit: T16.i3 *)
INTERFACE T16; TYPE T = LONGREAL; CONST A: T = 1.5d0; B: T = -2.5d100; END T16.
(* unit: C16.i3 *)
INTERFACE C16 = Check(T16) END C16.
(* unit: C16.m3 *)
MODULE C16 = Check(T16) END C16.
(* unit: T17.i3 *)
INTERFACE T17; TYPE T = EXTENDED; CONST A: T = 1.5x0; B: T = -2.5x10; END T17.
(* unit: C17.i3 *)
INTERFACE C17 = Check(T17) END C17.
(* unit: C17.m3 *)
MODULE C17 = Check(T17) END C17.
(* unit: T18.i3 *)
INTERFACE T18; TYPE T = TEXT; CONST A: T = NIL; B: T = NIL; END T18.
(* unit: C18.i3 *)
INTERFACE C18 = Check(T18) END C18.
(* unit: C18.m3 *)
MODULE C18 = Check(T18) END C18.
(* unit: T19.i3 *)
INTERFACE T19; TYPE T = PROCEDURE(x: INTEGER): INTEGER; PROCEDURE F(x: INTEGER): INTEGER; PROCEDURE G(x: INTEGER): INTEGER; CONST A: T = F; B: T = G; END T19.
(* unit: T19.m3 *)
MODULE T19; PROCEDURE F(x: INTEGER): INTEGER = BEGIN RETURN x END F; PROCEDURE G(x: INTEGER): INTEGER = BEGIN RETURN -x END G; BEGIN END T19.
(* unit: C19.i3 *)
INTERFACE C19 = Check(T19) END C19.
(* unit: C19.m3 *)
MODULE C19 = Check(T19) END C19.
(* unit: T20.i3 *)
INTERFACE T20; TYPE T = SET OF [0..3]; CONST A: T = T{1}; B: T = T{0, 2..3}; END T20.
(* unit: C20.i3 *)
INTERFACE C20 = Check(T20) END C20.
(* unit: C20.m3 *)
MODULE C20 = Check(T20) END C20.
(* unit: T21.i3 *)
INTERFACE T21; TYPE T = SET OF CHAR; CONST A: T = T{'a'..'f'}; B: T = T{'z'}; END T21.
(* unit: C21.i3 *)
INTERFACE C21 = Check(T21) END C21.
(* unit: C21.m3 *)
MODULE C21 = Check(T21) END C21.
(* unit: T22.i3 *)
INTERFACE T22; TYPE T = SET OF [-100..300]; CONST A: T = T{-100..7}; B: T = T{300}; END T22.
(* unit: C22.i3 *)
INTERFACE C22 = Check(T22) END C22.
(* unit: C22.m3 *)
MODULE C22 = Check(T22) END C22.
(* unit: T23.i3 *)
INTERFACE T23; TYPE T = SET OF [0..63]; CONST A: T = T{0, 63}; B: T = T{5..40}; END T23.
(* unit: C23.i3 *)
INTERFACE C23 = Check(T23) END C23.
(* unit: C23.m3 *)
MODULE C23 = Check(T23) END C23.
(* unit: T24.i3 *)
INTERFACE T24; TYPE T = SET OF BOOLEAN; CONST A: T = T{TRUE}; B: T = T{}; END T24.
(* unit: C24.i3 *)
INTERFACE C24 = Check(T24) END C24.
(* unit: C24.m3 *)
MODULE C24 = Check(T24) END C24.
(* unit: T25.i3 *)
INTERFACE T25; TYPE T = RECORD a: INTEGER; b: CHAR END; CONST A: T = T{1, 'a'}; B: T = T{2, 'b'}; END T25.
(* unit: C25.i3 *)
INTERFACE C25 = Check(T25) END C25.
(* unit: C25.m3 *)
MODULE C25 = Check(T25) END C25.
(* unit: T26.i3 *)
INTERFACE T26; TYPE T = RECORD a: CHAR END; CONST A: T = T{'a'}; B: T = T{'b'}; END T26.
(* unit: C26.i3 *)
INTERFACE C26 = Check(T26) END C26.
(* unit: C26.m3 *)
MODULE C26 = Check(T26) END C26.
(* unit: T27.i3 *)
INTERFACE T27; TYPE T = RECORD a, b: REAL END; CONST A: T = T{1.0, 2.0}; B: T = T{3.0, 4.0}; END T27.
(* unit: C27.i3 *)
INTERFACE C27 = Check(T27) END C27.
(* unit: C27.m3 *)
MODULE C27 = Check(T27) END C27.
(* unit: T28.i3 *)
INTERFACE T28; TYPE T = RECORD t: TEXT; n: INTEGER END; CONST A: T = T{NIL, 1}; B: T = T{NIL, 2}; END T28.
(* unit: C28.i3 *)
INTERFACE C28 = Check(T28) END C28.
(* unit: C28.m3 *)
MODULE C28 = Check(T28) END C28.
(* unit: T29.i3 *)
INTERFACE T29; TYPE T = RECORD a: [0..255]; b: [0..65535]; c: [0..255] END; CONST A: T = T{1, 2, 3}; B: T = T{255, 65535, 255}; END T29.
(* unit: C29.i3 *)
INTERFACE C29 = Check(T29) END C29.
(* unit: C29.m3 *)
MODULE C29 = Check(T29) END C29.
(* unit: T30.i3 *)
INTERFACE T30; TYPE T = RECORD a: BITS 3 FOR [0..7]; b: BITS 5 FOR [0..31] END; CONST A: T = T{7, 0}; B: T = T{1, 31}; END T30.
(* unit: C30.i3 *)
INTERFACE C30 = Check(T30) END C30.
(* unit: C30.m3 *)
MODULE C30 = Check(T30) END C30.
(* unit: T31.i3 *)
INTERFACE T31; TYPE T = RECORD r: RECORD a, b: LONGREAL END; s: SET OF [0..100]; t: TEXT := NIL END; CONST A: T = T{RECORD a, b: LONGREAL END{1.0d0, 2.0d0}, SET OF [0..100]{99}}; B: T = T{RECORD a, b: LONGREAL END{3.0d0, 2.0d0}, SET OF [0..100]{}}; END T31.
(* unit: C31.i3 *)
INTERFACE C31 = Check(T31) END C31.
(* unit: C31.m3 *)
MODULE C31 = Check(T31) END C31.
(* unit: T32.i3 *)
INTERFACE T32; TYPE T = ARRAY [0..1] OF CHAR; CONST A: T = T{'a', 'b'}; B: T = T{'c', 'd'}; END T32.
(* unit: C32.i3 *)
INTERFACE C32 = Check(T32) END C32.
(* unit: C32.m3 *)
MODULE C32 = Check(T32) END C32.
(* unit: T33.i3 *)
INTERFACE T33; TYPE T = ARRAY [1..3] OF INTEGER; CONST A: T = T{1, 2, 3}; B: T = T{4, ..}; END T33.
(* unit: C33.i3 *)
INTERFACE C33 = Check(T33) END C33.
(* unit: C33.m3 *)
MODULE C33 = Check(T33) END C33.
(* unit: T34.i3 *)
INTERFACE T34; TYPE T = ARRAY [0..99] OF LONGREAL; CONST A: T = T{1.0d0, ..}; B: T = T{2.0d0, 3.0d0, ..}; END T34.
(* unit: C34.i3 *)
INTERFACE C34 = Check(T34) END C34.
(* unit: C34.m3 *)
MODULE C34 = Check(T34) END C34.
(* unit: T35.i3 *)
INTERFACE T35; TYPE T = ARRAY BOOLEAN, [0..2] OF [0..9]; CONST A: T = T{ARRAY [0..2] OF [0..9]{1, 2, 3}, ARRAY [0..2] OF [0..9]{4, 5, 6}}; B: T = T{ARRAY [0..2] OF [0..9]{1, ..}, ..}; END T35.
(* unit: C35.i3 *)
INTERFACE C35 = Check(T35) END C35.
(* unit: C35.m3 *)
MODULE C35 = Check(T35) END C35.
(* unit: T36.i3 *)
INTERFACE T36; TYPE T = ARRAY [0..9] OF BITS 1 FOR BOOLEAN; CONST A: T = T{TRUE, FALSE, ..}; B: T = T{FALSE, TRUE, ..}; END T36.
(* unit: C36.i3 *)
INTERFACE C36 = Check(T36) END C36.
(* unit: C36.m3 *)
MODULE C36 = Check(T36) END C36.
(* unit: T37.i3 *)
INTERFACE T37; TYPE T = ARRAY [0..6] OF BITS 4 FOR [0..15]; CONST A: T = T{1, 2, 15, ..}; B: T = T{7, ..}; END T37.
(* unit: C37.i3 *)
INTERFACE C37 = Check(T37) END C37.
(* unit: C37.m3 *)
MODULE C37 = Check(T37) END C37.
(* unit: T38.i3 *)
INTERFACE T38; TYPE T = ARRAY [0..2] OF TEXT; CONST A: T = T{NIL, ..}; B: T = T{NIL, ..}; END T38.
(* unit: C38.i3 *)
INTERFACE C38 = Check(T38) END C38.
(* unit: C38.m3 *)
MODULE C38 = Check(T38) END C38.
(* unit: T39.i3 *)
INTERFACE T39; TYPE T = ARRAY [0..0] OF REFANY; CONST A: T = T{NIL}; B: T = T{NIL}; END T39.
(* unit: C39.i3 *)
INTERFACE C39 = Check(T39) END C39.
(* unit: C39.m3 *)
MODULE C39 = Check(T39) END C39.
(* unit: T40.i3 *)
INTERFACE T40; TYPE T = ARRAY [0..4] OF SET OF [0..7]; CONST A: T = T{SET OF [0..7]{1}, ..}; B: T = T{SET OF [0..7]{2}, ..}; END T40.
(* unit: C40.i3 *)
INTERFACE C40 = Check(T40) END C40.
(* unit: C40.m3 *)
MODULE C40 = Check(T40) END C40.
(* unit: T41.i3 *)
INTERFACE T41; TYPE T = BITS 8 FOR [0..255]; CONST A: T = 1; B: T = 255; END T41.
(* unit: C41.i3 *)
INTERFACE C41 = PCheck(T41) END C41.
(* unit: C41.m3 *)
MODULE C41 = PCheck(T41) END C41.
(* unit: T42.i3 *)
INTERFACE T42; TYPE T = BITS 3 FOR [-4..3]; CONST A: T = -4; B: T = 3; END T42.
(* unit: C42.i3 *)
INTERFACE C42 = PCheck(T42) END C42.
(* unit: C42.m3 *)
MODULE C42 = PCheck(T42) END C42.
(* unit: T43.i3 *)
INTERFACE T43; TYPE T = BITS 16 FOR [-32768..32767]; CONST A: T = -32768; B: T = 5; END T43.
(* unit: C43.i3 *)
INTERFACE C43 = PCheck(T43) END C43.
(* unit: C43.m3 *)
MODULE C43 = PCheck(T43) END C43.
(* unit: T44.i3 *)
INTERFACE T44; TYPE T = BITS 1 FOR BOOLEAN; CONST A: T = TRUE; B: T = FALSE; END T44.
(* unit: C44.i3 *)
INTERFACE C44 = PCheck(T44) END C44.
(* unit: C44.m3 *)
MODULE C44 = PCheck(T44) END C44.
(* unit: T45.i3 *)
INTERFACE T45; TYPE T = BITS 64 FOR INTEGER; CONST A: T = -1; B: T = 5; END T45.
(* unit: C45.i3 *)
INTERFACE C45 = PCheck(T45) END C45.
(* unit: C45.m3 *)
MODULE C45 = PCheck(T45) END C45.
(* unit: T46.i3 *)
INTERFACE T46; TYPE T = BITS 32 FOR REAL; CONST A: T = 1.5; B: T = 2.5; END T46.
(* unit: C46.i3 *)
INTERFACE C46 = PCheck(T46) END C46.
(* unit: C46.m3 *)
MODULE C46 = PCheck(T46) END C46.
(* unit: T47.i3 *)
INTERFACE T47; TYPE T = BITS 16 FOR SET OF [0..15]; CONST A: T = SET OF [0..15]{1}; B: T = SET OF [0..15]{15}; END T47.
(* unit: C47.i3 *)
INTERFACE C47 = PCheck(T47) END C47.
(* unit: C47.m3 *)
MODULE C47 = PCheck(T47) END C47.
(* unit: T48.i3 *)
INTERFACE T48; TYPE U = RECORD a, b: BITS 4 FOR [0..15] END; TYPE T = BITS 8 FOR RECORD a, b: BITS 4 FOR [0..15] END; CONST A: T = U{1, 2}; B: T = U{15, 14}; END T48.
(* unit: C48.i3 *)
INTERFACE C48 = PCheck(T48) END C48.
(* unit: C48.m3 *)
MODULE C48 = PCheck(T48) END C48.
(* unit: T49.i3 *)
INTERFACE T49; TYPE U = ARRAY [0..1] OF BITS 8 FOR CHAR; TYPE T = BITS 16 FOR ARRAY [0..1] OF BITS 8 FOR CHAR; CONST A: T = U{'a', 'b'}; B: T = U{'c', 'd'}; END T49.
(* unit: C49.i3 *)
INTERFACE C49 = PCheck(T49) END C49.
(* unit: C49.m3 *)
MODULE C49 = PCheck(T49) END C49.
(* unit: T50.i3 *)
INTERFACE T50; TYPE T = REFANY; CONST A: T = NIL; B: T = NIL; END T50.
(* unit: C50.i3 *)
INTERFACE C50 = Check(T50) END C50.
(* unit: C50.m3 *)
MODULE C50 = Check(T50) END C50.
(* unit: T51.i3 *)
INTERFACE T51; TYPE T = [7..7]; CONST A: T = 7; B: T = 7; END T51.
(* unit: C51.i3 *)
INTERFACE C51 = Check(T51) END C51.
(* unit: C51.m3 *)
MODULE C51 = Check(T51) END C51.
(* unit: T52.i3 *)
INTERFACE T52; TYPE T = RECORD END; CONST A: T = T{}; B: T = T{}; END T52.
(* unit: C52.i3 *)
INTERFACE C52 = Check(T52) END C52.
(* unit: C52.m3 *)
MODULE C52 = Check(T52) END C52.
(* unit: T53.i3 *)
INTERFACE T53; TYPE T = ARRAY [1..0] OF INTEGER; CONST A: T = T{}; B: T = T{}; END T53.
(* unit: C53.i3 *)
INTERFACE C53 = Check(T53) END C53.
(* unit: C53.m3 *)
MODULE C53 = Check(T53) END C53.
(* unit: T54.i3 *)
INTERFACE T54; TYPE T = SET OF [1..0]; CONST A: T = T{}; B: T = T{}; END T54.
(* unit: C54.i3 *)
INTERFACE C54 = Check(T54) END C54.
(* unit: C54.m3 *)
MODULE C54 = Check(T54) END C54.
(* unit: T55.i3 *)
INTERFACE T55; TYPE T = ADDRESS; CONST A: T = NIL; B: T = NIL; END T55.
(* unit: C55.i3 *)
INTERFACE C55 = Check(T55) END C55.
(* unit: C55.m3 *)
MODULE C55 = Check(T55) END C55.
(* unit: T56.i3 *)
INTERFACE T56; TYPE T = ROOT; CONST A: T = NIL; B: T = NIL; END T56.
(* unit: C56.i3 *)
INTERFACE C56 = Check(T56) END C56.
(* unit: C56.m3 *)
MODULE C56 = Check(T56) END C56.
(* unit: T57.i3 *)
INTERFACE T57; TYPE T = [LAST(INTEGER)-1..LAST(INTEGER)]; CONST A: T = LAST(INTEGER); B: T = LAST(INTEGER)-1; END T57.
(* unit: C57.i3 *)
INTERFACE C57 = Check(T57) END C57.
(* unit: C57.m3 *)
MODULE C57 = Check(T57) END C57.
(* unit: T58.i3 *)
INTERFACE T58; TYPE T = [FIRST(INTEGER)..FIRST(INTEGER)+1]; CONST A: T = FIRST(INTEGER); B: T = FIRST(INTEGER)+1; END T58.
(* unit: C58.i3 *)
INTERFACE C58 = Check(T58) END C58.
(* unit: C58.m3 *)
MODULE C58 = Check(T58) END C58.
