(* Equal values have one hash, and not all others have it, too. *)
GENERIC MODULE LawsOfHash(Key, Values);

PROCEDURE Broken(): CARDINAL =
  VAR broken: CARDINAL := 0;  n := Values.Count();  different := FALSE;
  BEGIN
    FOR i := 0 TO n - 1 DO
      FOR j := 0 TO n - 1 DO
        WITH same = Key.Hash(Values.At(i)) = Key.Hash(Values.At(j)) DO
          IF Values.Rank(i) = Values.Rank(j) AND NOT same THEN INC(broken) END;
          IF NOT same THEN different := TRUE END;
        END;
      END;
    END;
    IF NOT different THEN INC(broken) END;
    RETURN broken;
  END Broken;

BEGIN
END LawsOfHash.
