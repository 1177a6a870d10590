(* "OPERATION NUMBER...": the result in base 10. *)
MODULE BigIntWitness EXPORTS Main;

IMPORT BigInt, Fmt, Scan, Text, Witness;

PROCEDURE Answer(READONLY w: Witness.Words): TEXT RAISES ANY =
  VAR a, b: BigInt.T;

  PROCEDURE Is(operation: TEXT): BOOLEAN =
    BEGIN
      RETURN Text.Equal(w[0], operation);
    END Is;

  BEGIN
    IF Is("text") THEN
      a := BigInt.FromText(w[1], Scan.Int(w[2]));
      RETURN BigInt.ToText(a) & " " & BigInt.ToText(a, Scan.Int(w[2]));
    END;
    a := BigInt.FromText(w[1]);
    IF NUMBER(w) > 2 THEN b := BigInt.FromText(w[2]) END;
    IF Is("add") THEN RETURN BigInt.ToText(BigInt.Add(a, b)) END;
    IF Is("sub") THEN RETURN BigInt.ToText(BigInt.Sub(a, b)) END;
    IF Is("mul") THEN RETURN BigInt.ToText(BigInt.Mul(a, b)) END;
    IF Is("div") THEN RETURN BigInt.ToText(BigInt.Div(a, b)) END;
    IF Is("mod") THEN RETURN BigInt.ToText(BigInt.Mod(a, b)) END;
    IF Is("gcd") THEN RETURN BigInt.ToText(BigInt.Gcd(a, b)) END;
    IF Is("and") THEN RETURN BigInt.ToText(BigInt.And(a, b)) END;
    IF Is("or") THEN RETURN BigInt.ToText(BigInt.Or(a, b)) END;
    IF Is("xor") THEN RETURN BigInt.ToText(BigInt.Xor(a, b)) END;
    IF Is("compare") THEN
      <*ASSERT (BigInt.Compare(a, b) = 0) = BigInt.Equal(a, b)*>
      <*ASSERT NOT BigInt.Equal(a, b) OR BigInt.Hash(a) = BigInt.Hash(b)*>
      RETURN Fmt.Int(BigInt.Compare(a, b));
    END;
    IF Is("power") THEN RETURN BigInt.ToText(BigInt.Power(a, BigInt.ToInt(b))) END;
    IF Is("powmod") THEN RETURN BigInt.ToText(BigInt.PowerMod(a, b, BigInt.FromText(w[3]))) END;
    IF Is("inverse") THEN RETURN BigInt.ToText(BigInt.Inverse(a, b)) END;
    IF Is("shift") THEN RETURN BigInt.ToText(BigInt.Shift(a, BigInt.ToInt(b))) END;
    IF Is("bit") THEN RETURN Fmt.Int(BigInt.Bit(a, BigInt.ToInt(b))) END;
    IF Is("sqrt") THEN RETURN BigInt.ToText(BigInt.Sqrt(a)) END;
    IF Is("not") THEN RETURN BigInt.ToText(BigInt.Not(a)) END;
    IF Is("neg") THEN RETURN BigInt.ToText(BigInt.Neg(a)) END;
    IF Is("abs") THEN RETURN BigInt.ToText(BigInt.Abs(a)) & " " & Fmt.Int(BigInt.Sign(a)) END;
    IF Is("bits") THEN RETURN Fmt.Int(BigInt.Bits(a)) END;
    IF Is("int") THEN
      <*ASSERT BigInt.IsInt(a)*>
      <*ASSERT BigInt.Equal(BigInt.FromInt(BigInt.ToInt(a)), a)*>
      RETURN Fmt.Int(BigInt.ToInt(a));
    END;
    IF Is("real") THEN
      RETURN BigInt.ToText(BigInt.FromLongReal(BigInt.ToLongReal(a)));
    END;
    IF Is("prime") THEN RETURN Fmt.Int(ORD(BigInt.IsPrime(a))) END;
    IF Is("nextprime") THEN RETURN BigInt.ToText(BigInt.NextPrime(a)) END;
    RETURN "what?";
  END Answer;

BEGIN
  Witness.Run(Answer);
END BigIntWitness.
