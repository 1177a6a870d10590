(* Paths: sequences of lines and curves in the plane.

   A path is made of trails. MoveTo begins one, LineTo and CurveTo continue it, and Close ends it
   with a line to where it began. Not for several threads at a time. *)
INTERFACE Path;

IMPORT Point;

TYPE
  T <: ROOT;  (* NEW(T) has no trails *)

  (* What Map calls. A curve is that of Bezier from p to s with the control points q and r. *)
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

(* From where the trail ends to p; to s, with the control points q and r. *)
PROCEDURE LineTo(path: T; READONLY p: Point.T);
PROCEDURE CurveTo(path: T; READONLY q, r, s: Point.T);

(* A line to where the trail begins, which ends it. *)
PROCEDURE Close(path: T);

(* Has it no trails? Are all its trails closed? *)
PROCEDURE IsEmpty(path: T): BOOLEAN;
PROCEDURE IsClosed(path: T): BOOLEAN;

(* Where the trail that is not closed yet ends. A checked run-time error if there is none. *)
PROCEDURE CurrentPoint(path: T): Point.T;

(* Calls a method of map for each part, in order; where the part begins is told as well. map may not
   change the path. *)
PROCEDURE Map(path: T; map: MapObject) RAISES {Malformed};

PROCEDURE Copy(path: T): T;

(* A copy that is moved by delta. *)
PROCEDURE Translate(path: T; READONLY delta: Point.T): T RAISES {Malformed};

(* A copy in which each curve is lines between points of it, nowhere more than a unit away. *)
PROCEDURE Flatten(path: T): T RAISES {Malformed};

END Path.
