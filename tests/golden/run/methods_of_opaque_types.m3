(* golden: run, -w *)
(* T.m of opaque types whose declared and partly revealed supertypes are written out, not named (language.md 12.2, 9, 21). *)
INTERFACE Base;
TYPE
  T <: ROOT OBJECT METHODS start(n: INTEGER): T; value(): INTEGER END;
  Two <: ROOT OBJECT a := 1; METHODS one(): TEXT := One END OBJECT METHODS two(): TEXT END;
  Plain <: ROOT OBJECT METHODS m(): INTEGER := Seven; none() END;
PROCEDURE One(t: ROOT): TEXT;
PROCEDURE Seven(t: ROOT): INTEGER;
END Base.

(* unit: Base.m3 *)
MODULE Base EXPORTS Base, More;
REVEAL
  T = ROOT OBJECT METHODS start(n: INTEGER): T; value(): INTEGER END BRANDED "Base.T" OBJECT
    n := 0;
  OVERRIDES start := Start; value := Value END;
  Two = ROOT OBJECT a := 1; METHODS one(): TEXT := One END OBJECT METHODS two(): TEXT END
    OBJECT METHODS three(): TEXT := Three END BRANDED OBJECT METHODS one() := Hidden OVERRIDES two := TwoM END;
  Plain = ROOT OBJECT METHODS m(): INTEGER := Seven; none() END BRANDED OBJECT END;
PROCEDURE Start(t: T; n: INTEGER): T = BEGIN t.n := n; RETURN t END Start;
PROCEDURE Value(t: T): INTEGER = BEGIN RETURN t.n END Value;
PROCEDURE One(<*UNUSED*> t: ROOT): TEXT = BEGIN RETURN "one" END One;
PROCEDURE Hidden(<*UNUSED*> t: ROOT) = BEGIN END Hidden;
PROCEDURE TwoM(t: Two): TEXT = BEGIN RETURN "two" & Two.three(t) END TwoM;
PROCEDURE Three(<*UNUSED*> t: ROOT): TEXT = BEGIN RETURN "three" END Three;
PROCEDURE Seven(<*UNUSED*> t: ROOT): INTEGER = BEGIN RETURN 7 END Seven;
BEGIN END Base.

(* unit: More.i3 *)
INTERFACE More;
IMPORT Base;
REVEAL Base.Two <: ROOT OBJECT a := 1; METHODS one(): TEXT := Base.One END OBJECT METHODS two(): TEXT END
    OBJECT METHODS three(): TEXT := Three END;
PROCEDURE Three(t: ROOT): TEXT;
END More.

(* unit: Extend.ig *)
GENERIC INTERFACE Extend(Super, Origin);
TYPE T = Super.T OBJECT OVERRIDES start := Start END;
PROCEDURE Start(t: T; n: INTEGER): Origin.T;
CONST Value = Super.T.value;
END Extend.

(* unit: Extend.mg *)
GENERIC MODULE Extend(Super, Origin);
PROCEDURE Start(t: T; n: INTEGER): Origin.T = BEGIN RETURN Super.T.start(t, 10 * n) END Start;
BEGIN END Extend.

(* unit: Ten.i3 *)
INTERFACE Ten = Extend(Base, Base) END Ten.

(* unit: Ten.m3 *)
MODULE Ten = Extend(Base, Base) END Ten.

(* unit: Hundred.i3 *)
INTERFACE Hundred = Extend(Ten, Base) END Hundred.

(* unit: Hundred.m3 *)
MODULE Hundred = Extend(Ten, Base) END Hundred.

(* unit: Partly.m3 *)
MODULE Partly EXPORTS Main;
IMPORT IO, Base, More, Ten, Hundred, TextIntTbl, IntTextTbl, SortedIntIntTbl, Fmt, RuntimeError;
TYPE
  Mine = Base.T OBJECT OVERRIDES start := Start END;
  Table = TextIntTbl.Default OBJECT OVERRIDES init := Init; put := Put END;
  Sorted = SortedIntIntTbl.Default OBJECT OVERRIDES init := InitSorted END;
  Names = IntTextTbl.Default OBJECT OVERRIDES init := InitNames END;
  NoNone = Base.Plain OBJECT OVERRIDES none := Base.Plain.none END;
CONST Two = Base.Two.two; One = Base.Two.one; Three = Base.Two.three;
VAR puts := 0; p := Base.Plain.m; v: INTEGER; value := Hundred.Value;
PROCEDURE Start(m: Mine; n: INTEGER): Base.T = BEGIN RETURN Base.T.start(m, n + 1) END Start;
PROCEDURE Init(t: Table; n: CARDINAL): TextIntTbl.Default = BEGIN RETURN TextIntTbl.Default.init(t, n) END Init;
PROCEDURE Put(t: Table; READONLY k: TEXT; READONLY v: INTEGER): BOOLEAN =
  BEGIN INC(puts); RETURN TextIntTbl.Default.put(t, k, v) END Put;
PROCEDURE InitSorted(t: Sorted): SortedIntIntTbl.Default = BEGIN RETURN SortedIntIntTbl.Default.init(t) END InitSorted;
PROCEDURE InitNames(t: Names; n: CARDINAL): IntTextTbl.Default = BEGIN RETURN IntTextTbl.Default.init(t, n) END InitNames;
BEGIN
  EVAL More.Three;
  IO.PutInt(NEW(Mine).start(3).value()); IO.Put("\n");
  WITH t = NEW(Table).init(10) DO
    EVAL t.put("a", 5); EVAL t.get("a", v);
    IO.Put(Fmt.Int(t.size()) & " " & Fmt.Int(v) & " " & Fmt.Int(puts) & "\n")
  END;
  IO.PutInt(NEW(Sorted).init().size() + NEW(Names).init(3).size()); IO.Put("\n");
  IO.PutInt(NEW(Hundred.T).start(3).value()); IO.PutInt(value(NEW(Ten.T).start(2))); IO.Put("\n");
  WITH t = NEW(Base.Two) DO IO.Put(One(t) & " " & Two(t) & " " & Three(t) & "\n") END;
  IO.PutInt(p(NEW(Base.Plain))); IO.Put("\n");
  TRY NEW(NoNone).none() EXCEPT RuntimeError.E(e) => IO.Put(RuntimeError.Tag(e) & "\n") END;
END Partly.
(* expect: 4 *)
(* expect: 1 5 1 *)
(* expect: 0 *)
(* expect: 30020 *)
(* expect: one twothree three *)
(* expect: 7 *)
(* expect: call of a NIL method *)
