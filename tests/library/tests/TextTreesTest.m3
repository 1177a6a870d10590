(* Long texts, which are trees and pieces of others, against arrays of their characters. *)
MODULE TextTreesTest;

IMPORT Test, Random, Text;

VAR test: Test.T;  (* that runs *)

PROCEDURE SetUp(t: Test.T) =
  BEGIN
    test := t;
  END SetUp;

CONST
  Size = 3000;

TYPE
  Chars = REF ARRAY OF CHAR;

VAR
  random := NEW(Random.Default).init(TRUE);
  chars := NEW(Chars, Size);

PROCEDURE Model(from, n: CARDINAL): TEXT =
  BEGIN
    RETURN Text.FromChars(SUBARRAY(chars^, from, n));
  END Model;

(* Characters from .. from + n - 1, put together from pieces at random places. *)
PROCEDURE Build(from, n: CARDINAL): TEXT =
  VAR m: CARDINAL;
  BEGIN
    IF n <= 40 THEN RETURN Model(from, n) END;
    m := random.integer(1, n - 1);
    RETURN Build(from, m) & Build(from + m, n - m);
  END Build;

PROCEDURE CheckSame(t: TEXT; from, n: CARDINAL; what: TEXT) =
  VAR copy := NEW(Chars, n);  same := TRUE;
  BEGIN
    test.equalInt(Text.Length(t), n, what & ": length");
    Text.SetChars(copy^, t);
    test.check(copy^ = SUBARRAY(chars^, from, n), what & ": SetChars");
    FOR i := 0 TO n - 1 DO
      IF Text.GetChar(t, i) # chars[from + i] THEN same := FALSE END;
    END;
    test.check(same, what & ": GetChar");
    test.check(Text.Equal(t, Model(from, n)), what & ": Equal");
    test.check(Text.Hash(t) = Text.Hash(Model(from, n)), what & ": Hash");
  END CheckSame;

VAR
  all, piece, slow, front: TEXT;
  from, n: CARDINAL;

PROCEDURE TestAll(<*UNUSED*> running: Test.T) RAISES ANY =
  BEGIN
    FOR i := 0 TO Size - 1 DO chars[i] := VAL(random.integer(ORD('a'), ORD('z')), CHAR) END;
    all := Build(0, Size);
    CheckSame(all, 0, Size, "all");
    FOR i := 1 TO 200 DO
      from := random.integer(0, Size - 1);
      n := random.integer(0, Size - from);
      piece := Text.Sub(all, from, n);
      CheckSame(piece, from, n, "piece");
      IF n > 10 THEN CheckSame(Text.Sub(piece, 3, n - 6), from + 3, n - 6, "piece of piece") END;
    END;

    (* One character at a time, at either end: depth must stay small. *)
    slow := "";
    FOR i := 0 TO Size - 1 DO slow := slow & Text.FromChar(chars[i]) END;
    CheckSame(slow, 0, Size, "appended");
    front := "";
    FOR i := Size - 1 TO 0 BY -1 DO front := Text.FromChar(chars[i]) & front END;
    CheckSame(front, 0, Size, "prepended");

    test.equalInt(Text.Compare(slow, front), 0, "Compare of trees");
    test.equalInt(Text.Compare(Text.Sub(slow, 0, Size - 1), front), -1, "Compare of a prefix");
    test.equalInt(Text.FindChar(all & "!", '!'), Size, "FindChar in a tree");
    test.equalInt(Text.FindCharR("!" & all, '!'), 0, "FindCharR in a tree");
  END TestAll;

BEGIN
END TextTreesTest.
