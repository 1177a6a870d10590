(* Tuning of the SRC run time's collector. This run time's collector is generational, chooses its
   own times and works while the program waits for memory. Requests for another kind of
   collection are accepted and have no effect. *)
INTERFACE RTCollectorSRC;

(* Begin a collection, if none is under way, and finish it: together a full collection. *)
PROCEDURE StartCollection();
PROCEDURE FinishCollection();

VAR
  gcRatio := 1.0;
  incremental := TRUE;
  generational := TRUE;

(* Accepted; nothing changes. *)
PROCEDURE StartBackgroundCollection();
PROCEDURE StartForegroundCollection();
PROCEDURE DisableVM();

END RTCollectorSRC.
