UNSAFE MODULE RTException;

IMPORT RTTypes;

PROCEDURE DumpStack() =
  BEGIN
    RTTypes.DumpStack();
  END DumpStack;

BEGIN
END RTException.
