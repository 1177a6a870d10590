UNSAFE MODULE ThreadF;

IMPORT RTThread;

PROCEDURE MyId(): Id RAISES {} =
  BEGIN
    RETURN RTThread.Number();
  END MyId;

BEGIN
END ThreadF.
