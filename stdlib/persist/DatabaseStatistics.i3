(* Counts of what this process has done with databases since it began. *)
INTERFACE DatabaseStatistics;

TYPE
  Kind = {
    ReadFaults,    (* traps that fetched a page *)
    WriteFaults,   (* traps of a first write to a page in a transaction *)
    PagesRead,
    BytesRead,
    PagesWritten,
    BytesWritten,  (* only the changed parts of pages *)
    Commits,
    ObjectsPersisted,  (* objects that commits have made persistent *)
    BytesPersisted,    (* bytes of these objects *)
    ObjectsMovedHome,  (* objects that collections have moved to the database's pages *)
    ObjectsDisplaced,  (* now: persistent objects that collections have not moved yet *)
    PagesGoverned,     (* now: pages of the heap that hold such objects *)
    LogBytes           (* written to the logs of stores *)
  };

PROCEDURE Get(kind: Kind): INTEGER;

(* Whether commits from now on note which objects they make persistent, by type and by the stored
   reference through which a commit reached them. Noting makes commits slower. *)
PROCEDURE ReportCommits(on: BOOLEAN := TRUE);

(* The report of the last commit, in lines: what it did and how long each part took. Empty before the
   first commit. With @M3commitreport each commit writes its report to the standard error. *)
PROCEDURE CommitReport(): TEXT;

END DatabaseStatistics.
