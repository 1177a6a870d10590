(* Equal is an equivalence, whose classes are the ranks. *)
GENERIC MODULE LawsOfEquality(Key, Values);

PROCEDURE Broken(): CARDINAL =
  VAR broken: CARDINAL := 0;  n := Values.Count();  ij: BOOLEAN;
  BEGIN
    FOR i := 0 TO n - 1 DO
      FOR j := 0 TO n - 1 DO
        ij := Key.Equal(Values.At(i), Values.At(j));
        IF ij # (Values.Rank(i) = Values.Rank(j)) THEN INC(broken) END;
        IF ij # Key.Equal(Values.At(j), Values.At(i)) THEN INC(broken) END;
        FOR k := 0 TO n - 1 DO
          IF ij AND Key.Equal(Values.At(j), Values.At(k)) AND NOT Key.Equal(Values.At(i), Values.At(k)) THEN
            INC(broken);
          END;
        END;
      END;
    END;
    RETURN broken;
  END Broken;

BEGIN
END LawsOfEquality.
