(* Paths: sequences of lines and curves in the plane.

   A path is made of trails. MoveTo begins one, LineTo and CurveTo continue it, and Close ends
   it with a line to its beginning. A path may be used by one thread at a time. *)
INTERFACE Path;

IMPORT Point;

TYPE
  T <: ROOT;  (* NEW(T) has no trails *)

  (* The methods that Map calls. A curve is a Bezier curve from p to s with the control points q
     and r. *)
  MapObject = OBJECT METHODS
    move(READONLY p: Point.T);
    line(READONLY p, q: Point.T);
    close(READONLY p, q: Point.T);
    curve(READONLY p, q, r, s: Point.T);
  END;

(* The path has a line or curve that continues no trail. *)
EXCEPTION
  Malformed;

(* Removes all trails. *)
PROCEDURE Reset(path: T);

(* Begins a trail at p. *)
PROCEDURE MoveTo(path: T; READONLY p: Point.T);

(* A line from the end of the trail to p; a curve to s with the control points q and r. *)
PROCEDURE LineTo(path: T; READONLY p: Point.T);
PROCEDURE CurveTo(path: T; READONLY q, r, s: Point.T);

(* A line to the beginning of the trail, which ends the trail. *)
PROCEDURE Close(path: T);

(* IsEmpty: has path no trails? IsClosed: are all its trails closed? *)
PROCEDURE IsEmpty(path: T): BOOLEAN;
PROCEDURE IsClosed(path: T): BOOLEAN;

(* The end of the trail that is not yet closed. A checked run-time error if there is none. *)
PROCEDURE CurrentPoint(path: T): Point.T;

(* Calls a method of map for each part, in order, with the point where the part begins. map must
   not change the path. *)
PROCEDURE Map(path: T; map: MapObject) RAISES {Malformed};

PROCEDURE Copy(path: T): T;

(* A copy that is moved by delta. *)
PROCEDURE Translate(path: T; READONLY delta: Point.T): T RAISES {Malformed};

(* A copy in which each curve is replaced by lines between points of the curve, nowhere more than
   a unit away from it. *)
PROCEDURE Flatten(path: T): T RAISES {Malformed};

END Path.
