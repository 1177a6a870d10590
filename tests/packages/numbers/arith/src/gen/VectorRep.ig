GENERIC INTERFACE VectorRep(V, R);
TYPE Pair = RECORD v: V.T; max: R.T := R.Zero END;
END VectorRep.
