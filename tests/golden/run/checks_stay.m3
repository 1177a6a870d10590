(* golden: run, with lib/Check *)
(* Where the optimiser knows more of a value than the source says, the checks that can fail still do: INC and DEC of
   ranges, subscripts behind a NEW, lengths of open arrays, parameters of ranges. *)
MODULE Main;

IMPORT Check, RuntimeError, Word;

TYPE
  Small = [3..10];
  Signed = [-5..5];
  High = [1..LAST(INTEGER)];
  Ints = REF ARRAY OF INTEGER;
  Rows = REF ARRAY OF ARRAY OF CHAR;

VAR
  (* The optimiser does not know their values. *)
  one := 1;
  most := LAST(INTEGER);
  least := FIRST(INTEGER);
  c: CARDINAL;
  s: Small;
  g: Signed;
  h: High;
  ints: Ints;
  rows: Rows;
  o := NEW(REF RECORD c: CARDINAL; s: Small END);

PROCEDURE IncCardinal() = BEGIN c := LAST(CARDINAL); INC(c, one) END IncCardinal;
PROCEDURE IncCardinalByOne() = BEGIN c := LAST(CARDINAL) - one + 1; INC(c) END IncCardinalByOne;
PROCEDURE IncCardinalByMost() = BEGIN c := LAST(CARDINAL); INC(c, most) END IncCardinalByMost;
PROCEDURE IncCardinalByLeast() = BEGIN c := 7; INC(c, least) END IncCardinalByLeast;
PROCEDURE DecCardinal() = BEGIN c := 0; DEC(c, one) END DecCardinal;
PROCEDURE DecCardinalByLeast() = BEGIN c := 0; DEC(c, least) END DecCardinalByLeast;
PROCEDURE DecMostByLeast() = BEGIN c := LAST(CARDINAL); DEC(c, least) END DecMostByLeast;
PROCEDURE DecCardinalByNegative() = BEGIN c := LAST(CARDINAL); DEC(c, -one) END DecCardinalByNegative;
PROCEDURE IncSmall() = BEGIN s := 10; INC(s, one) END IncSmall;
PROCEDURE IncSmallByMost() = BEGIN s := 5; INC(s, most) END IncSmallByMost;
PROCEDURE IncSmallByLeast() = BEGIN s := 5; INC(s, least) END IncSmallByLeast;
PROCEDURE DecSmall() = BEGIN s := 3; DEC(s, one) END DecSmall;
PROCEDURE DecSmallByLeast() = BEGIN s := 5; DEC(s, least) END DecSmallByLeast;
PROCEDURE IncSigned() = BEGIN g := 5; INC(g, most) END IncSigned;
PROCEDURE DecSigned() = BEGIN g := -5; DEC(g, least) END DecSigned;
PROCEDURE DecSignedByMost() = BEGIN g := -5; DEC(g, most) END DecSignedByMost;
PROCEDURE DecHigh() = BEGIN h := 1; DEC(h, one) END DecHigh;
PROCEDURE IncHigh() = BEGIN h := LAST(High); INC(h, one) END IncHigh;
PROCEDURE IncField() = BEGIN o.c := LAST(CARDINAL); INC(o.c, one) END IncField;
PROCEDURE DecField() = BEGIN o.s := 3; DEC(o.s, one) END DecField;

(* Steps and operands that are never negative: the check comes before the sum. *)
PROCEDURE IncByCardinal() = VAR n: CARDINAL := one; BEGIN c := LAST(CARDINAL); INC(c, n) END IncByCardinal;
PROCEDURE IncByMostCardinal() = VAR n: CARDINAL := most; BEGIN c := 1; INC(c, n) END IncByMostCardinal;
PROCEDURE DecByCardinal() = VAR n: CARDINAL := 8; BEGIN c := 7 * one; DEC(c, n) END DecByCardinal;
PROCEDURE IncSmallByCardinal() = VAR n: CARDINAL := 5 + one; BEGIN s := 5; INC(s, n) END IncSmallByCardinal;
PROCEDURE IncSmallByMostCardinal() = VAR n: CARDINAL := most; BEGIN s := 5; INC(s, n) END IncSmallByMostCardinal;
PROCEDURE DecSmallByCardinal() = VAR n: CARDINAL := 2 + one; BEGIN s := 5; DEC(s, n) END DecSmallByCardinal;
PROCEDURE SumOfCardinals() = VAR n: CARDINAL := most; BEGIN c := n + one * 1; c := n + c END SumOfCardinals;
PROCEDURE TwiceMost() = VAR n: CARDINAL := most; BEGIN c := n + n END TwiceMost;
PROCEDURE DifferenceOfCardinals() = VAR n, m: CARDINAL := one; BEGIN INC(m); c := n - m END DifferenceOfCardinals;
PROCEDURE DifferenceIsSmall() = VAR n: CARDINAL := 12 + one; BEGIN s := n - 1 END DifferenceIsSmall;
PROCEDURE DifferenceIsTooSmall() = VAR n: [3..10] := 4; m: CARDINAL := one; BEGIN s := n - m; s := s - m END DifferenceIsTooSmall;

PROCEDURE InForLoop() =
  BEGIN
    c := LAST(CARDINAL) - 5 * one;
    FOR i := 0 TO 3 * one DO INC(c, i) END;
  END InForLoop;

PROCEDURE DownInForLoop() =
  BEGIN
    c := 5 * one;
    FOR i := 3 * one TO 0 BY -1 DO DEC(c, i) END;
  END DownInForLoop;

(* FOR variables that are negative at first: no check may be left out. *)
PROCEDURE FromNegative() =
  BEGIN
    c := 1 * one;
    FOR i := -2 * one TO 3 DO INC(c, i) END;
  END FromNegative;

PROCEDURE ToNegative() =
  BEGIN
    c := LAST(CARDINAL) - 2 * one;
    FOR i := 1 TO -3 * one BY -1 DO DEC(c, i) END;
  END ToNegative;

(* The index of a loop that adds to a CARDINAL. *)
PROCEDURE BehindInLoop() =
  VAR a := NEW(REF ARRAY OF BOOLEAN, 10 * one);  j: CARDINAL := 0;
  BEGIN
    WHILE j <= 10 * one DO a[j] := TRUE; INC(j, 5 * one) END;
  END BehindInLoop;

(* j grows beyond the last CARDINAL, not beyond the array. *)
PROCEDURE Steps(n, step: CARDINAL): INTEGER =
  VAR a := NEW(REF ARRAY OF BOOLEAN, 10);  j: CARDINAL := 0;  count := 0;
  BEGIN
    WHILE j <= n DO
      a[j MOD 10] := TRUE;
      INC(count);
      INC(j, step);
    END;
    RETURN count;
  END Steps;

PROCEDURE TooFar() = BEGIN EVAL Steps(LAST(CARDINAL), LAST(CARDINAL) DIV 3) END TooFar;

PROCEDURE Fill(n: CARDINAL; from, to: INTEGER) =
  VAR a := NEW(Ints, n);
  BEGIN
    FOR i := from TO to DO a[i] := i END;
    ints := a;
  END Fill;

PROCEDURE Behind() = BEGIN Fill(10, 0, 10) END Behind;
PROCEDURE Before() = BEGIN Fill(10, -1, 5) END Before;
PROCEDURE OfNone() = BEGIN Fill(0, 0, 0) END OfNone;
PROCEDURE Long() = BEGIN Fill(5000, 4990, 5000) END Long;
PROCEDURE NegativeLength() = BEGIN ints := NEW(Ints, -one) END NegativeLength;

PROCEDURE FillRows(n, m: CARDINAL; i, j: INTEGER) =
  VAR a := NEW(Rows, n, m);
  BEGIN
    a[i, j] := 'x';
    rows := a;
  END FillRows;

PROCEDURE FirstIndex() = BEGIN FillRows(3, 5, 3, 4) END FirstIndex;
PROCEDURE SecondIndex() = BEGIN FillRows(3, 5, 2, 5) END SecondIndex;
PROCEDURE NegativeIndex() = BEGIN FillRows(3, 5, 2, -one) END NegativeIndex;

PROCEDURE Of(READONLY a: ARRAY OF INTEGER; i: INTEGER): INTEGER = BEGIN RETURN a[i] END Of;
PROCEDURE LastOf(READONLY a: ARRAY OF INTEGER): INTEGER = BEGIN RETURN a[LAST(a)] END LastOf;
PROCEDURE OpenBehind() = BEGIN EVAL Of(NEW(Ints, 4)^, 3 + one) END OpenBehind;
PROCEDURE OpenBefore() = BEGIN EVAL Of(NEW(Ints, 4)^, -one) END OpenBefore;
PROCEDURE LastOfNone() = BEGIN EVAL LastOf(NEW(Ints, one - 1)^) END LastOfNone;

PROCEDURE Take(n: CARDINAL; m: Small): INTEGER = BEGIN RETURN n + m END Take;
PROCEDURE TakeNegative() = BEGIN EVAL Take(-one, 3) END TakeNegative;
PROCEDURE TakeSmall() = BEGIN EVAL Take(0, 2 * one) END TakeSmall;
PROCEDURE Give(n: INTEGER): CARDINAL = BEGIN RETURN n END Give;
PROCEDURE GiveNegative() = BEGIN EVAL Give(-one) END GiveNegative;
PROCEDURE GiveSmall(n: CARDINAL): Small = BEGIN RETURN n END GiveSmall;
PROCEDURE GiveLarge() = BEGIN EVAL GiveSmall(10 + one) END GiveLarge;

(* A rotate of 32 bits only where the high half is zero. *)
PROCEDURE Rotate(x: Word.T; n: CARDINAL): Word.T =
  BEGIN
    RETURN Word.And(Word.Or(Word.Shift(x, -n), Word.Shift(x, 32 - n)), 16_FFFFFFFF);
  END Rotate;

PROCEDURE Rotates() =
  VAR x: Word.T := Word.Times(one, 16_9ABCDEF0);  y := Word.Or(x, Word.Shift(16_12345678, 32));
      narrow: BITS 32 FOR [0..16_FFFFFFFF] := x;
  BEGIN
    Check.Int(Rotate(Word.And(x, 16_FFFFFFFF), 4), 16_09ABCDEF, "by 4");
    Check.Int(Rotate(narrow, 7), 16_E13579BD, "by 7");
    Check.Int(Rotate(narrow, 31), 16_3579BDE1, "by 31");
    Check.Int(Rotate(narrow, 32), Word.Or(0, narrow), "by 32");
    Check.Int(Rotate(narrow, 0), narrow, "by 0");
    Check.Int(Rotate(y, 4), 16_89ABCDEF, "of more than 32 bits");
  END Rotates;

CONST Range = RuntimeError.T.ValueOutOfRange;  Subscript = RuntimeError.T.SubscriptOutOfRange;

BEGIN
  Check.Fails(IncCardinal, Range, "INC of the last CARDINAL");
  Check.Fails(IncCardinalByOne, Range, "INC of the last CARDINAL by 1");
  Check.Fails(IncCardinalByMost, Range, "INC by the last INTEGER");
  Check.Fails(IncCardinalByLeast, Range, "INC by the first INTEGER");
  Check.Fails(DecCardinal, Range, "DEC of 0");
  Check.Fails(DecCardinalByLeast, Range, "DEC of 0 by the first INTEGER");
  Check.Fails(DecMostByLeast, Range, "DEC of the last by the first INTEGER");
  Check.Fails(DecCardinalByNegative, Range, "DEC by a negative number");
  Check.Fails(IncSmall, Range, "INC of a small range");
  Check.Fails(IncSmallByMost, Range, "INC of a small range by the last INTEGER");
  Check.Fails(IncSmallByLeast, Range, "INC of a small range by the first INTEGER");
  Check.Fails(DecSmall, Range, "DEC of a small range");
  Check.Fails(DecSmallByLeast, Range, "DEC of a small range by the first INTEGER");
  Check.Fails(IncSigned, Range, "INC of a range with a sign");
  Check.Fails(DecSigned, Range, "DEC of a range with a sign");
  Check.Fails(DecSignedByMost, Range, "DEC of a range with a sign by the last INTEGER");
  Check.Fails(DecHigh, Range, "DEC of a range from 1");
  Check.Fails(IncHigh, Range, "INC of a range to the last INTEGER");
  Check.Fails(IncField, Range, "INC of a field");
  Check.Fails(DecField, Range, "DEC of a field");
  Check.Fails(TooFar, Range, "INC in a loop");
  Check.Fails(IncByCardinal, Range, "INC by a CARDINAL");
  Check.Fails(IncByMostCardinal, Range, "INC by the last CARDINAL");
  Check.Fails(DecByCardinal, Range, "DEC by a CARDINAL");
  Check.Fails(IncSmallByCardinal, Range, "INC of a range by a CARDINAL");
  Check.Fails(IncSmallByMostCardinal, Range, "INC of a range by the last CARDINAL");
  Check.Fails(DecSmallByCardinal, Range, "DEC of a range by a CARDINAL");
  Check.Fails(SumOfCardinals, Range, "a sum of a CARDINAL");
  Check.Fails(TwiceMost, Range, "a sum of CARDINALs");
  Check.Fails(DifferenceOfCardinals, Range, "a difference of CARDINALs");
  Check.Fails(DifferenceIsSmall, Range, "a difference that is too large");
  Check.Fails(DifferenceIsTooSmall, Range, "a difference that is too small");
  Check.Fails(InForLoop, Range, "INC by a FOR variable");
  Check.Fails(DownInForLoop, Range, "DEC by a FOR variable");
  Check.Fails(FromNegative, Range, "INC by a FOR variable that is negative");
  Check.Fails(ToNegative, Range, "DEC by a FOR variable that is negative");
  Check.Fails(BehindInLoop, Subscript, "behind an array in a loop");
  Check.Int(Steps(99, 10), 10, "steps");
  Check.Fails(Behind, Subscript, "behind a new array");
  Check.Fails(Before, Subscript, "before a new array");
  Check.Fails(OfNone, Subscript, "of a new array without elements");
  Check.Fails(Long, Subscript, "behind a long new array");
  Check.Fails(NegativeLength, Range, "a negative length");
  Fill(5000, 0, 4999);
  Check.Int(ints[4999], 4999, "the last element");
  Check.Fails(FirstIndex, Subscript, "the first index");
  Check.Fails(SecondIndex, Subscript, "the second index");
  Check.Fails(NegativeIndex, Subscript, "a negative index");
  FillRows(3, 5, 2, 4);
  Check.Int(NUMBER(rows[0]), 5, "the second length");
  Check.Fails(OpenBehind, Subscript, "behind an open array");
  Check.Fails(OpenBefore, Subscript, "before an open array");
  Check.Fails(LastOfNone, Subscript, "the last of an empty open array");
  Check.Fails(TakeNegative, Range, "a negative parameter");
  Check.Fails(TakeSmall, Range, "a parameter that is too small");
  Check.Fails(GiveNegative, Range, "a negative result");
  Check.Fails(GiveLarge, Range, "a result that is too large");
  Rotates();
  Check.Done();
END Main.
(* expect: all checks hold *)
