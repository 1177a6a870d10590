(* golden: run, -w *)
(* Methods, overrides, hidden fields, type tests, opaque types. *)
(* unit: Shape.i3 *)
INTERFACE Shape;
TYPE
  T <: Public;
  Public = OBJECT
    name := "shape";
  METHODS
    area(): INTEGER := Zero;
    init(n: INTEGER): T;
  END;
PROCEDURE Zero(self: Public): INTEGER;

PROCEDURE Hidden(t: T): INTEGER;
END Shape.
(* unit: Shape.m3 *)
MODULE Shape;
REVEAL T = Public BRANDED "Shape.T" OBJECT
    secret: [5..9];
    size: INTEGER := 3;
  OVERRIDES
    area := Area;
    init := Init;
  END;
PROCEDURE Zero(<*UNUSED*> self: Public): INTEGER = BEGIN RETURN 0 END Zero;
PROCEDURE Area(self: T): INTEGER = BEGIN RETURN self.size * self.size END Area;
PROCEDURE Init(self: T; n: INTEGER): T = BEGIN self.size := n; RETURN self END Init;
PROCEDURE Hidden(t: T): INTEGER = BEGIN RETURN t.secret * 100 + t.size END Hidden;
BEGIN
END Shape.
(* unit: Main.m3 *)
MODULE Main;

IMPORT IO, Shape;

TYPE
  Bird = OBJECT
    wings := 2;
  METHODS
    cry(): TEXT := BirdCry;
    twice(): TEXT := Twice;
    silent();
  END;
  Duck = Bird OBJECT
    feet: INTEGER;
  OVERRIDES
    cry := Quack;
  END;
  Crow = Bird OBJECT
    wings := 5;  (* another field *)
  METHODS
    cry(): TEXT := Caw;  (* another method *)
  END;
  Square = Shape.T OBJECT
    side := 7;
  OVERRIDES
    area := SquareArea;
  END;
  Cell = REF RECORD value: INTEGER := 4; next: Cell END;

PROCEDURE BirdCry(<*UNUSED*> self: Bird): TEXT = BEGIN RETURN "peep" END BirdCry;
PROCEDURE Twice(self: Bird): TEXT = BEGIN RETURN self.cry() & self.cry() END Twice;
PROCEDURE Quack(self: Duck): TEXT =
  BEGIN
    RETURN "quack" & Bird.cry(self);
  END Quack;
PROCEDURE Caw(<*UNUSED*> self: Crow): TEXT = BEGIN RETURN "caw" END Caw;
PROCEDURE SquareArea(self: Square): INTEGER = BEGIN RETURN self.side * Shape.T.area(self) END SquareArea;

PROCEDURE Int(n: INTEGER) =
  BEGIN
    IO.PutInt(n);
    IO.Put(" ");
  END Int;

PROCEDURE Bool(b: BOOLEAN) =
  BEGIN
    IF b THEN IO.Put("T ") ELSE IO.Put("F ") END;
  END Bool;

PROCEDURE Kind(r: REFANY): TEXT =
  BEGIN
    TYPECASE r OF
    | NULL => RETURN "nil";
    | Duck(d) => Int(d.wings); RETURN "duck";
    | Bird => RETURN "bird";
    | Shape.T, Cell => RETURN "shape or cell";
    | TEXT(t) => RETURN t;
    | REF ARRAY OF CHAR => RETURN "chars";
    ELSE RETURN "other";
    END;
  END Kind;

VAR
  bird: Bird := NEW(Bird);
  duck := NEW(Duck, feet := 2);
  crow := NEW(Crow);
  shape := NEW(Shape.T);
  square := NEW(Square).init(2);
  special := NEW(Bird, cry := Loud, wings := 9);
  cell := NEW(Cell, next := NEW(Cell, value := 6));
  any: REFANY;

PROCEDURE Loud(self: Bird): TEXT =
  BEGIN
    Int(self.wings);
    RETURN "HEY";
  END Loud;

BEGIN
  IO.Put(bird.cry() & " " & duck.cry() & " " & crow.cry() & " " & crow.twice() & " " & duck.twice() & "\n");
  bird := duck; IO.Put(bird.cry() & "\n");
  bird := crow; Int(bird.wings); Int(crow.wings); Int(NARROW(crow, Bird).wings); IO.Put(".\n");
  Int(shape.area()); Int(Shape.Hidden(shape)); Int(square.area()); Int(Shape.Hidden(square)); IO.Put(shape.name & "\n");
  IO.Put(special.cry()); Bool(TYPECODE(special) = TYPECODE(Bird)); Bool(ISTYPE(special, Bird)); Bool(ISTYPE(bird, Duck)); IO.Put(".\n");
  Int(cell.value); Int(cell.next.value); Bool(cell.next.next = NIL); IO.Put(".\n");
  IO.Put(Kind(NIL) & " " & Kind(duck) & " " & Kind(crow) & " " & Kind(square) & " " & Kind(cell) & "\n");
  IO.Put(Kind("text") & " " & Kind(NEW(REF ARRAY OF CHAR, 3)) & " " & Kind(NEW(REF INTEGER)) & "\n");
  any := duck; bird := any; duck := any; Bool(any = duck); Bool(ISTYPE(any, Crow)); Bool(ISTYPE(NIL, Crow)); IO.Put(".\n");
  crow := NIL; any := crow; square := any; Bool(square = NIL); IO.Put(".\n");
  bird.silent();
END Main.
(* expect: peep quackpeep caw peeppeep quackpeepquackpeep *)
(* expect: quackpeep *)
(* expect: 2 5 2 . *)
(* expect: 9 503 28 502 shape *)
(* expect: 9 HEYF T F . *)
(* expect: 4 6 T . *)
(* expect: 2 nil duck bird shape or cell shape or cell *)
(* expect: text chars other *)
(* expect: T F T . *)
(* expect: T . *)
(* expect-status: 4 *)
(* expect-stderr: UndefinedMethod *)
