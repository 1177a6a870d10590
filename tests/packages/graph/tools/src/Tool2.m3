MODULE Tool2 EXPORTS Main;
IMPORT IO, Params, Fmt;
BEGIN
  IO.Put(Fmt.Int(Params.Count - 1) & "\n")
END Tool2.
