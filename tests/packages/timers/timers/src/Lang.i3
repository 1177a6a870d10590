INTERFACE Lang;
(* Odd corners. *)
TYPE
  Sub = [-3 .. 3]; Letter = ['a' .. 'z']; Day = {Mon, Tue, Wed, Thu, Fri, Sat, Sun}; WeekDay = [Day.Mon .. Day.Fri];
  Empty = {}; Matrix = ARRAY [1..3], [1..3] OF REAL; Vec = ARRAY OF LONGREAL; Open2 = ARRAY OF ARRAY OF INTEGER;
  Rec = RECORD x, y: INTEGER := 1; d := Day.Wed; s := SET OF Letter{'a', 'c' .. 'e'}; n := RECORD z: CHAR := 'q' END{} END;
  Tree = BRANDED "Lang.Tree" REF RECORD l, r: Tree := NIL; key: TEXT END;
  P0 = PROCEDURE(); P1 = PROCEDURE(a: INTEGER; VAR b: INTEGER; READONLY c: Rec; d := 3): BOOLEAN RAISES {};
  Obj = OBJECT a := 1; METHODS m(x: INTEGER): INTEGER := M1; n() END;
  Obj2 = Obj BRANDED OBJECT b := 2; METHODS q() := Q1 OVERRIDES m := M2; n := N2 END;
  U = UNTRACED REF INTEGER;
PROCEDURE M1(o: Obj; x: INTEGER): INTEGER;
PROCEDURE M2(o: Obj2; x: INTEGER): INTEGER;
PROCEDURE N2(o: Obj2); PROCEDURE Q1(o: Obj2);
PROCEDURE Mul(READONLY a, b: Matrix): Matrix;
PROCEDURE Sum(READONLY v: Vec): LONGREAL;
PROCEDURE Trace(READONLY m: Open2): INTEGER;
CONST Ident = Matrix{ARRAY [1..3] OF REAL{1.0, 0.0, 0.0}, ARRAY [1..3] OF REAL{0.0, 1.0, ..}, ARRAY [1..3] OF REAL{0.0, 0.0, 1.0}};
  DayName = ARRAY Day OF TEXT{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
  Default = Rec{}; R2 = Rec{y := 4, x := 3};
VAR counter: INTEGER; hook: P0 := NIL;
END Lang.
