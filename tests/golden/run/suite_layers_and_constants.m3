(* golden: run, -w *)
(* Opaque types in layers over several modules and generics; constants by Word used as defaults of methods and procedures
   (language.md 4, 9, 19, 20, 21); modules that import each other. *)
MODULE Main; IMPORT IO, Fmt, Q, QRep, QFull, GTI, GIQ, GPP, Pt, C1, C2, Ty; FROM QFull IMPORT Get;
TYPE Mine = Q.T OBJECT mine := 5 OVERRIDES get := MyGet; id := MyId END;
  My2 = Q.P OBJECT w := 6 END;
PROCEDURE MyGet(m: Mine): INTEGER = BEGIN RETURN Q.T.get(m) * 100 + m.mine END MyGet;
PROCEDURE MyId(b: Q.Base): INTEGER = BEGIN RETURN Q.T.id(NARROW(b, Q.T)) + 1 END MyId;
PROCEDURE I(n: INTEGER) = BEGIN IO.Put(Fmt.Int(n) & "\n") END I;
VAR m := NEW(Mine); t: Q.T := m; b: Q.Base := m; ti := NEW(GTI.T).init(1); iq := NEW(GIQ.T).init(); n: INTEGER; q: Q.T; pp := NEW(GPP.T).init(2); p: Pt.T; k: TEXT; r: REF RECORD a: INTEGER; n: Ty.R END;
BEGIN
  I(m.get()); I(t.set().get()); I(b.id()); I(NEW(Q.T).id()); I(m.val); m.val := 1; I(Get(m)); I(NEW(Q.T, val := 9, get := Get).get());
  TRY EVAL Q.Mk(-3) EXCEPT Q.Err(e) => I(e.code); IO.Put(e.why & "\n") END; TRY I(Q.GetR(Q.p(2))) EXCEPT ELSE END; I(Q.Other()); IO.Put(Q.n & "\n");
  EVAL ti.put("a", 1); EVAL ti.put("b", 2); EVAL ti.put("a" & "", 3); IF ti.get("a", n) THEN I(n) END;
  WITH it = ti.iter() DO WHILE it.next(k, n) DO IO.Put(k); I(n) END END;
  EVAL iq.put(4, t); IF iq.get(4, q) THEN IO.Put(Fmt.Bool(q = m) & "\n") END;
  EVAL pp.put(Pt.T{1, 2}, Pt.T{y := 4}); IF pp.get(Pt.T{x := 1, y := 2}, p) THEN I(p.x * 10 + p.y) END;
  IO.Put(GPP.Brand & "\n"); r := C1.x; I(r.a); I(C1.F()); I(C2.H(4)); IO.Put(QRep.log & "\n"); I(NEW(My2).w); I(TYPECODE(Q.P) - TYPECODE(NEW(Q.P)));
  IF ISTYPE(Q.NewP(), Q.P) AND NOT ISTYPE(Q.NewP(), My2) THEN I(1) END;
END Main.
(* expect: 3205 *)
(* expect: 3705 *)
(* expect: 22 *)
(* expect: 21 *)
(* expect: 16 *)
(* expect: 22 *)
(* expect: 30 *)
(* expect: -3 *)
(* expect: neg *)
(* expect: 5 *)
(* expect: 48 *)
(* expect: nameQ *)
(* expect: 3 *)
(* expect: a3 *)
(* expect: b2 *)
(* expect: TRUE *)
(* expect: 4 *)
(* expect: G(Pt,Pt) *)
(* expect: 3 *)
(* expect: -1 *)
(* expect: 10 *)
(* expect: QImpl;QTwo;Ty;C2;C1; *)
(* expect: 6 *)
(* expect: 0 *)
(* expect: 1 *)
(* unit: Q.i3 *)
INTERFACE Q;
IMPORT Word;
TYPE T <: Pub; Pub = Base OBJECT METHODS get(): INTEGER; set(x: INTEGER := K): T END; Base <: ROOT; R <: REFANY; U <: ADDRESS; P <: REFANY;
CONST K = Word.Shift(1, 4); Brand = "Q"; 
VAR v: INTEGER := K * 2; a := ARRAY [0..2] OF INTEGER{1, K, ..}; p: PROCEDURE (x: INTEGER): R RAISES {Err} := Mk; t: T := NIL; n := "name" & Brand;
EXCEPTION Err(Info); TYPE Info = RECORD code: INTEGER; why: TEXT END;
PROCEDURE Mk(x: INTEGER := K): R RAISES {Err};
PROCEDURE GetR(r: R): INTEGER; PROCEDURE Equal(a, b: T): BOOLEAN; PROCEDURE NewP(): P; PROCEDURE Other(): INTEGER;
END Q.
(* unit: QRep.i3 *)
INTERFACE QRep; IMPORT Q;
REVEAL Q.Base <: BasePub; TYPE BasePub = ROOT OBJECT METHODS id(): INTEGER END; REVEAL Q.P <: ROOT;
VAR log: TEXT := "";
END QRep.
(* unit: QFull.i3 *)
INTERFACE QFull; IMPORT Q;
REVEAL Q.T = Q.Pub BRANDED "Q.T" OBJECT val: INTEGER := 11; extra: ARRAY [0..3] OF TEXT OVERRIDES get := Get; set := Set END;
PROCEDURE Get(t: Q.T): INTEGER; PROCEDURE Set(t: Q.T; x: INTEGER): Q.T; 
 END QFull.
(* unit: QImpl.m3 *)
MODULE QImpl EXPORTS Q, QFull, QRep; IMPORT Q AS Self;
REVEAL Base = BasePub BRANDED OBJECT n := 21 OVERRIDES id := Id END; R = BRANDED "Q.R" REF INTEGER; U = UNTRACED BRANDED "Q.U" REF INTEGER; P = BRANDED "Q.P" OBJECT z: INTEGER END;
PROCEDURE Id(b: Base): INTEGER = BEGIN RETURN b.n END Id;
PROCEDURE Mk(y: INTEGER): R RAISES {Err} = BEGIN IF y < 0 THEN RAISE Err(Info{y, "neg"}) END; VAR r := NEW(R); BEGIN r^ := y; RETURN r END END Mk;
PROCEDURE Equal(x, y: Self.T): BOOLEAN = BEGIN RETURN x.val = y.val END Equal;
PROCEDURE NewP(): P = BEGIN RETURN NEW(P, z := 4) END NewP;
PROCEDURE Get(t: T): INTEGER = BEGIN RETURN t.val + t.n END Get;
PROCEDURE Set(t: T; x: INTEGER := 77): T = BEGIN t.val := x; RETURN t END Set;
BEGIN log := log & "QImpl;" END QImpl.
(* unit: QTwo.m3 *)
MODULE QTwo EXPORTS Q; IMPORT QRep;
PROCEDURE Other(): INTEGER = BEGIN RETURN v + a[2] END Other;
PROCEDURE GetR(r: R): INTEGER = BEGIN TYPECASE r OF NULL => RETURN -1 ELSE RETURN 5 END END GetR;
BEGIN QRep.log := QRep.log & "QTwo;" END QTwo.
(* unit: G.ig *)
GENERIC INTERFACE G(Key, Val);
TYPE T <: Public; Public = OBJECT METHODS init(n: CARDINAL := 8): T; put(READONLY k: Key.T; READONLY v: Val.T): BOOLEAN; get(READONLY k: Key.T; VAR v: Val.T): BOOLEAN; iter(): It END;
  It <: PubIt; PubIt = OBJECT METHODS next(VAR k: Key.T; VAR v: Val.T): BOOLEAN END;
CONST Brand = "G(" & Key.Brand & "," & Val.Brand & ")"; EXCEPTION Full;
END G.
(* unit: G.mg *)
GENERIC MODULE G(Key, Val);
TYPE Pair = RECORD k: Key.T; v: Val.T END;
REVEAL T = Public BRANDED Brand OBJECT a: REF ARRAY OF Pair; n: CARDINAL := 0 OVERRIDES init := Init; put := Put; get := GetIt; iter := Iter END;
REVEAL It = PubIt BRANDED Brand & ".It" OBJECT t: T; i := 0 OVERRIDES next := Next END;
PROCEDURE Init(t: T; n: CARDINAL): T = BEGIN t.a := NEW(REF ARRAY OF Pair, n); RETURN t END Init;
PROCEDURE Put(t: T; READONLY k: Key.T; READONLY v: Val.T): BOOLEAN = BEGIN FOR i := 0 TO t.n - 1 DO WITH p = t.a[i] DO IF Key.Equal(p.k, k) THEN p.v := v; RETURN TRUE END END END; IF t.n > LAST(t.a^) THEN WITH new = NEW(REF ARRAY OF Pair, 2 * NUMBER(t.a^)) DO SUBARRAY(new^, 0, t.n) := t.a^; t.a := new END END; t.a[t.n] := Pair{k, v}; INC(t.n); RETURN FALSE END Put;
PROCEDURE GetIt(t: T; READONLY k: Key.T; VAR v: Val.T): BOOLEAN = BEGIN FOR i := 0 TO t.n - 1 DO IF Key.Equal(t.a[i].k, k) THEN v := t.a[i].v; RETURN TRUE END END; RETURN FALSE END GetIt;
PROCEDURE Iter(t: T): It = BEGIN RETURN NEW(It, t := t) END Iter;
PROCEDURE Next(it: It; VAR k: Key.T; VAR v: Val.T): BOOLEAN = BEGIN IF it.i >= it.t.n THEN RETURN FALSE END; WITH p = it.t.a[it.i] DO k := p.k; v := p.v END; INC(it.i); RETURN TRUE END Next;
BEGIN END G.
(* unit: GTI.i3 *)
INTERFACE GTI = G(Text, Integer) END GTI.
(* unit: GTI.m3 *)
MODULE GTI = G(Text, Integer) END GTI.
(* unit: GIQ.i3 *)
INTERFACE GIQ = G(Integer, Q) END GIQ.
(* unit: GIQ.m3 *)
MODULE GIQ = G(Integer, Q) END GIQ.
(* unit: Pt.i3 *)
INTERFACE Pt; TYPE T = RECORD x, y := 0 END; CONST Brand = "Pt"; PROCEDURE Equal(READONLY a, b: T): BOOLEAN; END Pt.
(* unit: Pt.m3 *)
MODULE Pt; PROCEDURE Equal(READONLY a, b: T): BOOLEAN = BEGIN RETURN a = b END Equal; BEGIN END Pt.
(* unit: GPP.i3 *)
INTERFACE GPP = G(Pt, Pt) END GPP.
(* unit: GPP.m3 *)
MODULE GPP = G(Pt, Pt) END GPP.
(* unit: Ty.i3 *)
INTERFACE Ty; TYPE R = REF RECORD a: INTEGER; n: R END; E = {u, v}; S = SET OF E; PROCEDURE X(); END Ty.
(* unit: Ty.m3 *)
MODULE Ty; IMPORT QRep; PROCEDURE X() = BEGIN END X; BEGIN QRep.log := QRep.log & "Ty;" END Ty.
(* unit: C1.i3 *)
INTERFACE C1; IMPORT Ty; VAR x: Ty.R; PROCEDURE F(): INTEGER; END C1.
(* unit: C1.m3 *)
MODULE C1; IMPORT C2, QRep; TYPE R = REF RECORD a: INTEGER; n: R END; PROCEDURE F(): INTEGER = BEGIN IF C2.y = NIL THEN RETURN -1 END; RETURN C2.H(C2.y.a) END F; BEGIN x := NEW(R, a := 3); QRep.log := QRep.log & "C1;" END C1.
(* unit: C2.i3 *)
INTERFACE C2; IMPORT Ty; VAR y: Ty.R; PROCEDURE H(n: INTEGER): INTEGER; END C2.
(* unit: C2.m3 *)
MODULE C2; IMPORT C1, QRep; PROCEDURE H(n: INTEGER): INTEGER = BEGIN IF n = 0 THEN RETURN 0 END; RETURN n + H(n - 1) END H; BEGIN y := C1.x; QRep.log := QRep.log & "C2;" END C2.
