(* Sets of points of the plane, made of rectangles.

   A region is a value: no procedure changes one. It takes space for the rectangles that ToRects
   gives, and operations on two take time in proportion to those of both. *)
INTERFACE Region;

IMPORT Point, Rect, Word;

TYPE
  (* The least rectangle around the region, and what is in it: NIL if all of it is. *)
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

(* The points that are in any of them. *)
PROCEDURE FromRects(READONLY ra: ARRAY OF Rect.T): T;
PROCEDURE FromPoint(READONLY p: Point.T): T;

(* Disjoint rectangles that make up rgn, from north to south in bands of rectangles of one height,
   each band from west to east. Equal regions have equal ones. *)
PROCEDURE ToRects(READONLY rgn: T): REF ARRAY OF Rect.T;

PROCEDURE BoundingBox(READONLY rgn: T): Rect.T;

(* rgn moved by p, by -p, by dh and dv. *)
PROCEDURE Add(READONLY rgn: T; READONLY p: Point.T): T;
PROCEDURE Sub(READONLY rgn: T; READONLY p: Point.T): T;
PROCEDURE MoveHV(READONLY rgn: T; dh, dv: INTEGER): T;

(* What is in either, in both, in rgn but not in rgnP, in one only. *)
PROCEDURE Join(READONLY rgn, rgnP: T): T;
PROCEDURE JoinRect(READONLY r: Rect.T; READONLY rgn: T): T;
PROCEDURE Meet(READONLY rgn, rgnP: T): T;
PROCEDURE MeetRect(READONLY r: Rect.T; READONLY rgn: T): T;
PROCEDURE Difference(READONLY rgn, rgnP: T): T;
PROCEDURE SymmetricDifference(READONLY rgn, rgnP: T): T;

(* The same points? *)
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
