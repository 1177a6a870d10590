MODULE Interval;

IMPORT Integer, Word;

PROCEDURE FromBounds(lo, hi: INTEGER): T =
  BEGIN
    IF lo >= hi THEN RETURN Empty END;
    RETURN T{lo, hi};
  END FromBounds;

PROCEDURE FromAbsBounds(lo, hi: INTEGER): T =
  BEGIN
    RETURN FromBounds(MIN(lo, hi), MAX(lo, hi));
  END FromAbsBounds;

PROCEDURE FromBound(lo: INTEGER; s: CARDINAL): T =
  BEGIN
    RETURN FromBounds(lo, lo + s);
  END FromBound;

PROCEDURE FromSize(s: CARDINAL): T =
  BEGIN
    RETURN T{0, s};
  END FromSize;

PROCEDURE Size(READONLY a: T): CARDINAL =
  BEGIN
    RETURN MAX(a.hi - a.lo, 0);
  END Size;

PROCEDURE Middle(READONLY a: T): INTEGER =
  BEGIN
    IF IsEmpty(a) THEN RETURN 0 END;
    RETURN a.lo + Size(a) DIV 2;
  END Middle;

PROCEDURE Center(READONLY a: T; n: INTEGER): T =
  BEGIN
    RETURN Move(a, n - Middle(a));
  END Center;

PROCEDURE PickBound(READONLY a: T; n: INTEGER): Bound =
  BEGIN
    (* The last element is hi - 1. *)
    IF ABS(n - a.lo) <= ABS(a.hi - 1 - n) THEN RETURN Bound.Lo END;
    RETURN Bound.Hi;
  END PickBound;

PROCEDURE Project(READONLY a: T; n: INTEGER): INTEGER =
  BEGIN
    <*ASSERT a.lo < a.hi*>
    RETURN MAX(a.lo, MIN(n, a.hi - 1));
  END Project;

PROCEDURE Move(READONLY a: T; n: INTEGER): T =
  BEGIN
    RETURN Change(a, n, n);
  END Move;

PROCEDURE Inset(READONLY a: T; n: INTEGER): T =
  BEGIN
    RETURN Change(a, n, -n);
  END Inset;

PROCEDURE Change(READONLY a: T; dlo, dhi: INTEGER): T =
  BEGIN
    IF IsEmpty(a) THEN RETURN Empty END;
    RETURN FromBounds(a.lo + dlo, a.hi + dhi);
  END Change;

PROCEDURE Join(READONLY a, b: T): T =
  BEGIN
    IF IsEmpty(a) THEN RETURN FromBounds(b.lo, b.hi) END;
    IF IsEmpty(b) THEN RETURN a END;
    RETURN T{MIN(a.lo, b.lo), MAX(a.hi, b.hi)};
  END Join;

PROCEDURE Meet(READONLY a, b: T): T =
  BEGIN
    RETURN FromBounds(MAX(a.lo, b.lo), MIN(a.hi, b.hi));
  END Meet;

PROCEDURE Chop(READONLY a: T; n: INTEGER; VAR b, c: T) =
  VAR whole := a;  (* b or c may be a *)
  BEGIN
    b := FromBounds(whole.lo, MIN(whole.hi, n));
    c := FromBounds(MAX(whole.lo, n), whole.hi);
  END Chop;

PROCEDURE Factor(READONLY a, by: T; VAR f: Partition; dn: INTEGER) =
  VAR below, inside, above: T;
  BEGIN
    Chop(a, by.lo, below, inside);
    Chop(inside, MAX(by.lo, by.hi), inside, above);
    f[1] := inside;
    IF dn > 0 THEN
      f[0] := above;  f[2] := below;
    ELSE
      f[0] := below;  f[2] := above;
    END;
  END Factor;

PROCEDURE Mod(n: INTEGER; READONLY a: T): INTEGER =
  BEGIN
    <*ASSERT a.lo < a.hi*>
    RETURN a.lo + (n - a.lo) MOD (a.hi - a.lo);
  END Mod;

PROCEDURE Equal(READONLY a, b: T): BOOLEAN =
  BEGIN
    RETURN a = b OR IsEmpty(a) AND IsEmpty(b);
  END Equal;

PROCEDURE IsEmpty(READONLY a: T): BOOLEAN =
  BEGIN
    RETURN a.lo >= a.hi;
  END IsEmpty;

PROCEDURE Member(n: INTEGER; READONLY a: T): BOOLEAN =
  BEGIN
    RETURN a.lo <= n AND n < a.hi;
  END Member;

PROCEDURE Overlap(READONLY a, b: T): BOOLEAN =
  BEGIN
    RETURN MAX(a.lo, b.lo) < MIN(a.hi, b.hi);
  END Overlap;

PROCEDURE Subset(READONLY a, b: T): BOOLEAN =
  BEGIN
    RETURN IsEmpty(a) OR b.lo <= a.lo AND a.hi <= b.hi;
  END Subset;

PROCEDURE Compare(READONLY a, b: T): [-1..1] =
  VAR x := FromBounds(a.lo, a.hi);  y := FromBounds(b.lo, b.hi);
  BEGIN
    IF x.lo # y.lo THEN RETURN Integer.Compare(x.lo, y.lo) END;
    RETURN Integer.Compare(x.hi, y.hi);
  END Compare;

PROCEDURE Hash(READONLY a: T): Word.T =
  BEGIN
    IF IsEmpty(a) THEN RETURN 0 END;
    RETURN Word.Plus(Word.Times(a.lo, 31), a.hi);
  END Hash;

BEGIN
END Interval.
