MODULE StdioFlush;

PROCEDURE FlushOutput() =
  BEGIN
    IF flush # NIL THEN flush() END;
  END FlushOutput;

BEGIN
END StdioFlush.
