(* golden: run, @M3paranoidgc, -w *)
(* 5.6: open arrays whose elements take more bits than a variable of their type would, or whose
   rows end with unused bits: NEW and constructors take as much memory as the elements need. *)
UNSAFE MODULE Main;
IMPORT IO, Fmt;

TYPE
  Wide = BITS 22 FOR [3..9];  (* a byte as a variable of its own *)
  WideSet = BITS 13 FOR SET OF [0..4];
  WideRecord = BITS 40 FOR RECORD a: BITS 3 FOR [0..7] END;
  Seven = BITS 7 FOR [0..127];  (* five of them: a row of eight bytes *)

VAR
  wrong := 0;
  kept: ARRAY [0..9] OF REFANY;

PROCEDURE Check(holds: BOOLEAN; what: TEXT) =
  BEGIN
    IF NOT holds THEN IO.Put("wrong: " & what & "\n"); INC(wrong) END;
  END Check;

PROCEDURE One(n: INTEGER) =
  VAR
    a := NEW(REF ARRAY OF Wide, n);
    behind := NEW(REF ARRAY OF INTEGER, 4);
    sets := NEW(REF ARRAY OF WideSet, n);
    records := NEW(REF ARRAY OF WideRecord, n);
    own := NEW(UNTRACED REF ARRAY OF Wide, n);
  BEGIN
    FOR i := 0 TO n - 1 DO
      Check(a[i] = 3 AND own[i] = 3 AND sets[i] = SET OF [0..4]{} AND records[i].a = 0, "defaults");
      a[i] := 3 + i MOD 7;
      own[i] := a[i];
      sets[i] := SET OF [0..4]{i MOD 5};
      records[i].a := i MOD 8;
    END;
    FOR i := 0 TO 3 DO Check(behind[i] = 0, "what lies behind"); END;
    FOR i := 0 TO n - 1 DO
      Check(a[i] = 3 + i MOD 7 AND own[i] = a[i], "elements");
      Check(sets[i] = SET OF [0..4]{i MOD 5} AND records[i].a = i MOD 8, "aggregates");
    END;
    kept[n MOD 10] := a;
    DISPOSE(own);
  END One;

PROCEDURE Rows(n: INTEGER) =
  VAR
    a := NEW(REF ARRAY OF ARRAY OF Seven, n, 5);
    w := NEW(REF ARRAY OF ARRAY OF ARRAY OF Wide, 2, n, 3);
    behind := NEW(REF ARRAY OF INTEGER, 4);
  BEGIN
    FOR i := 0 TO n - 1 DO
      FOR j := 0 TO 4 DO Check(a[i, j] = 0, "zero"); a[i, j] := (i * 5 + j) MOD 128; END;
      FOR j := 0 TO 2 DO Check(w[1, i, j] = 3, "three"); w[1, i, j] := 3 + (i + j) MOD 7; END;
    END;
    FOR i := 0 TO 3 DO Check(behind[i] = 0, "what lies behind rows"); END;
    FOR i := 0 TO n - 1 DO
      FOR j := 0 TO 4 DO Check(a[i, j] = (i * 5 + j) MOD 128, "rows"); END;
      FOR j := 0 TO 2 DO Check(w[1, i, j] = 3 + (i + j) MOD 7 AND w[0, i, j] = 3, "rows of rows"); END;
    END;
    kept[n MOD 10] := a;
  END Rows;

PROCEDURE Number(READONLY a: ARRAY OF Wide): INTEGER =
  VAR n := 0;
  BEGIN
    FOR i := 0 TO LAST(a) DO n := n * 10 + a[i]; END;
    RETURN n;
  END Number;

PROCEDURE Constructors(n: INTEGER) =
  VAR before := n; number := Number(ARRAY OF Wide{n, n + 1, n + 2, n, n, 9, 3, n + 3, n, n + 1}); after := n;
  BEGIN
    IO.Put(Fmt.Int(number) & " " & Fmt.Int(before) & Fmt.Int(after) & "\n");
  END Constructors;

(* 22.5: the length of an array that LOOPHOLE makes counts elements, not bytes. *)
PROCEDURE Nibbles() =
  TYPE Nibble = BITS 4 FOR [0..15];
  VAR x := 16_1234; r: RECORD a: BITS 12 FOR [0..4095]; b: BITS 4 FOR [0..15] END;
  BEGIN
    WITH nibbles = LOOPHOLE(x, ARRAY OF Nibble) DO
      IO.Put(Fmt.Int(NUMBER(nibbles)) & " " & Fmt.Int(nibbles[0]) & Fmt.Int(nibbles[3]) & "\n");
      nibbles[1] := 15;
    END;
    IO.Put(Fmt.Int(x, 16) & "\n");
    r.a := 16_ABC;
    r.b := 1;
    WITH nibbles = LOOPHOLE(r, ARRAY OF Nibble) DO
      IO.Put(Fmt.Int(NUMBER(nibbles)) & " " & Fmt.Int(nibbles[2]) & Fmt.Int(nibbles[3]) & "\n");
    END;
  END Nibbles;

(* SUBARRAY of elements that begin at bytes: all of them are copied and compared. *)
PROCEDURE Parts() =
  TYPE A = ARRAY [0..9] OF BITS 16 FOR [0..255];
  VAR a := A{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}; b := NEW(REF ARRAY OF BITS 16 FOR [0..255], 4);
  BEGIN
    SUBARRAY(a, 2, 5) := SUBARRAY(a, 0, 5);
    Check(a = A{1, 2, 1, 2, 3, 4, 5, 8, 9, 10}, "parts");
    b^ := SUBARRAY(a, 4, 4);
    SUBARRAY(a, 0, 2) := SUBARRAY(b^, 2, 2);
    Check(a = A{5, 8, 1, 2, 3, 4, 5, 8, 9, 10}, "parts of others");
    Check(SUBARRAY(a, 4, 4) = b^ AND SUBARRAY(a, 3, 4) # b^, "equal parts");
  END Parts;

BEGIN
  FOR i := 0 TO 1000 DO
    One(i MOD 70);
    Rows(i MOD 50);
  END;
  One(1000);
  Rows(1000);
  Constructors(4);
  Nibbles();
  Parts();
  IO.Put(Fmt.Int(wrong) & "\n");
END Main.

(* expect: 4564493745 44 *)
(* expect: 16 41 *)
(* expect: 12f4 *)
(* expect: 4 101 *)
(* expect: 0 *)
