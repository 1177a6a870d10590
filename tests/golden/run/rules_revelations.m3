(* golden: run, with lib/Check, -w *)
(* Opaque types, partial and complete revelations in several interfaces (language.md 7.8, 9, 12, 18.4, 11.1). *)
INTERFACE Pen;
TYPE T <: Public; Public = OBJECT x := 1 METHODS init(x: INTEGER): T; draw(): TEXT; END; Handle <: REFANY; Raw <: ADDRESS; Deep <: ROOT; Same <: Same0; Same0 = T OBJECT s := 's' METHODS same(): CHAR END;
PROCEDURE New(): T; PROCEDURE NewHandle(n: INTEGER): Handle; PROCEDURE Value(h: Handle): INTEGER; PROCEDURE NewDeep(): Deep; PROCEDURE Reset(VAR h: Handle; READONLY t: T);
END Pen.

(* unit: PenMore.i3 *)
INTERFACE PenMore; IMPORT Pen; FROM Pen IMPORT Deep;
REVEAL Pen.T <: More; TYPE More = Pen.Public OBJECT ink := 10 METHODS dip(): INTEGER END;
REVEAL Deep <: Layer1; TYPE Layer1 = OBJECT one := 1 METHODS name(): TEXT := Name1 END; PROCEDURE Name1(l: Layer1): TEXT;
END PenMore.

(* unit: PenMost.i3 *)
INTERFACE PenMost; IMPORT Pen, PenMore;
REVEAL Pen.T <: Most; TYPE Most = PenMore.More OBJECT x := 'x'; nib := 100 END;
REVEAL Pen.Deep <: Layer2; TYPE Layer2 = PenMore.Layer1 OBJECT two := 2 OVERRIDES name := Name2 END; PROCEDURE Name2(l: Layer2): TEXT;
REVEAL Pen.Handle <: REFANY; Pen.Deep <: Pen.Deep; Pen.Deep <: ROOT;
END PenMost.

(* unit: PenRep.i3 *)
INTERFACE PenRep; IMPORT Pen, PenMost;
REVEAL Pen.T = PenMost.Most BRANDED "PenRep.T" OBJECT secret := 1000; next: Pen.T := NIL METHODS total(): INTEGER := Total; OVERRIDES init := Init; draw := Draw; dip := Dip END;
REVEAL Pen.Deep = PenMost.Layer2 BRANDED OBJECT three := 3 END;
REVEAL Pen.Same = Pen.Same0 BRANDED OBJECT OVERRIDES same := SameM; draw := Pen.T.draw END;
PROCEDURE Total(t: Pen.T): INTEGER; PROCEDURE Init(t: Pen.T; x: INTEGER): Pen.T; PROCEDURE Draw(t: Pen.T): TEXT; PROCEDURE Dip(t: Pen.T): INTEGER; PROCEDURE SameM(s: Pen.Same0): CHAR;
END PenRep.

(* unit: PenRep.m3 *)
UNSAFE MODULE PenRep EXPORTS Pen, PenRep, PenMore;
IMPORT Fmt, Pen, PenMost, PenMore AS More_;
REVEAL Handle = BRANDED "Pen.Handle" REF RECORD n: INTEGER; name: TEXT := "h" END; Pen.Raw = UNTRACED BRANDED "Raw" REF CHAR;
PROCEDURE New(): T = BEGIN RETURN NEW(T, x := 'n', secret := 2000, draw := OwnDraw) END New;
PROCEDURE OwnDraw(t: T): TEXT = BEGIN RETURN "own " & Draw(t) END OwnDraw;
PROCEDURE NewHandle(n: INTEGER): Handle = BEGIN RETURN NEW(Handle, n := n) END NewHandle;
PROCEDURE Value(h: Handle): INTEGER = BEGIN IF h = NIL THEN RETURN -1 ELSE RETURN h.n END END Value;
PROCEDURE NewDeep(): Deep = BEGIN RETURN NEW(Pen.Deep, one := 11) END NewDeep;
PROCEDURE Reset(VAR h: Handle; READONLY t: T) = BEGIN h := NEW(Handle, n := t.secret); h^.name := "reset" END Reset;
PROCEDURE Total(t: T): INTEGER = VAR n := 0; BEGIN WHILE t # NIL DO INC(n, t.secret + t.nib + t.ink + NARROW(t, Public).x); t := t.next END; RETURN n END Total;
PROCEDURE Init(t: T; x: INTEGER): T = VAR p: Public := t; BEGIN p.x := x; t.next := NEW(T, x := 'y'); RETURN t END Init;
PROCEDURE Draw(t: T): TEXT = BEGIN RETURN Fmt.Int(t.total()) & Fmt.Char(t.x) END Draw;
PROCEDURE Dip(t: T): INTEGER = BEGIN INC(t.ink); RETURN t.ink END Dip;
PROCEDURE SameM(s: Same0): CHAR = BEGIN RETURN s.s END SameM;
PROCEDURE Name1(l: Layer1): TEXT = BEGIN l.one := 111; RETURN "one" END Name1;
BEGIN EVAL NEW(Raw); EVAL More_.Name1; EVAL PenMost.Name2 END PenRep.

(* unit: PenMost.m3 *)
MODULE PenMost;
PROCEDURE Name2(l: Layer2): TEXT = BEGIN l.two := 22; RETURN "two" END Name2;
BEGIN END PenMost.

(* unit: Main.m3 *)
MODULE Main;
IMPORT Check, Pen, Client, Inner; IMPORT PenMore AS PM;
(* Here T is known as PenMore.More: x is the INTEGER, ink and dip are known, nib is not. *)
TYPE Quill = Pen.T OBJECT feather := 7; x: TEXT := "mine" METHODS pluck(): INTEGER := Pluck OVERRIDES draw := QuillDraw END;
     Goose = Quill OBJECT honk := TRUE OVERRIDES dip := GooseDip; pluck := NIL END;
PROCEDURE Pluck(q: Quill): INTEGER = BEGIN DEC(q.feather); RETURN q.feather + q.ink END Pluck;
PROCEDURE QuillDraw(q: Quill): TEXT = BEGIN RETURN Pen.T.draw(q) & "/" & q.x END QuillDraw;
PROCEDURE GooseDip(p: PM.More): INTEGER = BEGIN RETURN p.ink - 1 END GooseDip;
VAR t: Pen.T; q: Quill; g: Goose; h, h2: Pen.Handle; any: REFANY; d: Pen.Deep; s: Pen.Same; l1: PM.Layer1; anon: Pen.T; p: Pen.Public;
PROCEDURE Anon(t: Pen.T): TEXT = BEGIN RETURN "anon " & Pen.T.draw(t) END Anon;
BEGIN
  t := NEW(Pen.T); Check.Int(t.x + t.ink, 11, "fields that are known here"); t.x := 5; Check.Text(t.draw(), "1115x", "the hidden x is another"); Check.Int(t.dip() + t.dip(), 23, "dip");
  t := Pen.New(); Check.Text(t.draw(), "own 2111n", "New"); Check.Text(t.init(2).draw(), "own " & "3223n", "init");
  q := NEW(Quill, x := "q"); Check.Int(q.pluck() + q.dip(), 16 + 11, "own fields beyond hidden ones"); Check.Text(q.draw(), "1112x/q", "a subtype of an opaque type"); NARROW(q, Pen.T).x := 0; Check.Text(q.init(3).draw(), "2225x/q", "init");
  g := NEW(Goose); Check.That(g.dip() = 9 AND g.honk AND g.feather = 7, "two levels below"); Check.That(ISTYPE(g, Quill) AND ISTYPE(g, Pen.T) AND ISTYPE(g, PM.More) AND ISTYPE(g, Pen.Public) AND NOT ISTYPE(t, Quill), "ISTYPE");
  anon := NEW(Pen.T, draw := Anon, ink := 3); Check.Text(anon.draw(), "anon 1104x", "NEW with an override"); Check.That(TYPECODE(anon) # TYPECODE(Pen.T) AND TYPECODE(NEW(Pen.T)) = TYPECODE(Pen.T), "which is another type");
  h := Pen.NewHandle(42); any := h; h2 := any; h2 := NARROW(any, Pen.Handle); Check.That(h = h2 AND ISTYPE(any, Pen.Handle) AND TYPECODE(h) = TYPECODE(any) AND TYPECODE(Pen.Handle) = TYPECODE(h), "a plain opaque type"); Check.Int(Pen.Value(h) + Pen.Value(NIL), 41, "Value"); Pen.Reset(h, Pen.New()); Check.Int(Pen.Value(h), 2000, "Reset");
  TYPECASE any OF Pen.T => Check.That(FALSE, "T") | Pen.Handle (x) => Check.Int(Pen.Value(x), 42, "TYPECASE") ELSE Check.That(FALSE, "ELSE") END;
  d := Pen.NewDeep(); Check.Int(d.one, 11, "Deep"); Check.Text(d.name(), "two", "the method of a hidden layer"); l1 := d; d := NARROW(l1, Pen.Deep); Check.Text(PM.Layer1.name(d), "one", "T.m"); Check.Int(d.one, 111, "Layer1");
  s := NEW(Pen.Same, s := 'z'); Check.That(s.same() = 'z' AND s.s = 'z', "opaque below opaque"); Check.Text(s.draw(), "1111x", "inherited through an opaque type"); p := s; Check.Int(p.x, 1, "Public"); t := p; Check.That(t = s, "narrowed");
  Client.Test(); Inner.Test();
  Check.Done();
END Main.

(* unit: Client.i3 *)
INTERFACE Client; IMPORT Pen, PenRep; PROCEDURE Test(); TYPE U = Pen.T OBJECT u: INTEGER END; CONST M = PenRep.Total; END Client.

(* unit: Client.m3 *)
MODULE Client;
(* IMPORT brings the revelations, also beside FROM, and importing Client brings none of PenRep. *)
IMPORT Pen, PenMost, Check; FROM PenMost IMPORT Layer2;
PROCEDURE Test() =
  VAR t := NEW(Pen.T, x := 'c', nib := 1); d: Layer2 := NEW(Pen.Deep); u := NEW(U, u := 4, x := 'u');
  BEGIN Check.That(t.x = 'c' AND t.nib = 1 AND NARROW(t, Pen.Public).x = 1, "x is a CHAR here"); Check.Text(t.draw(), "1012c", "draw"); Check.Int(d.two + d.one, 3, "Layer2"); Check.Text(u.draw() , "1111u", "U"); Check.Int(u.u, 4, "U.u"); Check.Int(M(u), 1111, "M") END Test;
BEGIN END Client.

(* unit: Inner.i3 *)
INTERFACE Inner; PROCEDURE Test(); END Inner.

(* unit: Inner.m3 *)
MODULE Inner;
IMPORT Check, Pen, PenRep, PenMost;
(* An opaque type of a module's own, complete revelations, and mutually recursive ones. *)
TYPE Local <: REFANY; Left <: ROOT; Right <: Left;
REVEAL Local = BRANDED REF RECORD l: Local; v := 3 END; Left = BRANDED OBJECT r: Right; v := 1 METHODS m(): INTEGER := LM END; Right = Left BRANDED OBJECT l: Left OVERRIDES m := RM END;
PROCEDURE LM(l: Left): INTEGER = BEGIN RETURN l.v END LM;
PROCEDURE RM(r: Right): INTEGER = BEGIN RETURN r.v + r.l.m() * 10 END RM;
PROCEDURE Exact(VAR t: PenMost.Most): BOOLEAN = BEGIN t := NIL; RETURN TRUE END Exact;
PROCEDURE Test() =
  VAR t := NEW(Pen.T, secret := 5, nib := 6, ink := 7); l := NEW(Local, l := NEW(Local, v := 8)); r := NEW(Right, v := 2, l := NEW(Left, v := 4)); m: PenMost.Most := t; s := NEW(Pen.Same, secret := 1, s := 'i');
  BEGIN
    Check.Int(t.total() + PenRep.Total(t), 38, "all is known"); Check.Int(l.l.v + l^.v, 11, "Local"); Check.Int(r.m(), 42, "Left and Right"); Check.That(Exact(m) AND m = NIL AND t # NIL, "VAR"); Check.Int(s.total(), 1 + 100 + 10 + 1, "Same"); t.next := t; t.next.secret := 9; Check.Int(t.secret, 9, "next");
  END Test;
BEGIN END Inner.
(* expect: all checks hold *)
