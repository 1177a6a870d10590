(* Sets of points of the plane, made of rectangles.

   A region is a value: no procedure changes one. A region takes space proportional to the
   number of rectangles that ToRects returns. Operations on two regions take time
   proportional to the rectangles of both. *)
INTERFACE Region;

IMPORT Point, Rect, Word;

TYPE
  (* The least rectangle around the region, and the parts of it that are in the region: NIL if
     the whole rectangle is. *)
  T = RECORD
    r: Rect.T := Rect.Empty;
    p: P := NIL;
  END;
  P <: REFANY;

CONST
  Brand = "Region";
  Empty = T{Rect.Empty, NIL};
  Full = T{Rect.Full, NIL};

PROCEDURE FromRect(READONLY r: Rect.T): T;

(* The points that are in any of the arguments. *)
PROCEDURE FromRects(READONLY ra: ARRAY OF Rect.T): T;
PROCEDURE FromPoint(READONLY p: Point.T): T;

(* Disjoint rectangles that make up rgn, from north to south in bands of rectangles of one
   height, each band from west to east. Equal regions have equal lists. *)
PROCEDURE ToRects(READONLY rgn: T): REF ARRAY OF Rect.T;

PROCEDURE BoundingBox(READONLY rgn: T): Rect.T;

(* rgn moved by p, by -p, by dh and dv. *)
PROCEDURE Add(READONLY rgn: T; READONLY p: Point.T): T;
PROCEDURE Sub(READONLY rgn: T; READONLY p: Point.T): T;
PROCEDURE MoveHV(READONLY rgn: T; dh, dv: INTEGER): T;

(* The points in either region, in both, in rgn but not in rgnP, in exactly one. *)
PROCEDURE Join(READONLY rgn, rgnP: T): T;
PROCEDURE JoinRect(READONLY r: Rect.T; READONLY rgn: T): T;
PROCEDURE Meet(READONLY rgn, rgnP: T): T;
PROCEDURE MeetRect(READONLY r: Rect.T; READONLY rgn: T): T;
PROCEDURE Difference(READONLY rgn, rgnP: T): T;
PROCEDURE SymmetricDifference(READONLY rgn, rgnP: T): T;

(* Do both regions have the same points? *)
PROCEDURE Equal(READONLY rgn, rgnP: T): BOOLEAN;
PROCEDURE IsEmpty(READONLY rgn: T): BOOLEAN;
PROCEDURE IsRect(READONLY rgn: T): BOOLEAN;
PROCEDURE Member(READONLY p: Point.T; READONLY rgn: T): BOOLEAN;
PROCEDURE Overlap(READONLY rgn, rgnP: T): BOOLEAN;
PROCEDURE OverlapRect(READONLY r: Rect.T; READONLY rgn: T): BOOLEAN;

(* Is each point of the first in the second? *)
PROCEDURE Subset(READONLY rgn, rgnP: T): BOOLEAN;
PROCEDURE SubsetRect(READONLY r: Rect.T; READONLY rgn: T): BOOLEAN;

PROCEDURE Hash(READONLY rgn: T): Word.T;

END Region.
