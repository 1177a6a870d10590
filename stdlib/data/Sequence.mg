(* Seq is the instance's own interface; the body names it T. *)
GENERIC MODULE Sequence(Elem, Seq, SeqRep);

IMPORT RTReport;

VAR
  blank: Elem.T;  (* the contents of unused places, so that they keep nothing alive *)

REVEAL
  T = SeqRep.Public BRANDED Brand OBJECT
    OVERRIDES
      init := Init;
      fromArray := FromArray;
      addhi := Addhi;
      addlo := Addlo;
      remhi := Remhi;
      remlo := Remlo;
      put := Put;
      size := Size;
      gethi := Gethi;
      getlo := Getlo;
      get := Get;
    END;

PROCEDURE Init(s: T; sizeHint: CARDINAL): T =
  BEGIN
    s.elem := NEW(SeqRep.RefArray, MAX(sizeHint, 1));
    s.st := 0;
    s.sz := 0;
    RETURN s;
  END Init;

PROCEDURE FromArray(s: T; READONLY a: ARRAY OF Elem.T): T =
  BEGIN
    EVAL Init(s, NUMBER(a));
    SUBARRAY(s.elem^, 0, NUMBER(a)) := a;
    s.sz := NUMBER(a);
    RETURN s;
  END FromArray;

(* The index of element i in elem. *)
PROCEDURE Place(s: T; i: CARDINAL): CARDINAL =
  VAR at := s.st + i;
  BEGIN
    IF i >= s.sz THEN RTReport.RaiseSubscript(i, s.sz) END;
    IF at >= NUMBER(s.elem^) THEN DEC(at, NUMBER(s.elem^)) END;
    RETURN at;
  END Place;

(* Makes room for one more element. *)
PROCEDURE Reserve(s: T) =
  VAR old := s.elem;  first: CARDINAL;
  BEGIN
    IF old = NIL THEN EVAL Init(s, 5); RETURN END;
    IF s.sz < NUMBER(old^) THEN RETURN END;
    s.elem := NEW(SeqRep.RefArray, 2 * NUMBER(old^));
    first := NUMBER(old^) - s.st;
    SUBARRAY(s.elem^, 0, first) := SUBARRAY(old^, s.st, first);
    SUBARRAY(s.elem^, first, s.st) := SUBARRAY(old^, 0, s.st);
    s.st := 0;
  END Reserve;

PROCEDURE Addhi(s: T; READONLY x: Elem.T) =
  BEGIN
    Reserve(s);
    INC(s.sz);
    s.elem[Place(s, s.sz - 1)] := x;
  END Addhi;

PROCEDURE Addlo(s: T; READONLY x: Elem.T) =
  BEGIN
    Reserve(s);
    INC(s.sz);
    IF s.st = 0 THEN s.st := LAST(s.elem^) ELSE DEC(s.st) END;
    s.elem[s.st] := x;
  END Addlo;

PROCEDURE Remhi(s: T): Elem.T =
  VAR x := Gethi(s);
  BEGIN
    s.elem[Place(s, s.sz - 1)] := blank;
    DEC(s.sz);
    RETURN x;
  END Remhi;

PROCEDURE Remlo(s: T): Elem.T =
  VAR x := Getlo(s);
  BEGIN
    s.elem[s.st] := blank;
    INC(s.st);
    IF s.st = NUMBER(s.elem^) THEN s.st := 0 END;
    DEC(s.sz);
    RETURN x;
  END Remlo;

PROCEDURE Put(s: T; i: CARDINAL; READONLY x: Elem.T) =
  BEGIN
    s.elem[Place(s, i)] := x;
  END Put;

PROCEDURE Size(s: T): CARDINAL =
  BEGIN
    RETURN s.sz;
  END Size;

PROCEDURE Gethi(s: T): Elem.T =
  BEGIN
    IF s.sz = 0 THEN RTReport.RaiseSubscript(0, 0) END;
    RETURN s.elem[Place(s, s.sz - 1)];
  END Gethi;

PROCEDURE Getlo(s: T): Elem.T =
  BEGIN
    RETURN s.elem[Place(s, 0)];
  END Getlo;

PROCEDURE Get(s: T; i: CARDINAL): Elem.T =
  BEGIN
    RETURN s.elem[Place(s, i)];
  END Get;

PROCEDURE Cat(s, t: T): T =
  VAR result := NEW(T).init(s.sz + t.sz);
  BEGIN
    FOR i := 0 TO s.sz - 1 DO result.addhi(Get(s, i)) END;
    FOR i := 0 TO t.sz - 1 DO result.addhi(Get(t, i)) END;
    RETURN result;
  END Cat;

PROCEDURE Sub(s: T; start: CARDINAL; length: CARDINAL := LAST(CARDINAL)): T =
  VAR result: T;
  BEGIN
    IF start >= s.sz THEN RETURN NEW(T).init(0) END;
    length := MIN(length, s.sz - start);
    result := NEW(T).init(length);
    FOR i := start TO start + length - 1 DO result.addhi(Get(s, i)) END;
    RETURN result;
  END Sub;

BEGIN
END Sequence.
