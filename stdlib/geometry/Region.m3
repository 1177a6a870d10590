MODULE Region;

IMPORT Point, Rect, Word;

(* The rectangles of ToRects, two or more. Rectangles of a band do not touch, and bands that
   touch differ in their columns, so each region has exactly one representation. Never changed. *)
REVEAL
  P = BRANDED "Region.P" REF ARRAY OF Rect.T;

(* Grows as rectangles come, in the order of ToRects. *)
TYPE
  Builder = RECORD
    rects: P := NIL;
    count := 0;
    (* The indices where the last two bands begin. *)
    before, last := 0;
  END;

  Operation = {Join, Meet, Difference, SymmetricDifference};

CONST
  (* Is a point in the result, depending on whether it is in the first and in the second region? *)
  Inside = ARRAY Operation, BOOLEAN, BOOLEAN OF BOOLEAN{
    ARRAY BOOLEAN, BOOLEAN OF BOOLEAN{
      ARRAY BOOLEAN OF BOOLEAN{FALSE, TRUE}, ARRAY BOOLEAN OF BOOLEAN{TRUE, TRUE}},
    ARRAY BOOLEAN, BOOLEAN OF BOOLEAN{
      ARRAY BOOLEAN OF BOOLEAN{FALSE, FALSE}, ARRAY BOOLEAN OF BOOLEAN{FALSE, TRUE}},
    ARRAY BOOLEAN, BOOLEAN OF BOOLEAN{
      ARRAY BOOLEAN OF BOOLEAN{FALSE, FALSE}, ARRAY BOOLEAN OF BOOLEAN{TRUE, FALSE}},
    ARRAY BOOLEAN, BOOLEAN OF BOOLEAN{
      ARRAY BOOLEAN OF BOOLEAN{FALSE, TRUE}, ARRAY BOOLEAN OF BOOLEAN{TRUE, FALSE}}};

PROCEDURE Put(VAR b: Builder; READONLY r: Rect.T) =
  BEGIN
    IF b.rects = NIL THEN b.rects := NEW(P, 8) END;
    IF b.count = NUMBER(b.rects^) THEN
      WITH longer = NEW(P, 2 * b.count) DO
        SUBARRAY(longer^, 0, b.count) := b.rects^;
        b.rects := longer;
      END;
    END;
    b.rects[b.count] := r;
    INC(b.count);
  END Put;

(* The band is complete: join it to the previous band if it continues that one. *)
PROCEDURE EndBand(VAR b: Builder) =
  VAR size := b.count - b.last;
  BEGIN
    IF size = 0 THEN RETURN END;
    IF b.last - b.before = size AND b.rects[b.before].south = b.rects[b.last].north THEN
      FOR i := 0 TO size - 1 DO
        WITH above = b.rects[b.before + i], below = b.rects[b.last + i] DO
          IF above.west # below.west OR above.east # below.east THEN EXIT END;
        END;
        IF i = size - 1 THEN
          FOR k := 0 TO size - 1 DO b.rects[b.before + k].south := b.rects[b.last + k].south END;
          b.count := b.last;
          RETURN;
        END;
      END;
    END;
    b.before := b.last;
    b.last := b.count;
  END EndBand;

PROCEDURE Result(READONLY b: Builder): T =
  VAR box := Rect.Empty;
  BEGIN
    IF b.count = 0 THEN RETURN Empty END;
    IF b.count = 1 THEN RETURN T{b.rects[0], NIL} END;
    FOR i := 0 TO b.count - 1 DO box := Rect.Join(box, b.rects[i]) END;
    WITH exact = NEW(P, b.count) DO
      exact^ := SUBARRAY(b.rects^, 0, b.count);
      RETURN T{box, exact};
    END;
  END Result;

(* Both regions are passed from north to south, in strips in which neither has a horizontal edge; in
   a strip each is a row of intervals. *)
PROCEDURE Combine(READONLY a, b: ARRAY OF Rect.T; operation: Operation): T =
  VAR
    result: Builder;
    firstA, firstB: CARDINAL := 0;  (* where the current bands begin *)
    endA, endB: CARDINAL;           (* where they end, empty while the strip is above or below *)
    north, south: INTEGER;

  PROCEDURE StripFrom(v: INTEGER) =
    BEGIN
      north := v;
      south := LAST(INTEGER);
      Enter(a, firstA, endA);
      Enter(b, firstB, endB);
    END StripFrom;

  PROCEDURE Enter(READONLY rects: ARRAY OF Rect.T; VAR first, end: CARDINAL) =
    BEGIN
      WHILE first < NUMBER(rects) AND rects[first].south <= north DO INC(first) END;
      end := first;
      IF first = NUMBER(rects) THEN RETURN END;
      IF rects[first].north > north THEN
        south := MIN(south, rects[first].north);
      ELSE
        south := MIN(south, rects[first].south);
        WHILE end < NUMBER(rects) AND rects[end].north = rects[first].north DO INC(end) END;
      END;
    END Enter;

  (* Passes the vertical edges from west to east. *)
  PROCEDURE Strip() =
    VAR
      i := firstA;  j := firstB;
      inA, inB, inside := FALSE;
      west: INTEGER;

    PROCEDURE Edge(READONLY rects: ARRAY OF Rect.T; k, end: CARDINAL; within: BOOLEAN): INTEGER =
      BEGIN
        IF k = end THEN RETURN LAST(INTEGER) END;
        IF within THEN RETURN rects[k].east END;
        RETURN rects[k].west;
      END Edge;

    BEGIN
      WHILE i < endA OR j < endB DO
        WITH edgeA = Edge(a, i, endA, inA), edgeB = Edge(b, j, endB, inB), at = MIN(edgeA, edgeB) DO
          IF i < endA AND edgeA = at THEN
            IF inA THEN INC(i) END;
            inA := NOT inA;
          END;
          IF j < endB AND edgeB = at THEN
            IF inB THEN INC(j) END;
            inB := NOT inB;
          END;
          IF Inside[operation, inA, inB] # inside THEN
            IF inside THEN Put(result, Rect.T{west, at, north, south}) ELSE west := at END;
            inside := NOT inside;
          END;
        END;
      END;
      EndBand(result);
    END Strip;

  BEGIN
    IF NUMBER(a) = 0 AND NUMBER(b) = 0 THEN RETURN Empty END;
    north := LAST(INTEGER);
    IF NUMBER(a) > 0 THEN north := a[0].north END;
    IF NUMBER(b) > 0 THEN north := MIN(north, b[0].north) END;
    LOOP
      StripFrom(north);
      IF firstA = NUMBER(a) AND firstB = NUMBER(b) THEN EXIT END;
      Strip();
      north := south;
    END;
    RETURN Result(result);
  END Combine;

PROCEDURE Operate(READONLY a, b: T; operation: Operation): T =
  BEGIN
    IF a.p # NIL THEN
      IF b.p # NIL THEN RETURN Combine(a.p^, b.p^, operation) END;
      RETURN Combine(a.p^, SUBARRAY(ARRAY [0..0] OF Rect.T{b.r}, 0, One(b)), operation);
    END;
    IF b.p # NIL THEN
      RETURN Combine(SUBARRAY(ARRAY [0..0] OF Rect.T{a.r}, 0, One(a)), b.p^, operation);
    END;
    RETURN Combine(SUBARRAY(ARRAY [0..0] OF Rect.T{a.r}, 0, One(a)),
                   SUBARRAY(ARRAY [0..0] OF Rect.T{b.r}, 0, One(b)), operation);
  END Operate;

(* The number of rectangles of a region without a list. *)
PROCEDURE One(READONLY rgn: T): [0..1] =
  BEGIN
    RETURN ORD(NOT Rect.IsEmpty(rgn.r));
  END One;

PROCEDURE FromRect(READONLY r: Rect.T): T =
  BEGIN
    IF Rect.IsEmpty(r) THEN RETURN Empty END;
    RETURN T{r, NIL};
  END FromRect;

(* Divides and merges, so that n rectangles take log n passes. *)
PROCEDURE FromRects(READONLY ra: ARRAY OF Rect.T): T =
  VAR half := NUMBER(ra) DIV 2;
  BEGIN
    IF NUMBER(ra) = 0 THEN RETURN Empty END;
    IF NUMBER(ra) = 1 THEN RETURN FromRect(ra[0]) END;
    RETURN Join(FromRects(SUBARRAY(ra, 0, half)),
                FromRects(SUBARRAY(ra, half, NUMBER(ra) - half)));
  END FromRects;

PROCEDURE FromPoint(READONLY p: Point.T): T =
  BEGIN
    RETURN T{Rect.FromPoint(p), NIL};
  END FromPoint;

PROCEDURE ToRects(READONLY rgn: T): REF ARRAY OF Rect.T =
  VAR rects: REF ARRAY OF Rect.T;
  BEGIN
    IF rgn.p # NIL THEN
      rects := NEW(REF ARRAY OF Rect.T, NUMBER(rgn.p^));
      rects^ := rgn.p^;
    ELSE
      rects := NEW(REF ARRAY OF Rect.T, One(rgn));
      IF NUMBER(rects^) = 1 THEN rects[0] := rgn.r END;
    END;
    RETURN rects;
  END ToRects;

PROCEDURE BoundingBox(READONLY rgn: T): Rect.T =
  BEGIN
    RETURN rgn.r;
  END BoundingBox;

PROCEDURE Add(READONLY rgn: T; READONLY p: Point.T): T =
  BEGIN
    RETURN MoveHV(rgn, p.h, p.v);
  END Add;

PROCEDURE Sub(READONLY rgn: T; READONLY p: Point.T): T =
  BEGIN
    RETURN MoveHV(rgn, -p.h, -p.v);
  END Sub;

PROCEDURE MoveHV(READONLY rgn: T; dh, dv: INTEGER): T =
  VAR moved := T{Rect.MoveHV(rgn.r, dh, dv), NIL};
  BEGIN
    IF rgn.p # NIL THEN
      moved.p := NEW(P, NUMBER(rgn.p^));
      FOR i := 0 TO LAST(rgn.p^) DO moved.p[i] := Rect.MoveHV(rgn.p[i], dh, dv) END;
    END;
    RETURN moved;
  END MoveHV;

PROCEDURE Join(READONLY rgn, rgnP: T): T =
  BEGIN
    RETURN Operate(rgn, rgnP, Operation.Join);
  END Join;

PROCEDURE JoinRect(READONLY r: Rect.T; READONLY rgn: T): T =
  BEGIN
    RETURN Join(FromRect(r), rgn);
  END JoinRect;

PROCEDURE Meet(READONLY rgn, rgnP: T): T =
  BEGIN
    IF NOT Rect.Overlap(rgn.r, rgnP.r) THEN RETURN Empty END;
    RETURN Operate(rgn, rgnP, Operation.Meet);
  END Meet;

PROCEDURE MeetRect(READONLY r: Rect.T; READONLY rgn: T): T =
  BEGIN
    RETURN Meet(FromRect(r), rgn);
  END MeetRect;

PROCEDURE Difference(READONLY rgn, rgnP: T): T =
  BEGIN
    IF NOT Rect.Overlap(rgn.r, rgnP.r) THEN RETURN rgn END;
    RETURN Operate(rgn, rgnP, Operation.Difference);
  END Difference;

PROCEDURE SymmetricDifference(READONLY rgn, rgnP: T): T =
  BEGIN
    RETURN Operate(rgn, rgnP, Operation.SymmetricDifference);
  END SymmetricDifference;

PROCEDURE Equal(READONLY rgn, rgnP: T): BOOLEAN =
  BEGIN
    IF NOT Rect.Equal(rgn.r, rgnP.r) OR (rgn.p = NIL) # (rgnP.p = NIL) THEN RETURN FALSE END;
    RETURN rgn.p = rgnP.p OR NUMBER(rgn.p^) = NUMBER(rgnP.p^) AND rgn.p^ = rgnP.p^;
  END Equal;

PROCEDURE IsEmpty(READONLY rgn: T): BOOLEAN =
  BEGIN
    RETURN Rect.IsEmpty(rgn.r);
  END IsEmpty;

PROCEDURE IsRect(READONLY rgn: T): BOOLEAN =
  BEGIN
    RETURN rgn.p = NIL;
  END IsRect;

PROCEDURE Member(READONLY p: Point.T; READONLY rgn: T): BOOLEAN =
  VAR low, high, middle: CARDINAL := 0;
  BEGIN
    IF rgn.p = NIL OR NOT Rect.Member(p, rgn.r) THEN RETURN Rect.Member(p, rgn.r) END;
    (* All rectangles before low end before p. *)
    high := NUMBER(rgn.p^);
    WHILE low < high DO
      middle := (low + high) DIV 2;
      WITH r = rgn.p[middle] DO
        IF r.south <= p.v OR r.north <= p.v AND r.east <= p.h THEN
          low := middle + 1;
        ELSE
          high := middle;
        END;
      END;
    END;
    RETURN low < NUMBER(rgn.p^) AND Rect.Member(p, rgn.p[low]);
  END Member;

PROCEDURE Overlap(READONLY rgn, rgnP: T): BOOLEAN =
  BEGIN
    RETURN NOT IsEmpty(Meet(rgn, rgnP));
  END Overlap;

PROCEDURE OverlapRect(READONLY r: Rect.T; READONLY rgn: T): BOOLEAN =
  BEGIN
    IF rgn.p = NIL OR NOT Rect.Overlap(r, rgn.r) THEN RETURN Rect.Overlap(r, rgn.r) END;
    FOR i := 0 TO LAST(rgn.p^) DO
      IF Rect.Overlap(r, rgn.p[i]) THEN RETURN TRUE END;
    END;
    RETURN FALSE;
  END OverlapRect;

PROCEDURE Subset(READONLY rgn, rgnP: T): BOOLEAN =
  BEGIN
    IF rgnP.p = NIL OR NOT Rect.Subset(rgn.r, rgnP.r) THEN RETURN Rect.Subset(rgn.r, rgnP.r) END;
    RETURN IsEmpty(Difference(rgn, rgnP));
  END Subset;

PROCEDURE SubsetRect(READONLY r: Rect.T; READONLY rgn: T): BOOLEAN =
  BEGIN
    RETURN Subset(FromRect(r), rgn);
  END SubsetRect;

PROCEDURE Hash(READONLY rgn: T): Word.T =
  VAR hash := Rect.Hash(rgn.r);
  BEGIN
    IF rgn.p # NIL THEN
      FOR i := 0 TO LAST(rgn.p^) DO
        hash := Word.Plus(Word.Times(hash, 31), Rect.Hash(rgn.p[i]));
      END;
    END;
    RETURN hash;
  END Hash;

BEGIN
END Region.
