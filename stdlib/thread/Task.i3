(* Groups of threads that end together. A group's tasks run in threads of their own. If one fails, that is, ends by an
   exception or a run-time error, the others are cancelled: alerted, so that their alertable waits raise Thread.Alerted.
   Run does not return, and `wait` and `end` do not, before all threads of the group have ended.

   Example:

       MODULE Main;
       IMPORT Fmt, IO, Task, Thread;
       EXCEPTION Odd(INTEGER);
       TYPE
         Half = Task.Closure OBJECT n: INTEGER OVERRIDES apply := Halve END;
         Sum = Task.Body OBJECT last: INTEGER OVERRIDES apply := Add END;

       PROCEDURE Halve(self: Half): REFANY RAISES {Odd} =
         VAR half := NEW(REF INTEGER);
         BEGIN
           IF self.n MOD 2 = 1 THEN RAISE Odd(self.n) END;
           half^ := self.n DIV 2;
           RETURN half;
         END Halve;

       PROCEDURE Add(self: Sum; group: Task.Group) RAISES {Task.Failed, Task.Late, Thread.Alerted} =
         VAR halves := NEW(REF ARRAY OF Task.T, self.last);  sum := 0;
         BEGIN
           FOR i := 0 TO LAST(halves^) DO halves[i] := group.fork(NEW(Half, n := 2 * i)) END;
           IF self.last > 3 THEN EVAL group.fork(NEW(Half, n := 5)) END;
           group.wait();
           FOR i := 0 TO LAST(halves^) DO INC(sum, NARROW(halves[i].result(), REF INTEGER)^) END;
           IO.Put(Fmt.Int(sum) & "\n");
         END Add;

       <*FATAL ANY*>
       BEGIN
         Task.Run(NEW(Sum, last := 3));
         TRY
           Task.Run(NEW(Sum, last := 4));
         EXCEPT
         | Task.Failed (why) => IO.Put(why.text & "\n");
         END;
       END Main.

   It prints

       3
       Main.Odd: 5

   A task that must end when it is cancelled waits by alertable procedures (Thread.AlertWait, the alertPut of channels,
   Rd, Wr), and calls Thread.TestAlert now and then while it computes. One that handles Thread.Alerted and goes on, or
   that waits in C, keeps the whole group. *)
INTERFACE Task;

IMPORT Thread;

CONST
  NoLimit = -1.0D0;  (* seconds *)

TYPE
  (* Why a task failed. *)
  Failure = RECORD
    exception: TEXT := NIL;  (* "Main.Odd"; of run-time errors "RuntimeError.E" *)
    text: TEXT := NIL;       (* "Main.Odd: 5": with the argument, as in reports of unhandled exceptions *)
    place: TEXT := NIL;      (* "Main.m3:12": where it was raised; empty if that is not known *)
  END;

EXCEPTION
  Failed(Failure);
  Late;  (* the time was over before all tasks had ended *)

TYPE
  (* What a task does. *)
  Closure = <*TRANSIENT*> ROOT OBJECT METHODS apply(): REFANY RAISES ANY END;
  Proc = PROCEDURE (): REFANY RAISES ANY;

  State = {
    Running,
    Done,       (* apply returned *)
    Failed,     (* apply raised an exception, or ended with a run-time error *)
    Cancelled   (* was not started, or raised Thread.Alerted, after the group was cancelled *)
  };

  (* A task. Any thread may ask. A group does not keep a task that has ended. *)
  T <: Public;
  Public = <*TRANSIENT*> ROOT OBJECT METHODS
    state(): State;

    (* What apply returned. A checked run-time error if the state is not Done. *)
    result(): REFANY;
  END;

  (* A group. Any thread may fork and cancel; the thread that made the group waits and ends it. *)
  Group <: PublicGroup;
  PublicGroup = <*TRANSIENT*> ROOT OBJECT METHODS
    (* Must be called before any other method. Whoever calls it must see to it that wait or end is called, whatever
       happens; Run does so by itself. *)
    init(): Group;

    (* Starts a task; in a group that is cancelled it only makes one that is Cancelled. Tasks may fork others. A checked
       run-time error if wait has returned, and for a nested procedure. If the system has no thread left,
       RuntimeError.E(OutOfMemory) is raised, and there is no task. *)
    fork(c: Closure): T;
    call(p: Proc): T;

    (* Alerts the tasks that run, and starts no others. A second call does nothing. *)
    cancel();
    isCancelled(): BOOLEAN;

    (* Waits until all threads of the group have ended. Failed: a task failed; which was the first one is told. Late:
       they had not ended within so many seconds. Alerted: the calling thread was alerted before they had ended. These
       three cancel the group first and then wait for its threads, without a limit. A group that was cancelled by
       `cancel` and has not failed is no error. May be called again, with the same outcome at once. *)
    wait(seconds := NoLimit) RAISES {Failed, Late, Thread.Alerted};

    (* For FINALLY: cancels the group, and waits until all its threads have ended. Does nothing after wait. *)
    end();
  END;

  (* What Run calls. *)
  Body = <*TRANSIENT*> ROOT OBJECT METHODS apply(group: Group) RAISES ANY END;

(* Calls b.apply with a new group, in the calling thread, and then waits for the group's tasks, unless apply has waited.
   If an exception leaves apply, the group is cancelled, its threads end, and then the exception leaves Run. Otherwise
   Run raises what the group's wait does; Late if all that took more than so many seconds. The limit does not end apply
   itself. *)
PROCEDURE Run(b: Body; seconds := NoLimit) RAISES ANY;

END Task.
