(* 7 bytes of microseconds since 1970, the machine, and bytes that distinguish processes; the
   most significant byte comes first. *)
MODULE TimeStamp;

IMPORT MachineID, Process, Random, Time, Word;

VAR
  mutex := NEW(MUTEX);
  last: CARDINAL := 0;  (* the time of the latest stamp *)
  started := FALSE;
  own: ARRAY [0..8] OF Byte;

PROCEDURE Start() =
  VAR id: MachineID.T;  random := NEW(Random.Default).init();  process := Process.GetMyID();
  BEGIN
    started := TRUE;
    IF MachineID.CanGet(id) THEN
      SUBARRAY(own, 0, 6) := id.r;
    ELSE
      FOR i := 0 TO 5 DO own[i] := random.integer(0, 255) END;
    END;
    own[6] := Word.And(process, 255);
    own[7] := Word.And(Word.RightShift(process, 8), 255);
    own[8] := random.integer(0, 255);
  END Start;

PROCEDURE New(): T =
  VAR t: T;  now: CARDINAL := TRUNC(Time.Now() * 1.0d6);
  BEGIN
    LOCK mutex DO
      IF NOT started THEN Start() END;
      IF now <= last THEN now := last + 1 END;
      last := now;
    END;
    FOR i := 0 TO 6 DO t.r[i] := Word.Extract(now, 8 * (6 - i), 8) END;
    SUBARRAY(t.r, 7, 9) := own;
    RETURN t;
  END New;

PROCEDURE Compare(READONLY t1, t2: T): [-1..1] =
  BEGIN
    FOR i := 0 TO 15 DO
      IF t1.r[i] < t2.r[i] THEN RETURN -1 END;
      IF t1.r[i] > t2.r[i] THEN RETURN 1 END;
    END;
    RETURN 0;
  END Compare;

PROCEDURE Max(READONLY t1, t2: T): T =
  BEGIN
    IF Compare(t1, t2) < 0 THEN RETURN t2 ELSE RETURN t1 END;
  END Max;

PROCEDURE Min(READONLY t1, t2: T): T =
  BEGIN
    IF Compare(t1, t2) < 0 THEN RETURN t1 ELSE RETURN t2 END;
  END Min;

PROCEDURE Equal(READONLY t1, t2: T): BOOLEAN =
  BEGIN
    RETURN t1 = t2;
  END Equal;

PROCEDURE Hash(READONLY t: T): INTEGER =
  VAR hash: Word.T := 0;
  BEGIN
    FOR i := 0 TO 15 DO hash := Word.Xor(Word.Rotate(hash, 5), t.r[i]) END;
    RETURN hash;
  END Hash;

PROCEDURE ToTime(READONLY t: T): Time.T =
  VAR microseconds: Word.T := 0;
  BEGIN
    FOR i := 0 TO 6 DO microseconds := 256 * microseconds + t.r[i] END;
    RETURN FLOAT(microseconds, LONGREAL) * 1.0d-6;
  END ToTime;

BEGIN
END TimeStamp.
