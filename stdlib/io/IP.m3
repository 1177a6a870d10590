UNSAFE MODULE IP;

IMPORT Atom, AtomList, Fmt, RTSocket, TextRep;
FROM OSConfig IMPORT HostName;

PROCEDURE GetHostByName(nm: TEXT; VAR res: Address): BOOLEAN RAISES {Error} =
  VAR address := NullAddress;  result: INTEGER;
  BEGIN
    IF NOT TextRep.IsForC(nm) THEN Fail(nm) END;
    result := RTSocket.HostAddress(TextRep.Chars(nm)^, ADR(address));
    IF result < 0 THEN Fail(nm) END;
    IF result = 0 THEN RETURN FALSE END;
    res := address;
    RETURN TRUE;
  END GetHostByName;

PROCEDURE Fail(nm: TEXT) RAISES {Error} =
  BEGIN
    RAISE Error(AtomList.List2(LookupFailure, Atom.FromText(nm)));
  END Fail;

PROCEDURE GetCanonicalByName(nm: TEXT): TEXT RAISES {Error} =
  VAR address: Address;
  BEGIN
    IF NOT GetHostByName(nm, address) THEN Fail(nm) END;
    RETURN GetCanonicalByAddr(address);
  END GetCanonicalByName;

PROCEDURE GetCanonicalByAddr(addr: Address): TEXT RAISES {Error} =
  VAR
    address := addr;
    name := RTSocket.HostNameOf(ADR(address));
  BEGIN
    IF name = NIL THEN Fail(FormatAddress(addr)) END;
    RETURN name;
  END GetCanonicalByAddr;

PROCEDURE GetHostAddr(): Address =
  VAR result := Address{a := ARRAY [0..3] OF BITS 8 FOR [0..255]{127, 0, 0, 1}};
  BEGIN
    (* A host whose own name cannot be resolved can still be reached from itself. *)
    TRY
      EVAL GetHostByName(HostName(), result);
    EXCEPT
    | Error =>
    END;
    RETURN result;
  END GetHostAddr;

PROCEDURE FormatAddress(addr: Address): TEXT =
  BEGIN
    RETURN Fmt.F("%s.%s.%s.%s", Fmt.Int(addr.a[0]), Fmt.Int(addr.a[1]), Fmt.Int(addr.a[2]),
                 Fmt.Int(addr.a[3]));
  END FormatAddress;

BEGIN
  LookupFailure := Atom.FromText("IP.LookupFailure");
  NoResources := Atom.FromText("IP.NoResources");
END IP.
