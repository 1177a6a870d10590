(* golden: run, with lib/Check *)
(* SchedulerPosix: waiting for descriptors and processes; TimePosix; RTutils. *)
UNSAFE MODULE Main;

IMPORT Check, File, FilePosix, Pipe, Process, RTutils, SchedulerPosix, Thread, Time, TimePosix, Uexec, Utime;
FROM Ctypes IMPORT int;
FROM SchedulerPosix IMPORT WaitResult;

<*FATAL ANY*>

TYPE
  Waiter = Thread.Closure OBJECT
      fd: INTEGER;
      alerted := FALSE;
    OVERRIDES
      apply := Wait;
    END;
  Leaf = BRANDED "leaf of scheduler_posix" REF ARRAY [0..99] OF INTEGER;

PROCEDURE Wait(waiter: Waiter): REFANY =
  BEGIN
    TRY
      EVAL SchedulerPosix.IOAlertWait(waiter.fd, read := TRUE);
    EXCEPT
    | Thread.Alerted => waiter.alerted := TRUE;
    END;
    RETURN NIL;
  END Wait;

PROCEDURE Descriptors() =
  VAR
    reading, writing: Pipe.T;
    in, out: INTEGER;
    before := Time.Now();
    bytes := ARRAY [0..0] OF File.Byte{1};
    waiter: Waiter;
    thread: Thread.T;
  BEGIN
    Pipe.Open(hr := reading, hw := writing);
    in := reading.fd;
    out := writing.fd;
    Check.That(SchedulerPosix.IOWait(in, TRUE, 0.05D0) = WaitResult.Timeout, "nothing there");
    Check.That(Time.Now() - before >= 0.05D0, "it waited");
    Check.That(SchedulerPosix.IOWait(out, FALSE) = WaitResult.Ready, "room in the pipe");
    waiter := NEW(Waiter, fd := in);
    thread := Thread.Fork(waiter);
    Thread.Alert(thread);
    EVAL Thread.Join(thread);
    Check.That(waiter.alerted, "alerted");
    Thread.Alert(Thread.Self());
    Check.That(SchedulerPosix.IOWait(in, TRUE, 0.01D0) = WaitResult.Timeout, "not to be alerted");
    Check.That(Thread.TestAlert(), "the alert stayed");
    writing.write(bytes);
    Check.That(SchedulerPosix.IOWait(in, TRUE) = WaitResult.Ready, "a byte to be read");
    EVAL reading.read(bytes);
    writing.close();
    Check.That(SchedulerPosix.IOAlertWait(in, TRUE, 1.0D0) = WaitResult.Ready, "the end to be read");
    Check.That(SchedulerPosix.IOWait(out, TRUE, 1.0D0) = WaitResult.FDError, "a closed one");
    Check.That(SchedulerPosix.IOWait(-1, TRUE) = WaitResult.FDError, "no descriptor");
    reading.close();
  END Descriptors;

PROCEDURE Processes() =
  VAR
    child := Process.Create("/bin/sh", ARRAY OF TEXT{"-c", "exit 3"});
    id := Process.GetID(child);
    status: int;
  BEGIN
    SchedulerPosix.DisableSwitching();
    Check.Int(SchedulerPosix.WaitProcess(id, status), id, "the process");
    SchedulerPosix.EnableSwitching();
    Uexec.RepackStatus(status);
    Check.Int(status, 256 * 3, "its status");
  END Processes;

PROCEDURE Times() =
  VAR tv := TimePosix.ToUtime(1000000000.25D0);
  BEGIN
    Check.Int(tv.tv_sec, 1000000000, "seconds");
    Check.Int(tv.tv_usec, 250000, "microseconds");
    tv := TimePosix.ToUtime(-0.5D0);
    Check.That(tv.tv_sec = -1 AND tv.tv_usec = 500000, "before 1970");
    Check.That(TimePosix.FromUtime(tv) = -0.5D0, "and back");
    tv := Utime.struct_timeval{tv_sec := 5, tv_usec := 125000};
    Check.That(TimePosix.FromUtime(tv) = 5.125D0, "FromUtime");
  END Times;

(* Not in Heaps: its frame might keep the leaf alive until its second report. *)
PROCEDURE Names() =
  BEGIN
    Check.Text(RTutils.TypeName(NEW(Leaf)), "Main.Leaf", "TypeName");
    Check.Text(RTutils.TypecodeName(TYPECODE(Leaf)), "Main.Leaf", "TypecodeName");
  END Names;

PROCEDURE Heaps() =
  VAR leaves: ARRAY [0..9] OF Leaf;
  BEGIN
    RTutils.Heap(TRUE, RTutils.HeapPresentation.ByByteCount, 3);
    FOR i := 0 TO LAST(leaves) DO leaves[i] := NEW(Leaf) END;
    RTutils.NewHeap(presentation := RTutils.HeapPresentation.ByNumber, window := 1);
    FOR i := 0 TO LAST(leaves) DO Check.That(leaves[i] # NIL, "kept") END;
  END Heaps;

BEGIN
  Descriptors();
  Processes();
  Times();
  Names();
  Heaps();
  Check.Done();
END Main.
(* expect-stderr:   code    objects        bytes  type *)
(* expect-stderr:          10         8000  Main.Leaf *)
(* expect: all checks hold *)
