GENERIC MODULE Set(Elem);

REVEAL
  T = Public BRANDED Brand OBJECT
    OVERRIDES
      isEmpty := IsEmpty;
      subset := Subset;
      equal := Equal;
      intersect := Intersect;
      union := Union;
      intersection := Intersection;
      diff := Diff;
      unionD := UnionD;
      intersectionD := IntersectionD;
      diffD := DiffD;
    END;

PROCEDURE IsEmpty(s: T): BOOLEAN =
  BEGIN
    RETURN s.size() = 0;
  END IsEmpty;

PROCEDURE Subset(s, s2: T): BOOLEAN =
  VAR i: Iterator;  e: Elem.T;
  BEGIN
    IF s.size() > s2.size() THEN RETURN FALSE END;
    i := s.iterate();
    WHILE i.next(e) DO
      IF NOT s2.member(e) THEN RETURN FALSE END;
    END;
    RETURN TRUE;
  END Subset;

PROCEDURE Equal(s1, s2: T): BOOLEAN =
  BEGIN
    RETURN s1.size() = s2.size() AND s1.subset(s2);
  END Equal;

PROCEDURE Intersect(s, s2: T): BOOLEAN =
  VAR i: Iterator;  e: Elem.T;
  BEGIN
    IF s.size() > s2.size() THEN VAR t := s; BEGIN s := s2; s2 := t END END;
    i := s.iterate();
    WHILE i.next(e) DO
      IF s2.member(e) THEN RETURN TRUE END;
    END;
    RETURN FALSE;
  END Intersect;

PROCEDURE Union(s, s2: T): T =
  BEGIN
    RETURN s.copy().unionD(s2);
  END Union;

PROCEDURE Intersection(s, s2: T): T =
  BEGIN
    RETURN s.copy().intersectionD(s2);
  END Intersection;

PROCEDURE Diff(s, s2: T): T =
  BEGIN
    RETURN s.copy().diffD(s2);
  END Diff;

PROCEDURE UnionD(s, s2: T): T =
  VAR i: Iterator;  e: Elem.T;
  BEGIN
    IF s = s2 THEN RETURN s END;
    i := s2.iterate();
    WHILE i.next(e) DO EVAL s.insert(e) END;
    RETURN s;
  END UnionD;

PROCEDURE IntersectionD(s, s2: T): T =
  BEGIN
    Keep(s, s2, TRUE);
    RETURN s;
  END IntersectionD;

PROCEDURE DiffD(s, s2: T): T =
  BEGIN
    Keep(s, s2, FALSE);
    RETURN s;
  END DiffD;

(* Takes out of s each element for which "it is in s2" differs from `in`. Collects these elements
   first, since s must not change while its iterator is in use. *)
PROCEDURE Keep(s, s2: T; in: BOOLEAN) =
  VAR i := s.iterate();  e: Elem.T;  out := NEW(REF ARRAY OF Elem.T, s.size());
      n: CARDINAL := 0;
  BEGIN
    WHILE i.next(e) DO
      IF s2.member(e) # in THEN
        out[n] := e;
        INC(n);
      END;
    END;
    FOR j := 0 TO n - 1 DO EVAL s.delete(out[j]) END;
  END Keep;

BEGIN
END Set.
