(* golden: run *)
(* 5.6, 5.3: open arrays whose elements are packed: several dimensions, copies in all directions
   that touch no byte behind the array, defaults that are not zero, constants. *)
MODULE Main;
IMPORT IO, Fmt;

TYPE
  Three = BITS 3 FOR [0..7];
  Wide = BITS 24 FOR [0..16_FFFFFF];
  Nibble = BITS 4 FOR [3..9];
  Row = ARRAY [0..1] OF Three;
  Guarded = RECORD before: [0..255]; a: ARRAY [0..3] OF Three; after: [0..255] END;
  GuardedWide = RECORD a: ARRAY [0..2] OF Wide; after: [0..255] END;

CONST
  Table = ARRAY [0..2] OF Row{Row{1, 2}, Row{3, 4}, Row{5, 6}};

PROCEDURE Show(READONLY a: ARRAY OF ARRAY OF Three) =
  BEGIN
    FOR i := 0 TO LAST(a) DO
      FOR j := 0 TO LAST(a[i]) DO IO.Put(Fmt.Int(a[i, j])); END;
    END;
    IO.Put("\n");
  END Show;

PROCEDURE ByValue(a: ARRAY OF ARRAY OF Three) =  (* expect-warning: W0403 *)
  BEGIN
    a[2][1] := 0;
    Show(a);
  END ByValue;

PROCEDURE Assign(VAR to: ARRAY OF Three; READONLY from: ARRAY OF Three) =
  BEGIN
    to := from;
  END Assign;

PROCEDURE AssignWide(VAR to: ARRAY OF Wide; from: ARRAY OF Wide) =  (* expect-warning: W0403 *)
  BEGIN
    to := from;
  END AssignWide;

(* Rows that are not whole words: those of fixed and of open arrays have the same places. *)
PROCEDURE Rows() =
  TYPE
    B13 = BITS 13 FOR [0..8191];
    Fixed13 = ARRAY [0..1] OF ARRAY [0..10] OF B13;
    Fixed24 = ARRAY [0..2] OF ARRAY [0..2] OF Wide;
  VAR
    a13 := NEW(REF ARRAY OF ARRAY OF B13, 2, 11);
    a24 := NEW(UNTRACED REF ARRAY OF ARRAY OF Wide, 3, 3);
    b13: Fixed13;
    b24: Fixed24;
  BEGIN
    FOR i := 0 TO 1 DO FOR j := 0 TO 10 DO a13[i, j] := 4000 + i * 100 + j; END; END;
    FOR i := 0 TO 2 DO FOR j := 0 TO 2 DO a24[i, j] := 16_100000 * i + j; END; END;
    b13 := a13^;
    b24 := a24^;
    <*ASSERT b13 = a13^ AND b24 = a24^*>
    <*ASSERT b13[1][10] = 4110 AND b13[0][10] = 4010 AND b24[2][2] = 16_200002*>
    <*ASSERT b13[1] = a13[1] AND b24[1] = a24[1] AND b24[1] # a24[2]*>
    b13[1] := b13[0];
    b24[0] := b24[2];
    a13^ := b13;
    a24^ := b24;
    <*ASSERT a13[1, 10] = 4010 AND a24[0, 0] = 16_200000 AND a24[1, 2] = 16_100002*>
    <*ASSERT BYTESIZE(a13^) = BYTESIZE(b13) AND BYTESIZE(a24^) = BYTESIZE(b24)*>
  END Rows;

VAR
  open := NEW(REF ARRAY OF ARRAY OF Three, 3, 2);
  fixed: ARRAY [0..2] OF Row;
  deep := NEW(REF ARRAY OF ARRAY OF ARRAY OF Three, 2, 2, 3);
  line := NEW(REF ARRAY OF Three, 4);
  g := Guarded{255, ARRAY [0..3] OF Three{0, ..}, 255};
  w := GuardedWide{ARRAY [0..2] OF Wide{0, ..}, 200};
  nibbles := NEW(REF ARRAY OF Nibble, 7);
  grid := NEW(UNTRACED REF ARRAY OF ARRAY OF Nibble, 2, 3);
  sum := 0;
BEGIN
  FOR i := 0 TO 2 DO
    FOR j := 0 TO 1 DO open[i, j] := 7 - i * 2 - j; END;
  END;
  (* expect: 765432 *)
  Show(open^);
  (* expect: 765430 *)
  ByValue(open^);
  fixed := open^;
  (* expect: 765432 *)
  Show(fixed);
  open^ := Table;
  (* expect: 123456 *)
  Show(open^);
  (* expect: TRUE FALSE *)
  IO.Put(Fmt.Bool(open^ = Table) & " " & Fmt.Bool(open^ = fixed) & "\n");
  open[1] := Row{0, 7};
  (* expect: 120756 *)
  Show(open^);
  FOR i := 0 TO 1 DO
    FOR j := 0 TO 1 DO FOR k := 0 TO 2 DO deep[i, j, k] := (i * 6 + j * 3 + k) MOD 8; END; END;
  END;
  (* expect: 012345 *)
  Show(deep[0]);
  (* expect: 670123 *)
  Show(deep[1]);
  line[0] := 1; line[3] := 4;
  Assign(g.a, line^);
  (* expect: 255 1 4 255 *)
  IO.Put(Fmt.Int(g.before) & " " & Fmt.Int(g.a[0]) & " " & Fmt.Int(g.a[3]) & " "
           & Fmt.Int(g.after) & "\n");
  AssignWide(w.a, ARRAY OF Wide{1, 2, 16_ABCDEF});
  (* expect: 1 2 abcdef 200 *)
  IO.Put(Fmt.Int(w.a[0]) & " " & Fmt.Int(w.a[1]) & " " & Fmt.Int(w.a[2], 16) & " "
           & Fmt.Int(w.after) & "\n");
  (* expect: 21 18 *)
  FOR i := 0 TO 6 DO INC(sum, nibbles[i]); END;
  IO.Put(Fmt.Int(sum) & " ");
  sum := 0;
  FOR i := 0 TO 1 DO FOR j := 0 TO 2 DO INC(sum, grid[i, j]); END; END;
  IO.Put(Fmt.Int(sum) & "\n");
  Rows();
END Main.
