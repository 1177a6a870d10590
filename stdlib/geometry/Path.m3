MODULE Path;

IMPORT Math, Point;

TYPE
  Kind = {Move, Line, Close, Curve};

  Part = RECORD
    kind: Kind;
    (* The control points of a curve, and where the part ends; Close has no points. *)
    q, r, s := Point.Origin;
  END;

REVEAL
  T = BRANDED "Path.T" OBJECT
    parts: REF ARRAY OF Part := NIL;
    count := 0;
  END;

PROCEDURE Put(path: T; READONLY part: Part) =
  BEGIN
    IF path.parts = NIL THEN path.parts := NEW(REF ARRAY OF Part, 8) END;
    IF path.count = NUMBER(path.parts^) THEN
      WITH longer = NEW(REF ARRAY OF Part, 2 * path.count) DO
        SUBARRAY(longer^, 0, path.count) := path.parts^;
        path.parts := longer;
      END;
    END;
    path.parts[path.count] := part;
    INC(path.count);
  END Put;

PROCEDURE Reset(path: T) =
  BEGIN
    path.parts := NIL;
    path.count := 0;
  END Reset;

PROCEDURE MoveTo(path: T; READONLY p: Point.T) =
  BEGIN
    Put(path, Part{kind := Kind.Move, s := p});
  END MoveTo;

PROCEDURE LineTo(path: T; READONLY p: Point.T) =
  BEGIN
    Put(path, Part{kind := Kind.Line, s := p});
  END LineTo;

PROCEDURE CurveTo(path: T; READONLY q, r, s: Point.T) =
  BEGIN
    Put(path, Part{Kind.Curve, q, r, s});
  END CurveTo;

PROCEDURE Close(path: T) =
  BEGIN
    Put(path, Part{kind := Kind.Close});
  END Close;

PROCEDURE IsEmpty(path: T): BOOLEAN =
  BEGIN
    RETURN path.count = 0;
  END IsEmpty;

PROCEDURE IsClosed(path: T): BOOLEAN =
  BEGIN
    (* A trail is closed if its last part is a Close. *)
    FOR i := 0 TO path.count - 1 DO
      IF path.parts[i].kind # Kind.Close
        AND (i = path.count - 1 OR path.parts[i + 1].kind = Kind.Move) THEN
        RETURN FALSE;
      END;
    END;
    RETURN TRUE;
  END IsClosed;

PROCEDURE CurrentPoint(path: T): Point.T =
  BEGIN
    <*ASSERT path.count > 0 AND path.parts[path.count - 1].kind # Kind.Close*>
    RETURN path.parts[path.count - 1].s;
  END CurrentPoint;

PROCEDURE Map(path: T; map: MapObject) RAISES {Malformed} =
  VAR begin, at := Point.Origin;  open := FALSE;
  BEGIN
    FOR i := 0 TO path.count - 1 DO
      WITH part = path.parts[i] DO
        IF part.kind # Kind.Move AND NOT open THEN RAISE Malformed END;
        CASE part.kind OF
        | Kind.Move => map.move(part.s);  begin := part.s;
        | Kind.Line => map.line(at, part.s);
        | Kind.Close => map.close(at, begin);
        | Kind.Curve => map.curve(at, part.q, part.r, part.s);
        END;
        open := part.kind # Kind.Close;
        at := part.s;
      END;
    END;
  END Map;

PROCEDURE Copy(path: T): T =
  VAR copy := NEW(T, count := path.count);
  BEGIN
    IF path.count > 0 THEN
      copy.parts := NEW(REF ARRAY OF Part, path.count);
      copy.parts^ := SUBARRAY(path.parts^, 0, path.count);
    END;
    RETURN copy;
  END Copy;

(* Writes the mapped parts to another path. *)
TYPE
  Writer = MapObject OBJECT
    to: T;
    delta := Point.Origin;
  OVERRIDES
    move := WriteMove;
    line := WriteLine;
    close := WriteClose;
    curve := WriteCurve;
  END;

PROCEDURE WriteMove(self: Writer; READONLY p: Point.T) =
  BEGIN
    MoveTo(self.to, Point.Add(p, self.delta));
  END WriteMove;

PROCEDURE WriteLine(self: Writer; <*UNUSED*> READONLY p: Point.T; READONLY q: Point.T) =
  BEGIN
    LineTo(self.to, Point.Add(q, self.delta));
  END WriteLine;

PROCEDURE WriteClose(self: Writer; <*UNUSED*> READONLY p, q: Point.T) =
  BEGIN
    Close(self.to);
  END WriteClose;

PROCEDURE WriteCurve(self: Writer; <*UNUSED*> READONLY p: Point.T; READONLY q, r, s: Point.T) =
  BEGIN
    CurveTo(self.to, Point.Add(q, self.delta), Point.Add(r, self.delta),
            Point.Add(s, self.delta));
  END WriteCurve;

PROCEDURE Translate(path: T; READONLY delta: Point.T): T RAISES {Malformed} =
  VAR writer := NEW(Writer, to := NEW(T), delta := delta);
  BEGIN
    Map(path, writer);
    RETURN writer.to;
  END Translate;

PROCEDURE Flatten(path: T): T RAISES {Malformed} =
  VAR writer := NEW(Writer, to := NEW(T), curve := FlattenCurve);
  BEGIN
    Map(path, writer);
    RETURN writer.to;
  END Flatten;

(* With d the greater second difference of the control points, a curve cut at n even steps of its
   parameter is 3/4 d / n^2 or less away from its chords. This distance is kept below 1/4, since
   the ends of the chords lie on the grid and may be 0.71 away from the curve. *)
PROCEDURE FlattenCurve(self: Writer; READONLY p, q, r, s: Point.T) =
  VAR
    n := CEILING(Math.sqrt(3.0d0 * MAX(Bend(p, q, r), Bend(q, r, s))));
    from := p;
    point: Point.T;
    t: LONGREAL;
  BEGIN
    FOR i := 1 TO n - 1 DO
      t := FLOAT(i, LONGREAL) / FLOAT(n, LONGREAL);
      point := Point.T{At(p.h, q.h, r.h, s.h, t), At(p.v, q.v, r.v, s.v, t)};
      IF point # from THEN LineTo(self.to, point);  from := point END;
    END;
    LineTo(self.to, s);
  END FlattenCurve;

(* An upper bound of the length of a - 2b + c. *)
PROCEDURE Bend(READONLY a, b, c: Point.T): LONGREAL =

  PROCEDURE Difference(a, b, c: INTEGER): LONGREAL =
    BEGIN
      RETURN ABS(FLOAT(a, LONGREAL) - 2.0d0 * FLOAT(b, LONGREAL) + FLOAT(c, LONGREAL));
    END Difference;

  BEGIN
    RETURN Difference(a.h, b.h, c.h) + Difference(a.v, b.v, c.v);
  END Bend;

(* A coordinate of the curve at parameter t. *)
PROCEDURE At(p, q, r, s: INTEGER; t: LONGREAL): INTEGER =
  VAR u := 1.0d0 - t;
  BEGIN
    RETURN ROUND(u * u * u * FLOAT(p, LONGREAL) + 3.0d0 * u * u * t * FLOAT(q, LONGREAL)
                   + 3.0d0 * u * t * t * FLOAT(r, LONGREAL) + t * t * t * FLOAT(s, LONGREAL));
  END At;

BEGIN
END Path.
