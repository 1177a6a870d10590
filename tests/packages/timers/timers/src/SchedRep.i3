INTERFACE SchedRep;
IMPORT Sched, Thread, RefSeq;
REVEAL Sched.T <: T;
TYPE T = Sched.Public OBJECT work, done: Thread.Condition; q: RefSeq.T; running, finished := 0 END;
END SchedRep.
