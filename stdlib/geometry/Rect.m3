MODULE Rect;

IMPORT Axis, Interval, Point, Word;

(* The sides of a rectangle as intervals. *)
PROCEDURE Hor(READONLY r: T): Interval.T =
  BEGIN
    RETURN Interval.T{r.west, r.east};
  END Hor;

PROCEDURE Ver(READONLY r: T): Interval.T =
  BEGIN
    RETURN Interval.T{r.north, r.south};
  END Ver;

PROCEDURE Of(READONLY hor, ver: Interval.T): T =
  BEGIN
    RETURN FromEdges(hor.lo, hor.hi, ver.lo, ver.hi);
  END Of;

PROCEDURE FromEdges(w, e, n, s: INTEGER): T =
  BEGIN
    IF w >= e OR n >= s THEN RETURN Empty END;
    RETURN T{w, e, n, s};
  END FromEdges;

PROCEDURE FromAbsEdges(w, e, n, s: INTEGER): T =
  BEGIN
    RETURN FromEdges(MIN(w, e), MAX(w, e), MIN(n, s), MAX(n, s));
  END FromAbsEdges;

PROCEDURE FromCorners(READONLY p, q: Point.T): T =
  BEGIN
    RETURN FromAbsEdges(p.h, q.h, p.v, q.v);
  END FromCorners;

PROCEDURE FromCorner(READONLY p: Point.T; hor, ver: CARDINAL): T =
  BEGIN
    RETURN FromEdges(p.h, p.h + hor, p.v, p.v + ver);
  END FromCorner;

PROCEDURE FromVertex(READONLY p: Point.T; v: Vertex; hor, ver: CARDINAL): T =
  VAR corner := p;
  BEGIN
    IF v = Vertex.NE OR v = Vertex.SE THEN DEC(corner.h, hor) END;
    IF v = Vertex.SW OR v = Vertex.SE THEN DEC(corner.v, ver) END;
    RETURN FromCorner(corner, hor, ver);
  END FromVertex;

PROCEDURE FromSize(hor, ver: CARDINAL): T =
  BEGIN
    RETURN FromCorner(Point.Origin, hor, ver);
  END FromSize;

PROCEDURE FromPoint(READONLY p: Point.T): T =
  BEGIN
    RETURN FromCorner(p, 1, 1);
  END FromPoint;

PROCEDURE NorthWest(READONLY r: T): Point.T =
  BEGIN
    RETURN Point.T{r.west, r.north};
  END NorthWest;

PROCEDURE NorthEast(READONLY r: T): Point.T =
  BEGIN
    RETURN Point.T{r.east, r.north};
  END NorthEast;

PROCEDURE SouthWest(READONLY r: T): Point.T =
  BEGIN
    RETURN Point.T{r.west, r.south};
  END SouthWest;

PROCEDURE SouthEast(READONLY r: T): Point.T =
  BEGIN
    RETURN Point.T{r.east, r.south};
  END SouthEast;

PROCEDURE GetVertex(v: Vertex; READONLY r: T): Point.T =
  BEGIN
    CASE v OF
    | Vertex.NW => RETURN NorthWest(r);
    | Vertex.NE => RETURN NorthEast(r);
    | Vertex.SW => RETURN SouthWest(r);
    | Vertex.SE => RETURN SouthEast(r);
    END;
  END GetVertex;

PROCEDURE HorSize(READONLY r: T): CARDINAL =
  BEGIN
    IF IsEmpty(r) THEN RETURN 0 END;
    RETURN r.east - r.west;
  END HorSize;

PROCEDURE VerSize(READONLY r: T): CARDINAL =
  BEGIN
    IF IsEmpty(r) THEN RETURN 0 END;
    RETURN r.south - r.north;
  END VerSize;

PROCEDURE Size(ax: Axis.T; READONLY r: T): CARDINAL =
  BEGIN
    IF ax = Axis.T.Hor THEN RETURN HorSize(r) END;
    RETURN VerSize(r);
  END Size;

PROCEDURE DiagSizeSquare(READONLY r: T): CARDINAL =
  VAR hor := HorSize(r);  ver := VerSize(r);
  BEGIN
    RETURN hor * hor + ver * ver;
  END DiagSizeSquare;

PROCEDURE Middle(READONLY r: T): Point.T =
  BEGIN
    IF IsEmpty(r) THEN RETURN Point.Origin END;
    RETURN Point.T{Interval.Middle(Hor(r)), Interval.Middle(Ver(r))};
  END Middle;

PROCEDURE Center(READONLY r: T; READONLY p: Point.T): T =
  BEGIN
    RETURN Add(r, Point.Sub(p, Middle(r)));
  END Center;

PROCEDURE PickEdge(READONLY r: T; READONLY p: Point.T): Edge =
  VAR
    h := Interval.Project(Hor(r), p.h);
    v := Interval.Project(Ver(r), p.v);
    (* Beside an edge only the distance to the edge counts; elsewhere the distance to its nearest
       end counts as well. *)
    distances := ARRAY Edge OF INTEGER{
      ABS(p.h - r.west) + ABS(p.v - v), ABS(r.east - 1 - p.h) + ABS(p.v - v),
      ABS(p.v - r.north) + ABS(p.h - h), ABS(r.south - 1 - p.v) + ABS(p.h - h)};
    nearest := Edge.W;
  BEGIN
    FOR e := Edge.E TO Edge.S DO
      IF distances[e] < distances[nearest] THEN nearest := e END;
    END;
    RETURN nearest;
  END PickEdge;

PROCEDURE PickVertex(READONLY r: T; READONLY p: Point.T): Vertex =
  CONST Corner = ARRAY Interval.Bound, Interval.Bound OF Vertex{
    ARRAY Interval.Bound OF Vertex{Vertex.NW, Vertex.SW},
    ARRAY Interval.Bound OF Vertex{Vertex.NE, Vertex.SE}};
  BEGIN
    <*ASSERT NOT IsEmpty(r)*>
    RETURN Corner[Interval.PickBound(Hor(r), p.h), Interval.PickBound(Ver(r), p.v)];
  END PickVertex;

PROCEDURE Project(READONLY r: T; READONLY p: Point.T): Point.T =
  BEGIN
    RETURN Point.T{Interval.Project(Hor(r), p.h), Interval.Project(Ver(r), p.v)};
  END Project;

PROCEDURE Add(READONLY r: T; READONLY p: Point.T): T =
  BEGIN
    RETURN MoveHV(r, p.h, p.v);
  END Add;

PROCEDURE Sub(READONLY r: T; READONLY p: Point.T): T =
  BEGIN
    RETURN MoveHV(r, -p.h, -p.v);
  END Sub;

PROCEDURE Move(READONLY r: T; READONLY p: Point.T): T =
  BEGIN
    RETURN MoveHV(r, p.h, p.v);
  END Move;

PROCEDURE MoveH(READONLY r: T; dh: INTEGER): T =
  BEGIN
    RETURN MoveHV(r, dh, 0);
  END MoveH;

PROCEDURE MoveV(READONLY r: T; dv: INTEGER): T =
  BEGIN
    RETURN MoveHV(r, 0, dv);
  END MoveV;

PROCEDURE MoveHV(READONLY r: T; dh, dv: INTEGER): T =
  BEGIN
    RETURN Change(r, dh, dh, dv, dv);
  END MoveHV;

PROCEDURE Scale(READONLY r: T; num, den: INTEGER): T =
  BEGIN
    IF IsEmpty(r) THEN RETURN Empty END;
    RETURN FromEdges(r.west * num DIV den, r.east * num DIV den, r.north * num DIV den,
                     r.south * num DIV den);
  END Scale;

PROCEDURE Inset(READONLY r: T; n: INTEGER): T =
  BEGIN
    RETURN Change(r, n, -n, n, -n);
  END Inset;

PROCEDURE Change(READONLY r: T; dw, de, dn, ds: INTEGER): T =
  BEGIN
    IF IsEmpty(r) THEN RETURN Empty END;
    RETURN FromEdges(r.west + dw, r.east + de, r.north + dn, r.south + ds);
  END Change;

PROCEDURE MoveEdge(READONLY r: T; e: Edge; dn: INTEGER): T =
  BEGIN
    CASE e OF
    | Edge.W => RETURN Change(r, dn, 0, 0, 0);
    | Edge.E => RETURN Change(r, 0, dn, 0, 0);
    | Edge.N => RETURN Change(r, 0, 0, dn, 0);
    | Edge.S => RETURN Change(r, 0, 0, 0, dn);
    END;
  END MoveEdge;

PROCEDURE Join(READONLY r, s: T): T =
  BEGIN
    IF IsEmpty(r) THEN RETURN Of(Hor(s), Ver(s)) END;
    IF IsEmpty(s) THEN RETURN r END;
    RETURN Of(Interval.Join(Hor(r), Hor(s)), Interval.Join(Ver(r), Ver(s)));
  END Join;

PROCEDURE Meet(READONLY r, s: T): T =
  BEGIN
    RETURN Of(Interval.Meet(Hor(r), Hor(s)), Interval.Meet(Ver(r), Ver(s)));
  END Meet;

PROCEDURE Extend(READONLY r: T; READONLY p: Point.T): T =
  BEGIN
    RETURN Join(r, FromPoint(p));
  END Extend;

PROCEDURE Chop(ax: Axis.T; READONLY r: T; n: INTEGER; VAR s, t: T) =
  VAR hor := Hor(r);  ver := Ver(r);  before, rest: Interval.T;
  BEGIN
    IF ax = Axis.T.Hor THEN
      Interval.Chop(hor, n, before, rest);
      s := Of(before, ver);
      t := Of(rest, ver);
    ELSE
      Interval.Chop(ver, n, before, rest);
      s := Of(hor, before);
      t := Of(hor, rest);
    END;
  END Chop;

(* The strips above and below by are as wide as r. Moved as Interval.Factor orders intervals,
   neither these three nor the three parts between the strips cover one another. *)
PROCEDURE Factor(READONLY r, by: T; VAR f: Partition; dh, dv: INTEGER) =
  VAR hor := Hor(r);  rows, columns: Interval.Partition;
  BEGIN
    Interval.Factor(Ver(r), Ver(by), rows, dv);
    Interval.Factor(hor, Hor(by), columns, dh);
    f[0] := Of(hor, rows[0]);
    FOR i := 0 TO 2 DO f[1 + i] := Of(columns[i], rows[1]) END;
    f[4] := Of(hor, rows[2]);
  END Factor;

PROCEDURE Mod(READONLY p: Point.T; READONLY r: T): Point.T =
  BEGIN
    RETURN Point.T{Interval.Mod(p.h, Hor(r)), Interval.Mod(p.v, Ver(r))};
  END Mod;

PROCEDURE Equal(READONLY r, s: T): BOOLEAN =
  BEGIN
    RETURN r = s OR IsEmpty(r) AND IsEmpty(s);
  END Equal;

PROCEDURE Congruent(READONLY r, s: T): BOOLEAN =
  BEGIN
    RETURN HorSize(r) = HorSize(s) AND VerSize(r) = VerSize(s);
  END Congruent;

PROCEDURE IsEmpty(READONLY r: T): BOOLEAN =
  BEGIN
    RETURN r.west >= r.east OR r.north >= r.south;
  END IsEmpty;

PROCEDURE Member(READONLY p: Point.T; READONLY r: T): BOOLEAN =
  BEGIN
    RETURN r.west <= p.h AND p.h < r.east AND r.north <= p.v AND p.v < r.south;
  END Member;

PROCEDURE Overlap(READONLY r, s: T): BOOLEAN =
  BEGIN
    RETURN NOT IsEmpty(Meet(r, s));
  END Overlap;

PROCEDURE Subset(READONLY r, s: T): BOOLEAN =
  BEGIN
    RETURN IsEmpty(r)
        OR NOT IsEmpty(s) AND Interval.Subset(Hor(r), Hor(s)) AND Interval.Subset(Ver(r), Ver(s));
  END Subset;

PROCEDURE Transpose(READONLY r: T; ax := Axis.T.Ver): T =
  BEGIN
    IF ax = Axis.T.Hor THEN RETURN r END;
    RETURN T{r.north, r.south, r.west, r.east};
  END Transpose;

PROCEDURE Compare(READONLY r, s: T): [-1..1] =
  VAR a := Of(Hor(r), Ver(r));  b := Of(Hor(s), Ver(s));
      hor := Interval.Compare(Hor(a), Hor(b));
  BEGIN
    IF hor # 0 THEN RETURN hor END;
    RETURN Interval.Compare(Ver(a), Ver(b));
  END Compare;

PROCEDURE Hash(READONLY r: T): Word.T =
  BEGIN
    IF IsEmpty(r) THEN RETURN 0 END;
    RETURN Word.Plus(Word.Times(Interval.Hash(Hor(r)), 961), Interval.Hash(Ver(r)));
  END Hash;

BEGIN
END Rect.
