(* golden: run, -w *)
(* Constant open arrays where fixed arrays are expected, and rows of open arrays that are fixed
   arrays (language.md 18.2, 19, 8.1, 7.2). *)
MODULE Main;
IMPORT IO, Fmt, RuntimeError;
TYPE
  Byte = BITS 8 FOR [0..255]; Quad = RECORD b: ARRAY [0..3] OF Byte := ARRAY OF Byte {9, 8, 7, 6}; n := 1 END;
  Row = ARRAY OF INTEGER; Grid = ARRAY OF Row; Square = ARRAY [0..1], [0..1] OF INTEGER; Nibbles = ARRAY OF BITS 4 FOR [0..15];
CONST
  Home = Quad {b := ARRAY OF Byte {127, 0, 0, 1}};
  Squares = ARRAY OF Square {Square {Row {1, 2}, Row {3, 4}}, Grid {Row {5, 6}, Row {7, 8}}};
  Pairs: ARRAY ['a'..'b'] OF RECORD t: TEXT; q: Quad END = ARRAY OF RECORD t: TEXT; q: Quad END {
    RECORD t: TEXT; q: Quad END {"x", Home}, RECORD t: TEXT; q: Quad END {"y", Quad {}}};
  Packed: ARRAY [0..2] OF BITS 4 FOR [0..15] = Nibbles {1, 2, 15};
  Rows = Grid {Row {1, 2, 3}, Row {4, 5, 6}};
  FixedRows = Grid {ARRAY [0..1] OF INTEGER {1, 2}, ARRAY [5..6] OF INTEGER {3, 4}};
  Names: ARRAY BOOLEAN OF TEXT = ARRAY OF TEXT {"no", "yes"};
  Third = Squares[1][0, 1];
VAR q := Home; d: Quad; sq: Square := Grid {Row {1, 2}, Row {3, 4}}; r := ARRAY [0..2] OF INTEGER {1, 2, 3}; two := 2; p := NEW(REF Row, 3);
  bounds: ARRAY [0..Third] OF CHAR;
PROCEDURE Sum(READONLY g: Grid): INTEGER =
  VAR s := 0; BEGIN FOR i := 0 TO LAST(g) DO FOR j := 0 TO LAST(g[i]) DO INC(s, g[i][j]) END END; RETURN s END Sum;
PROCEDURE Value(g: Grid): INTEGER = BEGIN RETURN Sum(g) + NUMBER(g) * 100 END Value;
PROCEDURE Cube(READONLY c: ARRAY OF Grid): INTEGER = VAR s := 0; BEGIN FOR i := 0 TO LAST(c) DO INC(s, Sum(c[i])) END; RETURN s END Cube;
PROCEDURE Fixed(READONLY s: Square := Grid {Row {1, 1}, Row {1, 1}}): INTEGER = BEGIN RETURN s[0, 0] + s[0, 1] + s[1, 0] + s[1, 1] END Fixed;
PROCEDURE Ragged(n: INTEGER) =
  BEGIN
    TRY CASE n OF
    | 0 => EVAL Sum(Grid {Row {1}, Row {1, 2}});
    | 1 => EVAL Sum(Grid {r, Row {1, 2}});
    | 2 => EVAL Sum(Grid {SUBARRAY(r, 0, two), r});
    | 3 => sq := Grid {Row {1, 2}, Row {3, two}, Row {5, 6}};
    ELSE EVAL Fixed(Grid {Row {1}, Row {1}});
    END
    EXCEPT RuntimeError.E(e) => IO.Put(Fmt.Int(ORD(e)) & ";") END;
  END Ragged;
BEGIN
  FOR i := 0 TO 3 DO IO.Put(" " & Fmt.Int(q.b[i]) & Fmt.Int(d.b[i])) END; IO.Put("\n");
  IO.Put(Fmt.Int(Squares[0][1, 0]) & Fmt.Int(Squares[two - 1][1, 1]) & Pairs['b'].t & Fmt.Int(Pairs['a'].q.b[0]) & Fmt.Int(Packed[2]) & "\n");
  IO.Put(Fmt.Int(Sum(Rows)) & " " & Fmt.Int(Sum(FixedRows)) & " " & Fmt.Int(NUMBER(bounds)) & Names[two = 2] & "\n");
  p^ := r;
  IO.Put(Fmt.Int(Sum(Grid {r, r})) & " " & Fmt.Int(Value(Grid {p^, r, SUBARRAY(r, 0, 3)})) & " " & Fmt.Int(Sum(Grid {sq[0], sq[1]})) & "\n");
  IO.Put(Fmt.Int(Cube(ARRAY OF Grid {sq, sq})) & " " & Fmt.Int(Cube(ARRAY OF Grid {Grid {sq[0]}, Grid {Row {5, two}}})) & " " & Fmt.Int(Fixed()) & Fmt.Int(Fixed(sq)) & "\n");
  sq := Grid {sq[1], sq[0]};
  IO.Put(Fmt.Int(sq[0, 0]) & Fmt.Int(sq[1, 1]) & Fmt.Int(Sum(Grid {})) & Fmt.Bool(Rows[0] = r) & "\n");
  EVAL ARRAY OF Grid {Grid {}}; IO.Put(Fmt.Int(Cube(ARRAY OF Grid {Grid {}, Grid {}})) & Fmt.Int(Cube(ARRAY OF Grid {Grid {Row {}}})) & Fmt.Int(Cube(ARRAY OF Grid {})) & "\n");
  FOR i := 0 TO 4 DO Ragged(i) END; IO.Put("\n");
END Main.
(* expect:  1279 08 07 16 *)
(* expect: 38y12715 *)
(* expect: 21 10 7yes *)
(* expect: 12 318 10 *)
(* expect: 20 10 410 *)
(* expect: 320TRUE *)
(* expect: 000 *)
(* expect: 3;3;3;3;3; *)
