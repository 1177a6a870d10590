(* Counts of what this process has done with databases since it began. *)
INTERFACE DatabaseStatistics;

IMPORT Time;

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
    LogBytes,          (* written to the logs of stores *)
    Syncs,             (* of these logs, by commits: one makes all commits durable that wait for it *)
    LargestGroup,      (* the most commits that one sync made durable *)
    TwinsMade,         (* images of pages before their first write in a transaction *)
    TwinsComparedEarly,   (* of these, compared before the commit because of @M3twins *)
    PagesReadAhead,       (* pages read together with the page of a trap *)
    PagesOpenedTogether,  (* pages opened for writing together with the page of a trap *)
    PagesOpenedUnwritten, (* pages that a commit found open for writing, and not changed *)
    PagesKeptOpen,        (* pages that stayed open for writing behind a checkpoint or chain *)
    PagesDropped,         (* pages that left memory to make room, to be read again *)
    PagesSpilled,         (* changed pages that left memory for the spill file *)
    BarrierCalls,      (* of store barriers (tenure build --barriers=software) that found work to do *)
    BlocksMarked,      (* by store barriers, and sent by commits *)
    BlocksCopied,      (* of these, copied at the first store (@M3recovery=sd) *)
    PagesShipped,      (* to page servers by commits, as they are *)
    RegionsShipped,    (* to page servers by commits: changed parts of pages *)
    MissedBarriers     (* words that @M3paranoidbarriers has reported *)
  };

PROCEDURE Get(kind: Kind): INTEGER;

TYPE
  Turn = RECORD
    thread: INTEGER;    (* number of the thread that began the open top-level transaction; 0: none is open *)
    since: Time.T;      (* when the thread began it *)
    text: TEXT;         (* the same for people, and the line of the program; empty: none is open *)
    waiting: CARDINAL;  (* threads that wait to begin one *)
  END;

(* Which thread of this process has its turn (Transaction, THREADS). *)
PROCEDURE CurrentTurn(): Turn;

(* Whether commits from now on note which objects they make persistent, by type and by the stored
   reference through which a commit reached them. Noting makes commits slower. *)
PROCEDURE ReportCommits(on: BOOLEAN := TRUE);

(* The report of the last commit, in lines: what it did and how long each part took. Empty before the
   first commit. With @M3commitreport each commit writes its report to the standard error. *)
PROCEDURE CommitReport(): TEXT;

END DatabaseStatistics.
