(* T1 in several threads at the same time, each in read-only transactions of its own. *)
INTERFACE OO7Readers;

IMPORT Database, Usage;

(* Each of `threads` threads does T1 on the first module `repeats` times in each of `transactions`
   transactions, after one transaction that does not count. `from` is when all are ready, `to` when
   the last one is done. Returns the count of one traversal. *)
PROCEDURE Run(db: Database.T; threads, transactions, repeats: CARDINAL; VAR from, to: Usage.T):
  INTEGER;

END OO7Readers.
