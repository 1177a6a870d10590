(* golden: run, with lib/Check *)
(* Regions against bit maps; each procedure of Axis, Interval, Point, Rect, Region and Path. *)
MODULE Main;

IMPORT Axis, Check, Interval, Path, Point, Random, Rect, Region, RuntimeError;

CONST
  Size = 12;  (* of the part of the plane that the random tests use *)

TYPE
  Bits = ARRAY [0..Size - 1], [0..Size - 1] OF BOOLEAN;

VAR rand := NEW(Random.Default).init(TRUE);

(* Some rectangles are empty or have edges in the wrong order. *)
PROCEDURE AnyRect(): Rect.T =
  BEGIN
    RETURN Rect.T{rand.integer(0, Size), rand.integer(0, Size), rand.integer(0, Size),
                  rand.integer(0, Size)};
  END AnyRect;

PROCEDURE AnyRegion(VAR bits: Bits): Region.T =
  VAR rects: ARRAY [0..5] OF Rect.T;  n := rand.integer(0, 6);
  BEGIN
    FOR i := 0 TO n - 1 DO rects[i] := AnyRect() END;
    FOR h := 0 TO Size - 1 DO
      FOR v := 0 TO Size - 1 DO
        bits[h, v] := FALSE;
        FOR i := 0 TO n - 1 DO
          IF Rect.Member(Point.T{h, v}, rects[i]) THEN bits[h, v] := TRUE END;
        END;
      END;
    END;
    RETURN Region.FromRects(SUBARRAY(rects, 0, n));
  END AnyRegion;

(* Has rgn the points of bits, once each, and is it as ToRects promises? *)
PROCEDURE Same(READONLY rgn: Region.T; READONLY bits: Bits): BOOLEAN =
  VAR rects := Region.ToRects(rgn);  seen := Bits{ARRAY [0..Size - 1] OF BOOLEAN{FALSE, ..}, ..};
      box := Rect.Empty;
  BEGIN
    FOR i := 0 TO LAST(rects^) DO
      WITH r = rects[i] DO
        IF Rect.IsEmpty(r) THEN RETURN FALSE END;
        box := Rect.Join(box, r);
        IF i > 0 AND rects[i - 1].north = r.north
             AND (rects[i - 1].east >= r.west OR rects[i - 1].south # r.south) THEN
          RETURN FALSE;
        END;
        IF i > 0 AND rects[i - 1].north # r.north AND rects[i - 1].south > r.north THEN
          RETURN FALSE;
        END;
        FOR h := r.west TO r.east - 1 DO
          FOR v := r.north TO r.south - 1 DO
            IF seen[h, v] THEN RETURN FALSE END;
            seen[h, v] := TRUE;
          END;
        END;
      END;
    END;
    IF seen # bits OR box # Region.BoundingBox(rgn) THEN RETURN FALSE END;
    FOR h := 0 TO Size - 1 DO
      FOR v := 0 TO Size - 1 DO
        IF Region.Member(Point.T{h, v}, rgn) # bits[h, v] THEN RETURN FALSE END;
      END;
    END;
    RETURN TRUE;
  END Same;

PROCEDURE FromPoints(READONLY bits: Bits): Region.T =
  VAR rgn := Region.Empty;
  BEGIN
    FOR h := 0 TO Size - 1 DO
      FOR v := 0 TO Size - 1 DO
        IF bits[h, v] THEN rgn := Region.Join(Region.FromPoint(Point.T{h, v}), rgn) END;
      END;
    END;
    RETURN rgn;
  END FromPoints;

PROCEDURE Regions() =
  VAR x, y, z, join, meet, difference, symmetric: Bits;  a, b, c, same: Region.T;
      overlap, subset: BOOLEAN;
  BEGIN
    FOR i := 1 TO 300 DO
      a := AnyRegion(x);
      b := AnyRegion(y);
      overlap := FALSE;  subset := TRUE;
      FOR h := 0 TO Size - 1 DO
        FOR v := 0 TO Size - 1 DO
          join[h, v] := x[h, v] OR y[h, v];
          meet[h, v] := x[h, v] AND y[h, v];
          difference[h, v] := x[h, v] AND NOT y[h, v];
          symmetric[h, v] := x[h, v] # y[h, v];
          overlap := overlap OR meet[h, v];
          subset := subset AND NOT difference[h, v];
        END;
      END;
      Check.That(Same(a, x), "FromRects");
      Check.That(Same(Region.Join(a, b), join), "Join");
      Check.That(Same(Region.Meet(a, b), meet), "Meet");
      Check.That(Same(Region.Difference(a, b), difference), "Difference");
      Check.That(Same(Region.SymmetricDifference(a, b), symmetric), "SymmetricDifference");
      Check.That(Region.Overlap(a, b) = overlap, "Overlap");
      Check.That(Region.Subset(a, b) = subset, "Subset");
      Check.That(Region.Subset(Region.Meet(a, b), a), "Subset of the meet");
      Check.That(Region.Equal(a, b) = (x = y), "Equal");
      IF i MOD 10 = 0 THEN
        same := FromPoints(x);
        Check.That(Region.Equal(a, same) AND Region.Hash(a) = Region.Hash(same), "of points");
      END;
      Check.That(Region.IsEmpty(a) = (NUMBER(Region.ToRects(a)^) = 0), "IsEmpty");
      Check.That(Region.IsRect(a) = (NUMBER(Region.ToRects(a)^) <= 1), "IsRect");
      WITH r = AnyRect(), region = Region.FromRect(r) DO
        Check.That(Region.Equal(Region.JoinRect(r, a), Region.Join(region, a)), "JoinRect");
        Check.That(Region.Equal(Region.MeetRect(r, a), Region.Meet(region, a)), "MeetRect");
        Check.That(Region.OverlapRect(r, a) = Region.Overlap(region, a), "OverlapRect");
        Check.That(Region.SubsetRect(r, a) = Region.Subset(region, a), "SubsetRect");
      END;
      c := AnyRegion(z);
      Check.That(Region.Equal(Region.Meet(a, Region.Join(b, c)),
                              Region.Join(Region.Meet(a, b), Region.Meet(a, c))), "distributive");
      WITH moved = Region.MoveHV(a, 3, -2), p = Point.T{3, -2} DO
        Check.That(Region.Equal(moved, Region.Add(a, p)), "Add");
        Check.That(Region.Equal(Region.Sub(moved, p), a), "Sub");
        Check.That(Region.BoundingBox(moved) = Rect.Add(Region.BoundingBox(a), p), "moved box");
      END;
    END;
    Check.That(Region.Equal(Region.Difference(Region.Full, Region.Full), Region.Empty), "Full");
    Check.Int(NUMBER(Region.ToRects(Region.Difference(
                Region.Full, Region.FromPoint(Point.Origin)))^), 4, "all but a point");
  END Regions;

PROCEDURE Intervals() =
  VAR b, c: Interval.T;  parts: Interval.Partition;
  PROCEDURE I(lo, hi: INTEGER): Interval.T =
    BEGIN
      RETURN Interval.FromBounds(lo, hi);
    END I;
  BEGIN
    Check.That(I(5, 2) = Interval.Empty AND Interval.FromAbsBounds(5, 2) = I(2, 5), "bounds");
    Check.That(Interval.FromBound(2, 3) = I(2, 5) AND Interval.FromSize(3) = I(0, 3), "sizes");
    Check.Int(Interval.Size(I(2, 5)), 3, "Size");
    Check.Int(Interval.Size(Interval.T{5, 2}), 0, "Size of an empty one");
    Check.Int(Interval.Size(Interval.Full), LAST(CARDINAL), "Size of Full");
    Check.Int(Interval.Middle(I(2, 6)), 4, "Middle");
    Check.That(Interval.Center(I(2, 6), 10) = I(8, 12), "Center");
    Check.That(Interval.PickBound(I(0, 10), 4) = Interval.Bound.Lo
               AND Interval.PickBound(I(0, 10), 5) = Interval.Bound.Hi, "PickBound");
    Check.Int(Interval.Project(I(2, 6), 9), 5, "Project above");
    Check.Int(Interval.Project(I(2, 6), -9), 2, "Project below");
    Check.That(Interval.Move(I(2, 6), 2) = I(4, 8), "Move");
    Check.That(Interval.Inset(I(2, 6), 1) = I(3, 5), "Inset");
    Check.That(Interval.Inset(I(2, 6), 2) = Interval.Empty, "Inset to nothing");
    Check.That(Interval.Change(I(2, 6), -1, 3) = I(1, 9), "Change");
    Check.That(Interval.Join(I(2, 4), I(7, 9)) = I(2, 9), "Join");
    Check.That(Interval.Join(Interval.T{9, 1}, I(7, 9)) = I(7, 9), "Join with an empty one");
    Check.That(Interval.Meet(I(2, 6), I(4, 9)) = I(4, 6), "Meet");
    Interval.Chop(I(2, 6), 5, b, c);
    Check.That(b = I(2, 5) AND c = I(5, 6), "Chop");
    Interval.Chop(c, 9, b, c);
    Check.That(b = I(5, 6) AND c = Interval.Empty, "Chop a variable that it sets");
    Interval.Factor(I(0, 9), I(4, 6), parts, 1);
    Check.That(parts[0] = I(6, 9) AND parts[1] = I(4, 6) AND parts[2] = I(0, 4), "Factor");
    Check.Int(Interval.Mod(-1, I(2, 6)), 3, "Mod");
    Check.That(Interval.Equal(Interval.T{9, 1}, Interval.T{3, 3}), "Equal");
    Check.That(Interval.IsEmpty(Interval.T{3, 3}) AND NOT Interval.IsEmpty(I(2, 3)), "IsEmpty");
    Check.That(Interval.Member(2, I(2, 3)) AND NOT Interval.Member(3, I(2, 3)), "Member");
    Check.That(Interval.Overlap(I(2, 4), I(3, 9)) AND NOT Interval.Overlap(I(2, 4), I(4, 9)),
               "Overlap");
    Check.That(Interval.Subset(I(2, 4), I(1, 4)) AND NOT Interval.Subset(I(2, 4), I(3, 4)),
               "Subset");
    Check.Int(Interval.Compare(I(2, 4), I(2, 3)), 1, "Compare");
    Check.Int(Interval.Hash(Interval.T{9, 1}), Interval.Hash(Interval.Empty), "Hash");
    Check.Fails(ProjectToNothing, RuntimeError.T.AssertFailed, "Project to an empty one");
  END Intervals;

PROCEDURE ProjectToNothing() =
  BEGIN
    EVAL Interval.Project(Interval.Empty, 1);
  END ProjectToNothing;

PROCEDURE Points() =
  VAR p := Point.T{7, -3};  q := Point.T{2, 5};
  BEGIN
    Check.That(Point.Add(p, q) = Point.T{9, 2} AND Point.Sub(p, q) = Point.T{5, -8}, "Add, Sub");
    Check.That(Point.Minus(p) = Point.T{-7, 3} AND Point.Mul(p, 2) = Point.T{14, -6}, "Mul");
    Check.That(Point.Div(p, 2) = Point.T{3, -2} AND Point.Mod(p, 2) = Point.T{1, 1}, "Div, Mod");
    Check.That(Point.Scale(p, 3, 2) = Point.T{10, -5}, "Scale");
    Check.That(Point.Min(p, q) = Point.T{2, -3} AND Point.Max(p, q) = Point.T{7, 5}, "Min, Max");
    Check.That(Point.MoveH(p, 1) = Point.T{8, -3} AND Point.MoveV(p, 1) = Point.T{7, -2}
               AND Point.MoveHV(p, 1, 2) = Point.T{8, -1}, "MoveHV");
    Check.Int(Point.DistSquare(p, q), 89, "DistSquare");
    Check.That(Point.Transpose(p) = Point.T{-3, 7}
               AND Point.Transpose(p, Axis.Other[Axis.T.Ver]) = p, "Transpose");
    Check.That(Point.Equal(p, Point.T{7, -3}) AND NOT Point.Equal(p, q), "Equal");
    Check.Int(Point.Compare(p, q), 1, "Compare by h");
    Check.Int(Point.Compare(p, Point.T{7, 0}), -1, "Compare by v");
    Check.That(Point.Hash(p) = Point.Hash(Point.T{7, -3}), "Hash");
  END Points;

PROCEDURE Rects() =
  VAR r := Rect.FromEdges(2, 8, 1, 4);  s, t: Rect.T;
      nw := Point.T{2, 1};
  BEGIN
    Check.That(Rect.FromEdges(8, 2, 1, 4) = Rect.Empty, "FromEdges");
    Check.That(Rect.FromAbsEdges(8, 2, 4, 1) = r, "FromAbsEdges");
    Check.That(Rect.FromCorners(Point.T{8, 1}, Point.T{2, 4}) = r, "FromCorners");
    Check.That(Rect.FromCorner(nw, 6, 3) = r, "FromCorner");
    FOR v := FIRST(Rect.Vertex) TO LAST(Rect.Vertex) DO
      Check.That(Rect.FromVertex(Rect.GetVertex(v, r), v, 6, 3) = r, "FromVertex");
    END;
    Check.That(Rect.NorthWest(r) = nw AND Rect.NorthEast(r) = Point.T{8, 1}
               AND Rect.SouthWest(r) = Point.T{2, 4} AND Rect.SouthEast(r) = Point.T{8, 4},
               "corners");
    Check.That(Rect.FromSize(6, 3) = Rect.Sub(r, nw), "FromSize");
    Check.That(Rect.FromPoint(nw) = Rect.T{2, 3, 1, 2}, "FromPoint");
    Check.Int(Rect.HorSize(r), 6, "HorSize");
    Check.Int(Rect.VerSize(r), 3, "VerSize");
    Check.That(Rect.Size(Axis.T.Hor, r) = 6 AND Rect.Size(Axis.T.Ver, r) = 3, "Size");
    Check.Int(Rect.DiagSizeSquare(r), 45, "DiagSizeSquare");
    Check.That(Rect.Middle(r) = Point.T{5, 2}, "Middle");
    Check.That(Rect.Center(r, Point.Origin) = Rect.T{-3, 3, -1, 2}, "Center");
    Check.That(Rect.PickEdge(r, Point.T{4, 0}) = Rect.Edge.N
               AND Rect.PickEdge(r, Point.T{1, 2}) = Rect.Edge.W
               AND Rect.PickEdge(r, Point.T{9, 2}) = Rect.Edge.E
               AND Rect.PickEdge(r, Point.T{5, 3}) = Rect.Edge.S, "PickEdge");
    FOR v := FIRST(Rect.Vertex) TO LAST(Rect.Vertex) DO
      Check.That(Rect.PickVertex(r, Rect.GetVertex(v, r)) = v, "PickVertex");
    END;
    Check.That(Rect.Project(r, Point.T{10, 2}) = Point.T{7, 2}, "Project");
    Check.That(Rect.Add(r, nw) = Rect.T{4, 10, 2, 5} AND Rect.Move(r, nw) = Rect.Add(r, nw)
               AND Rect.MoveHV(r, 2, 1) = Rect.Add(r, nw)
               AND Rect.MoveV(Rect.MoveH(r, 2), 1) = Rect.Add(r, nw), "Move");
    Check.That(Rect.Scale(r, 3, 2) = Rect.T{3, 12, 1, 6}, "Scale");
    Check.That(Rect.Inset(r, 1) = Rect.T{3, 7, 2, 3} AND Rect.Inset(r, 2) = Rect.Empty, "Inset");
    Check.That(Rect.Change(r, -1, 1, 0, 2) = Rect.T{1, 9, 1, 6}, "Change");
    s := r;
    FOR e := FIRST(Rect.Edge) TO LAST(Rect.Edge) DO s := Rect.MoveEdge(s, e, 2) END;
    Check.That(s = Rect.MoveHV(r, 2, 2), "MoveEdge");
    Check.That(Rect.Join(r, Rect.FromPoint(Point.Origin)) = Rect.T{0, 8, 0, 4}, "Join");
    Check.That(Rect.Extend(r, Point.Origin) = Rect.T{0, 8, 0, 4}, "Extend");
    Check.That(Rect.Join(Rect.T{9, 3, 3, 9}, r) = r, "Join with an empty one");
    Check.That(Rect.Meet(r, Rect.T{4, 20, 0, 3}) = Rect.T{4, 8, 1, 3}, "Meet");
    Rect.Chop(Axis.T.Hor, r, 5, s, t);
    Check.That(s = Rect.T{2, 5, 1, 4} AND t = Rect.T{5, 8, 1, 4}, "Chop");
    Rect.Chop(Axis.T.Ver, r, 9, s, t);
    Check.That(s = r AND t = Rect.Empty, "Chop beyond");
    Check.That(Rect.Mod(Point.T{9, 0}, r) = Point.T{3, 3}, "Mod");
    Check.That(Rect.Equal(Rect.T{9, 3, 3, 9}, Rect.Empty), "Equal");
    Check.That(Rect.Congruent(r, Rect.MoveH(r, 9)) AND NOT Rect.Congruent(r, Rect.Inset(r, 1)),
               "Congruent");
    Check.That(Rect.Member(nw, r) AND NOT Rect.Member(Point.T{8, 3}, r), "Member");
    Check.That(NOT Rect.Overlap(r, Rect.MoveV(r, 3)) AND Rect.Overlap(r, Rect.MoveV(r, 2)),
               "Overlap");
    Check.That(Rect.Subset(Rect.Inset(r, 1), r) AND NOT Rect.Subset(r, Rect.Inset(r, 1))
               AND Rect.Subset(Rect.T{9, 3, 3, 9}, r), "Subset");
    Check.That(Rect.Transpose(r) = Rect.T{1, 4, 2, 8} AND Rect.Transpose(r, Axis.T.Hor) = r,
               "Transpose");
    Check.Int(Rect.Compare(r, Rect.MoveV(r, 1)), -1, "Compare");
    Check.Int(Rect.Compare(Rect.T{9, 3, 3, 9}, Rect.Empty), 0, "Compare empty ones");
    Check.That(Rect.Hash(r) = Rect.Hash(Rect.T{2, 8, 1, 4}), "Hash");
    Check.Int(Rect.HorSize(Rect.Full), LAST(CARDINAL), "Full");
  END Rects;

(* The parts of Factor are disjoint, are together the whole, and can be moved one after the
   other. *)
PROCEDURE Factors() =
  VAR f: Rect.Partition;  all: Region.T;  r, by: Rect.T;  area: INTEGER;  delta: Point.T;
  BEGIN
    FOR i := 1 TO 500 DO
      r := AnyRect();
      by := AnyRect();
      delta := Point.T{rand.integer(-3, 3), rand.integer(-3, 3)};
      Rect.Factor(r, by, f, delta.h, delta.v);
      area := 0;
      FOR k := 0 TO 4 DO
        INC(area, Rect.HorSize(f[k]) * Rect.VerSize(f[k]));
        FOR later := k + 1 TO 4 DO
          Check.That(NOT Rect.Overlap(Rect.Add(f[k], delta), f[later]), "the order of Factor");
        END;
      END;
      all := Region.FromRects(f);
      Check.That(Region.Equal(all, Region.FromRect(r)), "the union of Factor");
      Check.Int(area, Rect.HorSize(r) * Rect.VerSize(r), "the area of Factor");
      Check.That(Rect.Equal(f[2], Rect.Meet(r, by)), "the meet of Factor");
    END;
  END Factors;

TYPE
  Counter = Path.MapObject OBJECT
    moves, lines, closes, curves := 0;
    sum := Point.Origin;   (* of the differences of all parts *)
    longest := 0;          (* the square of the longest line *)
  OVERRIDES
    move := Move;
    line := Line;
    close := Closing;
    curve := Curve;
  END;

PROCEDURE Move(self: Counter; <*UNUSED*> READONLY p: Point.T) =
  BEGIN
    INC(self.moves);
  END Move;

PROCEDURE Line(self: Counter; READONLY p, q: Point.T) =
  BEGIN
    INC(self.lines);
    self.sum := Point.Add(self.sum, Point.Sub(q, p));
    self.longest := MAX(self.longest, Point.DistSquare(p, q));
  END Line;

PROCEDURE Closing(self: Counter; READONLY p, q: Point.T) =
  BEGIN
    INC(self.closes);
    self.sum := Point.Add(self.sum, Point.Sub(q, p));
  END Closing;

PROCEDURE Curve(self: Counter; READONLY p: Point.T; <*UNUSED*> READONLY q, r: Point.T;
                READONLY s: Point.T) =
  BEGIN
    INC(self.curves);
    self.sum := Point.Add(self.sum, Point.Sub(s, p));
  END Curve;

PROCEDURE Count(path: Path.T): Counter =
  VAR counter := NEW(Counter);
  BEGIN
    TRY
      Path.Map(path, counter);
    EXCEPT
    | Path.Malformed => RETURN NIL;
    END;
    RETURN counter;
  END Count;

(* A quarter of a circle of radius 1000, within a thousandth: are the points of its flattening? *)
TYPE
  OnCircle = Path.MapObject OBJECT right := TRUE;  lines := 0 OVERRIDES line := LineOnCircle END;

PROCEDURE LineOnCircle(self: OnCircle; READONLY p, q: Point.T) =
  PROCEDURE Near(h, v: INTEGER) =
    VAR square := h * h + v * v;
    BEGIN
      IF square < 998 * 998 OR square > 1002 * 1002 THEN self.right := FALSE END;
    END Near;
  BEGIN
    INC(self.lines);
    Near(q.h, q.v);
    Near((p.h + q.h) DIV 2, (p.v + q.v) DIV 2);
  END LineOnCircle;

PROCEDURE Ignore(<*UNUSED*> self: Path.MapObject; <*UNUSED*> READONLY p: Point.T) =
  BEGIN
  END Ignore;

PROCEDURE Paths() RAISES {Path.Malformed} =
  VAR path := NEW(Path.T);  copy: Path.T;  counter: Counter;
      circle := NEW(OnCircle, move := Ignore);
  BEGIN
    Check.That(Path.IsEmpty(path) AND Path.IsClosed(path), "no trails");
    Path.MoveTo(path, Point.T{1, 1});
    Path.LineTo(path, Point.T{5, 1});
    Path.LineTo(path, Point.T{5, 5});
    Check.That(Path.CurrentPoint(path) = Point.T{5, 5}, "CurrentPoint");
    Check.That(NOT Path.IsEmpty(path) AND NOT Path.IsClosed(path), "an open trail");
    Path.Close(path);
    Check.That(Path.IsClosed(path), "a closed trail");
    counter := Count(path);
    Check.That(counter.moves = 1 AND counter.lines = 2 AND counter.closes = 1, "Map");
    Check.That(counter.sum = Point.Origin, "a trail comes back");

    copy := Path.Copy(path);
    Path.LineTo(copy, Point.Origin);
    Check.That(Count(copy) = NIL, "a line of no trail");
    Check.That(Count(path) # NIL, "copies are independent");
    Path.Reset(copy);
    Check.That(Path.IsEmpty(copy), "Reset");
    FOR i := 1 TO 20 DO
      Path.MoveTo(copy, Point.T{i, i});
      Path.CurveTo(copy, Point.T{i, 0}, Point.T{0, i}, Point.T{i + 1, i + 2});
    END;
    counter := Count(Path.Translate(copy, Point.T{100, 100}));
    Check.That(counter.curves = 20 AND counter.sum = Point.T{20, 40}, "Translate");
    Check.That(Path.CurrentPoint(Path.Translate(copy, Point.T{100, 100})) = Point.T{121, 122},
               "where a copy was moved");

    Path.Reset(path);
    Path.MoveTo(path, Point.T{1000, 0});
    Path.CurveTo(path, Point.T{1000, 552}, Point.T{552, 1000}, Point.T{0, 1000});
    copy := Path.Flatten(path);
    counter := Count(copy);
    Check.That(counter.curves = 0 AND counter.sum = Point.T{-1000, 1000}, "Flatten");
    Path.Map(copy, circle);
    Check.That(circle.right AND circle.lines > 10 AND circle.lines < 100, "a flat circle");
  END Paths;

<*FATAL Path.Malformed*>
BEGIN
  Intervals();
  Points();
  Rects();
  Factors();
  Regions();
  Paths();
  Check.Done();
END Main.
(* expect: all checks hold *)
