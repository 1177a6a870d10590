(* What this process has done with databases so far. *)
INTERFACE DatabaseStatistics;

TYPE
  Kind = {
    ReadFaults,    (* traps that fetched a page *)
    WriteFaults,   (* traps of a first write to a page in a transaction *)
    PagesRead,
    BytesRead,
    PagesWritten,
    BytesWritten,  (* changed parts of pages only *)
    Commits
  };

PROCEDURE Get(kind: Kind): INTEGER;

END DatabaseStatistics.
