(* Rectangles of points, their sides along the axes: r holds p if r.west <= p.h < r.east and
   r.north <= p.v < r.south.

   A rectangle is empty if west >= east or north >= south. Each procedure accepts empty
   rectangles with any edges, and returns Empty if its result is empty. *)
INTERFACE Rect;

IMPORT Axis, Point, Word;

TYPE
  T = RECORD west, east, north, south: INTEGER END;
  Edge = {W, E, N, S};
  Vertex = {NW, NE, SW, SE};
  Partition = ARRAY [0..4] OF T;

CONST
  Brand = "Rect";
  Empty = T{0, 0, 0, 0};

  (* The largest rectangle around the origin whose sizes are CARDINALs. *)
  Full = T{FIRST(INTEGER) DIV 2, LAST(INTEGER) DIV 2, FIRST(INTEGER) DIV 2, LAST(INTEGER) DIV 2};

(* The rectangle with these edges; FromAbsEdges takes the smaller of w and e as west, the smaller
   of n and s as north. *)
PROCEDURE FromEdges(w, e, n, s: INTEGER): T;
PROCEDURE FromAbsEdges(w, e, n, s: INTEGER): T;

(* The rectangle with p and q as opposite corners, in any order. *)
PROCEDURE FromCorners(READONLY p, q: Point.T): T;

(* The rectangle with the sizes hor and ver whose north-west corner is p; whose corner v is p;
   whose north-west corner is the origin. *)
PROCEDURE FromCorner(READONLY p: Point.T; hor, ver: CARDINAL): T;
PROCEDURE FromVertex(READONLY p: Point.T; v: Vertex; hor, ver: CARDINAL): T;
PROCEDURE FromSize(hor, ver: CARDINAL): T;

(* The rectangle that holds only p. *)
PROCEDURE FromPoint(READONLY p: Point.T): T;

(* The corners, where edges meet; only NorthWest is in r. *)
PROCEDURE NorthWest(READONLY r: T): Point.T;
PROCEDURE NorthEast(READONLY r: T): Point.T;
PROCEDURE SouthWest(READONLY r: T): Point.T;
PROCEDURE SouthEast(READONLY r: T): Point.T;
PROCEDURE GetVertex(v: Vertex; READONLY r: T): Point.T;

PROCEDURE HorSize(READONLY r: T): CARDINAL;
PROCEDURE VerSize(READONLY r: T): CARDINAL;
PROCEDURE Size(ax: Axis.T; READONLY r: T): CARDINAL;

(* The square of the diagonal's length. *)
PROCEDURE DiagSizeSquare(READONLY r: T): CARDINAL;

(* The point in the middle (Interval.Middle); the origin if r is empty. *)
PROCEDURE Middle(READONLY r: T): Point.T;

(* A rectangle of r's sizes with p in the middle. *)
PROCEDURE Center(READONLY r: T; READONLY p: Point.T): T;

(* The edge or corner nearest to p; if several are equally near, the first of them. A checked
   run-time error if r is empty. *)
PROCEDURE PickEdge(READONLY r: T; READONLY p: Point.T): Edge;
PROCEDURE PickVertex(READONLY r: T; READONLY p: Point.T): Vertex;

(* The point of r that is nearest to p. A checked run-time error if r is empty. *)
PROCEDURE Project(READONLY r: T; READONLY p: Point.T): Point.T;

(* r moved by p, by -p, by dh and dv. *)
PROCEDURE Add(READONLY r: T; READONLY p: Point.T): T;
PROCEDURE Sub(READONLY r: T; READONLY p: Point.T): T;
PROCEDURE Move(READONLY r: T; READONLY p: Point.T): T;
PROCEDURE MoveH(READONLY r: T; dh: INTEGER): T;
PROCEDURE MoveV(READONLY r: T; dv: INTEGER): T;
PROCEDURE MoveHV(READONLY r: T; dh, dv: INTEGER): T;

(* Each edge times num DIV den. *)
PROCEDURE Scale(READONLY r: T; num, den: INTEGER): T;

(* r with its edges moved: all inwards by n, outwards if n is negative; by dw, de, dn, ds; the edge
   e by dn. *)
PROCEDURE Inset(READONLY r: T; n: INTEGER): T;
PROCEDURE Change(READONLY r: T; dw, de, dn, ds: INTEGER): T;
PROCEDURE MoveEdge(READONLY r: T; e: Edge; dn: INTEGER): T;

(* Join: the least rectangle that includes both. Meet: the intersection. Extend: the least
   rectangle that includes r and p. *)
PROCEDURE Join(READONLY r, s: T): T;
PROCEDURE Meet(READONLY r, s: T): T;
PROCEDURE Extend(READONLY r: T; READONLY p: Point.T): T;

(* s gets the part of r before the coordinate n of the axis, t the rest. *)
PROCEDURE Chop(ax: Axis.T; READONLY r: T; n: INTEGER; VAR (*OUT*) s, t: T);

(* f[2] is Meet(r, by), the others are the rest of r, in an order in which moving the parts by
   (dh, dv) one after the other never covers a part that was not yet moved. *)
PROCEDURE Factor(READONLY r, by: T; VAR (*OUT*) f: Partition; dh, dv: INTEGER);

(* The point of r whose coordinates differ from p's by multiples of r's sizes. A checked run-time
   error if r is empty. *)
PROCEDURE Mod(READONLY p: Point.T; READONLY r: T): Point.T;

(* All empty rectangles are equal; rectangles of equal sizes are congruent. *)
PROCEDURE Equal(READONLY r, s: T): BOOLEAN;
PROCEDURE Congruent(READONLY r, s: T): BOOLEAN;
PROCEDURE IsEmpty(READONLY r: T): BOOLEAN;
PROCEDURE Member(READONLY p: Point.T; READONLY r: T): BOOLEAN;
PROCEDURE Overlap(READONLY r, s: T): BOOLEAN;

(* Is each point of r in s? *)
PROCEDURE Subset(READONLY r, s: T): BOOLEAN;

(* r with its coordinates exchanged if ax is Ver, else r. *)
PROCEDURE Transpose(READONLY r: T; ax := Axis.T.Ver): T;

(* Compares west, then east, north and south; every empty rectangle counts as Empty. *)
PROCEDURE Compare(READONLY r, s: T): [-1..1];
PROCEDURE Hash(READONLY r: T): Word.T;

END Rect.
