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
    Commits,
    ObjectsPersisted,  (* made persistent *)
    BytesPersisted,    (* of these objects *)
    ObjectsMovedHome,  (* by collections, from where they were made to the database's pages *)
    ObjectsDisplaced,  (* persistent ones that now live where they were made *)
    PagesGoverned,     (* of the heap, that now hold such objects *)
    LogBytes           (* written to the logs of stores *)
  };

PROCEDURE Get(kind: Kind): INTEGER;

(* Whether commits from now on note what they persist, by type and by the stored reference through
   which it was reached. It costs a commit some time. *)
PROCEDURE ReportCommits(on: BOOLEAN := TRUE);

(* What the last commit did, and how long each part of it took, in lines; empty before the first.
   With @M3commitreport each commit writes it to the standard error. *)
PROCEDURE CommitReport(): TEXT;

END DatabaseStatistics.
