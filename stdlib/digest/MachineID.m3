MODULE MachineID;

IMPORT FS, FileRd, OSError, Rd, Text, Thread;

CONST
  (* The system shows each interface as a directory with a file `address`: "02:42:ac:11:00:02". *)
  Interfaces = "/sys/class/net";
  Length = 17;

PROCEDURE Get(): T =
  VAR t: T;
  BEGIN
    <*ASSERT CanGet(t) WITH "MachineID.Get: no network interface has an address"*>
    RETURN t;
  END Get;

(* Takes the least address, so that the order of the directory does not matter. *)
PROCEDURE CanGet(VAR t: T): BOOLEAN =
  VAR best: TEXT := NIL;  address, name: TEXT;  found: FS.Iterator;
  BEGIN
    TRY
      found := FS.Iterate(Interfaces);
    EXCEPT
    | OSError.E => RETURN FALSE;
    END;
    WHILE found.next(name) DO
      address := Read(Interfaces & "/" & name & "/address");
      IF address # NIL AND (best = NIL OR Text.Compare(address, best) < 0) THEN
        best := address;
      END;
    END;
    found.close();
    IF best = NIL THEN RETURN FALSE END;
    FOR i := 0 TO 5 DO
      t.r[i] := 16 * Digit(Text.GetChar(best, 3 * i)) + Digit(Text.GetChar(best, 3 * i + 1));
    END;
    RETURN TRUE;
  END CanGet;

(* The address in a file; NIL if the file has none. The loopback interface has the address zero. *)
PROCEDURE Read(file: TEXT): TEXT =
  VAR rd: Rd.T;  t: TEXT;
  BEGIN
    TRY
      rd := FileRd.Open(file);
      TRY
        t := Rd.GetLine(rd);
      FINALLY
        Rd.Close(rd);
      END;
    EXCEPT
    | OSError.E, Rd.Failure, Rd.EndOfFile, Thread.Alerted => RETURN NIL;
    END;
    IF Text.Length(t) # Length OR Text.Equal(t, "00:00:00:00:00:00") THEN RETURN NIL END;
    RETURN t;
  END Read;

PROCEDURE Digit(c: CHAR): [0..15] =
  BEGIN
    CASE c OF
    | '0'..'9' => RETURN ORD(c) - ORD('0');
    | 'a'..'f' => RETURN ORD(c) - ORD('a') + 10;
    | 'A'..'F' => RETURN ORD(c) - ORD('A') + 10;
    ELSE RETURN 0;
    END;
  END Digit;

BEGIN
END MachineID.
