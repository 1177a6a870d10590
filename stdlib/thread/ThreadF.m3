UNSAFE MODULE ThreadF;

IMPORT RTThread;

VAR
  suspended: CARDINAL := 0;  (* calls without ResumeOthers; read and written while the others are
                                stopped *)

PROCEDURE MyId(): Id RAISES {} =
  BEGIN
    RETURN RTThread.Number();
  END MyId;

PROCEDURE SuspendOthers() =
  BEGIN
    RTThread.SuspendOthers();
    INC(suspended);
  END SuspendOthers;

PROCEDURE ResumeOthers() =
  BEGIN
    <*ASSERT suspended > 0 WITH "ThreadF.ResumeOthers without SuspendOthers"*>
    DEC(suspended);
    RTThread.ResumeOthers();
  END ResumeOthers;

BEGIN
END ThreadF.
