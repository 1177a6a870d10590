(* golden: persist, with lib/Store, lib/Check, --barriers=software, @M3paranoidbarriers *)
(* The barrier of an array assignment comes before the copy if the two arrays may overlap, also when the copy
   is the first store to its page: @M3paranoidbarriers reports nothing (language.md 14.1). *)
MODULE Main;

IMPORT Check, Database, Store, Transaction;

<*FATAL ANY*>

TYPE
  Numbers = REF ARRAY OF INTEGER;
  Chars = REF ARRAY OF CHAR;
  Pair = RECORD a: INTEGER; t: TEXT END;
  Pairs = REF ARRAY OF Pair;
  Row = ARRAY [0 .. 19] OF INTEGER;
  (* Each object has a page of its own. *)
  T = REF RECORD
    filler: ARRAY [0 .. 499] OF INTEGER;
    row, other: Row;
    numbers: Numbers;
    chars: Chars;
    pairs: Pairs;
    matrix: REF ARRAY OF ARRAY OF INTEGER;
  END;
  Root = REF ARRAY OF T;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  root: Root;

PROCEDURE Make(): T =
  VAR t := NEW(T);
  BEGIN
    t.numbers := NEW(Numbers, 700);
    t.chars := NEW(Chars, 5000);
    t.pairs := NEW(Pairs, 300);
    t.matrix := NEW(REF ARRAY OF ARRAY OF INTEGER, 20, 30);
    FOR i := 0 TO LAST(t.row) DO t.row[i] := i; t.other[i] := 100 + i END;
    FOR i := 0 TO LAST(t.numbers^) DO t.numbers[i] := i END;
    FOR i := 0 TO LAST(t.chars^) DO t.chars[i] := VAL(i MOD 251, CHAR) END;
    FOR i := 0 TO LAST(t.pairs^) DO t.pairs[i] := Pair {i, "p"} END;
    FOR i := 0 TO 19 DO FOR j := 0 TO 29 DO t.matrix[i, j] := 30 * i + j END END;
    RETURN t;
  END Make;

PROCEDURE Copy(VAR to: ARRAY OF INTEGER; READONLY from: ARRAY OF INTEGER) =
  BEGIN
    to := from;
  END Copy;

(* Each kind of copy is the first store to its object in this transaction. *)
PROCEDURE Change(n: INTEGER) =
  BEGIN
    WITH t = root[n], next = root[(n + 1) MOD NUMBER(root^)] DO
      CASE n MOD 8 OF
      | 0 => SUBARRAY(t.numbers^, 100, 500) := SUBARRAY(t.numbers^, 101, 500);
      | 1 => SUBARRAY(t.chars^, 3, 13) := SUBARRAY(next.chars^, 16, 13);
      | 2 => t.numbers^ := next.numbers^;
      | 3 => SUBARRAY(t.pairs^, 1, 200) := SUBARRAY(t.pairs^, 0, 200);
      | 4 => t.row := next.other;
      | 5 => Copy(t.row, next.other);
      | 6 => t.matrix^ := next.matrix^;
      ELSE SUBARRAY(t.matrix^, 1, 10) := SUBARRAY(t.matrix^, 2, 10);
      END;
    END;
  END Change;

BEGIN
  tr.begin();
  root := NEW(Root, 16);
  FOR i := 0 TO LAST(root^) DO root[i] := Make() END;
  db.setRoot(root);
  tr.commit();
  FOR round := 1 TO 3 DO
    (* The first time in frames that were read for it, then in frames that a commit or an abort has left. *)
    IF round # 2 THEN root := NIL; db.close(); db := Store.Open() END;
    tr.begin();
    root := db.getRoot();
    FOR i := 0 TO LAST(root^) DO Change(i) END;
    IF round = 2 THEN tr.abort() ELSE tr.commit() END;
  END;
  tr.begin();
  root := db.getRoot();
  Check.Int(root[0].numbers[100], 102, "numbers, moved down");
  Check.Int(root[8].numbers[598], 600, "numbers, moved down twice");
  Check.Int(root[3].pairs[200].a, 198, "pairs, moved up");
  Check.Int(root[4].row[19], 119, "a row");
  Check.Int(root[7].matrix[1, 0], 90, "rows, moved down");
  tr.commit();
  db.close();
  Check.Done();  (* expect: all checks hold *)
END Main.
