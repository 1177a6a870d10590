(* Calls of methods of objects of several types, in arrays of references. Usage: Main N rounds. *)
MODULE Main;

IMPORT Fmt, IO, Params, Scan;

<*FATAL ANY*>

CONST Count = 5000;

TYPE
  Shape = OBJECT x, y: INTEGER METHODS area(): INTEGER; move(dx, dy: INTEGER) := Move END;
  Square = Shape OBJECT side: INTEGER OVERRIDES area := SquareArea END;
  Box = Square OBJECT height: INTEGER OVERRIDES area := BoxArea END;
  Group = Shape OBJECT a, b: Shape OVERRIDES area := GroupArea; move := GroupMove END;

PROCEDURE Move(s: Shape; dx, dy: INTEGER) = BEGIN INC(s.x, dx); INC(s.y, dy) END Move;
PROCEDURE SquareArea(s: Square): INTEGER = BEGIN RETURN s.side * s.side END SquareArea;
PROCEDURE BoxArea(b: Box): INTEGER = BEGIN RETURN b.side * b.height END BoxArea;
PROCEDURE GroupArea(g: Group): INTEGER = BEGIN RETURN g.a.area() + g.b.area() END GroupArea;

PROCEDURE GroupMove(g: Group; dx, dy: INTEGER) =
  BEGIN
    Move(g, dx, dy);
    g.a.move(dx, dy);
    g.b.move(dx, dy);
  END GroupMove;

VAR shapes: ARRAY [0..Count - 1] OF Shape;  sum := 0;  boxes := 0;
BEGIN
  FOR i := 0 TO Count - 1 DO
    CASE i MOD 3 OF
    | 0 => shapes[i] := NEW(Square, x := i, y := 0, side := i MOD 10);
    | 1 => shapes[i] := NEW(Box, x := 0, y := i, side := i MOD 7, height := i MOD 5);
    ELSE shapes[i] := NEW(Group, x := 1, y := 1, a := shapes[i - 1], b := shapes[i - 2]);
    END;
  END;
  FOR round := 1 TO Scan.Int(Params.Get(1)) DO
    FOR i := 0 TO Count - 1 DO
      shapes[i].move(round MOD 3, 1);
      INC(sum, shapes[i].area() + shapes[i].x);
      IF ISTYPE(shapes[i], Box) THEN INC(boxes) END;
    END;
  END;
  IO.Put(Fmt.Int(sum) & " " & Fmt.Int(boxes) & "\n");
END Main.
