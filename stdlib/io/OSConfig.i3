(* Properties of this system. *)
INTERFACE OSConfig;

CONST
  ArcSep: CHAR = '/';   (* between the arcs of a pathname *)
  PathSep: CHAR = ':';  (* between the names of a search path *)
  LineSep: TEXT = "\n";
  UnixEpoch: LONGREAL = 0.0d0;  (* the Time.T of 1970-01-01, 0:00 UTC *)

(* "" for an unknown property. *)
PROCEDURE HostName(): TEXT;
PROCEDURE HostArchitecture(): TEXT;
PROCEDURE OSName(): TEXT;
PROCEDURE OSVersion(): TEXT;
PROCEDURE UserName(): TEXT;
PROCEDURE UserHome(): TEXT;

END OSConfig.
