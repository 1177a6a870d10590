(* golden: run, with lib/Check, -w *)
(* Imports, exports, generics, the order of initialisation, safety
   (language.md 20, 21, 22.1, 22.2, 22.3, 22.4, 22.6). *)
INTERFACE Log; PROCEDURE Add(t: TEXT); PROCEDURE Get(): TEXT; VAR early := 5; END Log.

(* unit: Log.m3 *)
MODULE Log; VAR log := ""; PROCEDURE Add(t: TEXT) = BEGIN log := log & t END Add; PROCEDURE Get(): TEXT = BEGIN RETURN log END Get; BEGIN log := log & "L" END Log.

(* unit: Left.i3 *)
INTERFACE Left; VAR x := 1; TYPE T = INTEGER; CONST C = 10; EXCEPTION E(T); PROCEDURE P(): INTEGER; PROCEDURE Q(): INTEGER; END Left.

(* unit: Left.m3 *)
MODULE Left; IMPORT Log, Right; PROCEDURE P(): INTEGER = BEGIN RETURN x + Right.x END P; BEGIN Log.Add("l" & Right.Name()) END Left.

(* unit: LeftQ.m3 *)
(* Another module implements the rest, and exports a second interface. *)
MODULE LeftQ EXPORTS Left, Extra; IMPORT Log, Extra; PROCEDURE Q(): INTEGER = BEGIN RETURN x * 100 + Extra.More() + More() END Q; PROCEDURE More(): INTEGER = BEGIN INC(count); RETURN count END More; BEGIN Log.Add("q") END LeftQ.

(* unit: Extra.i3 *)
INTERFACE Extra; VAR count := 0; PROCEDURE More(): INTEGER; END Extra.

(* unit: Right.i3 *)
INTERFACE Right; IMPORT Left AS L; FROM Left IMPORT C; VAR x: L.T := C * 2; PROCEDURE Name(): TEXT; TYPE T = RECORD l: L.T END; END Right.

(* unit: Right.m3 *)
(* Left and Right use each other: one of them is first. *)
MODULE Right; IMPORT Log, Left; VAR name := "r"; PROCEDURE Name(): TEXT = BEGIN IF name = NIL THEN RETURN "n" ELSE RETURN "" END END Name; BEGIN Log.Add("r"); Left.x := Left.x + 0 END Right.

(* unit: Base.i3 *)
INTERFACE Base; CONST Name = "base"; PROCEDURE Ready(): BOOLEAN; END Base.

(* unit: Base.m3 *)
MODULE Base; IMPORT Log; VAR ready := FALSE; PROCEDURE Ready(): BOOLEAN = BEGIN RETURN ready END Ready; BEGIN ready := TRUE; Log.Add("b") END Base.

(* unit: Middle.i3 *)
INTERFACE Middle; IMPORT Base; CONST Name = Base.Name & "/middle"; VAR ok: BOOLEAN; END Middle.

(* unit: Middle.m3 *)
(* Uses Base through its own interface only. *)
MODULE Middle; IMPORT Log, Base AS B; BEGIN ok := B.Ready(); Log.Add("m") END Middle.

(* unit: Top.i3 *)
INTERFACE Top; END Top.

(* unit: Top.m3 *)
MODULE Top EXPORTS Top; IMPORT Middle, Log; BEGIN IF Middle.ok THEN Log.Add("t") ELSE Log.Add("T") END END Top.

(* unit: Stack.ig *)
GENERIC INTERFACE Stack(Elem, Size);
FROM Size IMPORT Max;
TYPE T <: Public; Public = OBJECT METHODS push(e: Elem.T); pop(): Elem.T RAISES {Empty}; size(): [0 .. Max] END; EXCEPTION Empty;
CONST Brand = "(Stack " & Elem.Brand & ")"; Limit = Size.Max; VAR made := 0; TYPE Unnamed = BRANDED REF INTEGER;
PROCEDURE New(): T;
END Stack.

(* unit: StackImpl.mg *)
GENERIC MODULE StackImpl(E, Equal, Extra_);
IMPORT Log;
REVEAL T = Public BRANDED Brand OBJECT n := 0; a: ARRAY [1 .. Limit] OF E.T OVERRIDES push := Push; pop := Pop; size := Size END;
PROCEDURE New(): T = BEGIN INC(made); RETURN NEW(T) END New;
PROCEDURE Push(t: T; e: E.T) = BEGIN IF t.n > 0 AND Equal.Equal(t.a[t.n], e) THEN Log.Add("=") END; INC(t.n); t.a[t.n] := e END Push;
PROCEDURE Pop(t: T): E.T RAISES {Empty} = BEGIN IF t.n = 0 THEN RAISE Empty END; DEC(t.n); RETURN t.a[t.n + 1] END Pop;
PROCEDURE Size(t: T): [0 .. Limit] = BEGIN RETURN t.n END Size;
BEGIN Log.Add("s"); IF Extra_.Name = Brand THEN Log.Add("?") END END StackImpl.

(* unit: Three.i3 *)
INTERFACE Three; CONST Max = 3; END Three.

(* unit: IntElem.i3 *)
INTERFACE IntElem; TYPE T = INTEGER; CONST Brand = "Int"; PROCEDURE Equal(a, b: T): BOOLEAN; END IntElem.

(* unit: IntElem.m3 *)
MODULE IntElem; PROCEDURE Equal(a, b: T): BOOLEAN = BEGIN RETURN a = b END Equal; BEGIN END IntElem.

(* unit: IntStack.i3 *)
INTERFACE IntStack = Stack(IntElem, Three) END IntStack.

(* unit: IntStack.m3 *)
MODULE IntStack = StackImpl(IntElem, IntElem, Base) END IntStack.

(* unit: StackStack.i3 *)
INTERFACE StackStack = Stack(IntStack, Three) END StackStack.

(* unit: StackStack.m3 *)
MODULE StackStack EXPORTS StackStack = StackImpl(IntStack, Same, Base) END StackStack.

(* unit: Same.i3 *)
INTERFACE Same = Sameness(IntStack) END Same.

(* unit: Same.m3 *)
MODULE Same = Sameness(IntStack) END Same.

(* unit: Sameness.ig *)
GENERIC INTERFACE Sameness(R); PROCEDURE Equal(a, b: R.T): BOOLEAN; END Sameness.

(* unit: Sameness.mg *)
GENERIC MODULE Sameness(R); PROCEDURE Equal(a, b: R.T): BOOLEAN = BEGIN RETURN a = b END Equal; BEGIN END Sameness.

(* unit: Raw.ig *)
UNSAFE GENERIC INTERFACE Raw(E); TYPE P = UNTRACED REF REF E.T; PROCEDURE Address(READONLY e: E.T): ADDRESS; END Raw.

(* unit: Raw.mg *)
UNSAFE GENERIC MODULE Raw(E); PROCEDURE Address(READONLY e: E.T): ADDRESS = BEGIN RETURN ADR(e) END Address; BEGIN END Raw.

(* unit: RawInt.i3 *)
UNSAFE INTERFACE RawInt = Raw(IntElem) END RawInt.

(* unit: RawInt.m3 *)
UNSAFE MODULE RawInt = Raw(IntElem) END RawInt.

(* unit: Safe.i3 *)
INTERFACE Safe; PROCEDURE BitsOf(r: REAL): INTEGER; PROCEDURE SameAddress(): BOOLEAN; END Safe.

(* unit: Safe.m3 *)
(* An unsafe module may export a safe interface. *)
UNSAFE MODULE Safe; IMPORT RawInt, IntElem;
PROCEDURE BitsOf(r: REAL): INTEGER = VAR n := 0; BEGIN n := LOOPHOLE(ADR(r), UNTRACED REF BITS 32 FOR [0 .. 16_FFFFFFFF])^; RETURN n END BitsOf;
PROCEDURE SameAddress(): BOOLEAN = VAR n: IntElem.T := 4; p: RawInt.P := NEW(RawInt.P); BEGIN p^ := NIL; DISPOSE(p); RETURN RawInt.Address(n) = ADR(n) AND p = NIL END SameAddress;
BEGIN END Safe.

(* unit: Second.i3 *)
INTERFACE Second; PROCEDURE FromMain(): TEXT; END Second.

(* unit: Program.m3 *)
(* The main module has any name; it exports Main, and more. X of FROM X is first looked up among the local names of imports. *)
MODULE Program EXPORTS Main, Second;
IMPORT Check, Log, Text AS T; FROM Log IMPORT early; FROM Left IMPORT Name; IMPORT Right AS Left; IMPORT Left AS Right; FROM Right IMPORT x, P, E, C; IMPORT Extra, Top, Middle, IntStack, StackStack, Safe, Second;
IMPORT Word, Long, Real, LongReal, Extended, RealFloat, LongFloat, ExtendedFloat, FloatMode, Thread, Text;
PROCEDURE FromMain(): TEXT = BEGIN RETURN "main" END FromMain;
VAR s := IntStack.New(); ss := StackStack.New(); empty := FALSE; u := NEW(UNTRACED REF RECORD a: BITS 3 FOR [0..7] END, a := 7); uo := NEW(UNTRACED ROOT); log := Log.Get();
EXCEPTION Empty;
PROCEDURE Before(a, b: TEXT): BOOLEAN = VAR i := Text.FindChar(log, Text.GetChar(a, 0)); j := Text.FindChar(log, Text.GetChar(b, 0)); BEGIN RETURN i >= 0 AND i < j END Before;
BEGIN
  Check.That(Before("L", "b") AND Before("b", "m") AND Before("m", "t") AND Before("L", "l") AND Before("L", "q") AND Before("L", "r"), "what is used is first: " & log); Check.Int(Text.Length(log), 10, "each body once: " & log); Check.Int(T.Length(log), 10, "two names of one interface");
  Check.Text(Name() & Left.Name(), "", "FROM of the local name"); x := 4; Check.Int(x + P() + Right.Q() + C + Left.x, 4 + 24 + 400 + 1 + 2 + 10 + 20, "imports"); Check.Int(Extra.count + early, 7, "variables"); TRY RAISE E(3) EXCEPT Right.E (n) => Check.Int(n, 3, "exceptions") END; Check.That(Middle.ok, "Middle"); Check.Text(Middle.Name, "base/middle", "constants"); Check.Text(FromMain() & Second.FromMain(), "mainmain", "exports and imports Second");
  s.push(1); s.push(1); ss.push(s); ss.push(NIL); TRY EVAL s.pop(); EVAL ss.pop(); Check.Int(ss.pop().pop(), 1, "stacks"); s.push(5); Check.Int(s.pop() + s.size(), 5, "stack"); EVAL s.pop() EXCEPT IntStack.Empty => empty := TRUE | StackStack.Empty, Empty => Check.That(FALSE, "another Empty") END; Check.That(empty AND IntStack.made = 1 AND StackStack.made = 1 AND IntStack.Limit = 3, "each instance has its own"); Check.Text(StackStack.Brand, "(Stack (Stack Int))", "brands"); Check.That(TYPECODE(IntStack.Unnamed) # TYPECODE(StackStack.Unnamed), "unnamed brands"); Check.Int(Text.Length(Log.Get()), 11, "=");
  Check.Int(Safe.BitsOf(2.0), 16_40000000, "unsafe behind safe"); Check.That(Safe.SameAddress() AND u.a = 7 AND uo # NIL, "untraced in safe units"); Check.That(Word.Size = BITSIZE(Word.T) AND Long.Size = 64 AND Real.Base = 2 AND LongReal.Precision = 53 AND Extended.Base = 2 AND RealFloat.IsNaN(0.0) = FALSE AND LongFloat.Sqrt(4.0d0) = 2.0d0 AND ExtendedFloat.Finite(1.0x0) AND FloatMode.RoundDefault = FloatMode.RoundingMode.NearestElseEven AND Thread.Self() # NIL, "the required interfaces"); Check.Done();
END Program.
(* expect: all checks hold *)
