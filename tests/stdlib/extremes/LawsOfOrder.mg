(* Compare is antisymmetric, transitive, and the order of the ranks. *)
GENERIC MODULE LawsOfOrder(Key, Values);

IMPORT Integer;

PROCEDURE Broken(): CARDINAL =
  VAR broken: CARDINAL := 0;  n := Values.Count();  ij: INTEGER;
  BEGIN
    FOR i := 0 TO n - 1 DO
      FOR j := 0 TO n - 1 DO
        ij := Key.Compare(Values.At(i), Values.At(j));
        IF ij # Integer.Compare(Values.Rank(i), Values.Rank(j)) THEN INC(broken) END;
        IF ij # -Key.Compare(Values.At(j), Values.At(i)) THEN INC(broken) END;
        FOR k := 0 TO n - 1 DO
          IF ij <= 0 AND Key.Compare(Values.At(j), Values.At(k)) <= 0
             AND Key.Compare(Values.At(i), Values.At(k)) > 0 THEN
            INC(broken);
          END;
        END;
      END;
    END;
    RETURN broken;
  END Broken;

BEGIN
END LawsOfOrder.
