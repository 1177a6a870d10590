UNSAFE MODULE RTLinker;

IMPORT Ctypes, M3toC, RTArgs;

TYPE
  Strings = UNTRACED REF ARRAY OF Ctypes.char_star;

(* The address of an array's strings, behind its length. *)
PROCEDURE First(strings: Strings): ADDRESS =
  BEGIN
    RETURN ADR(strings[0]);
  END First;

PROCEDURE Arguments(): Strings =
  VAR result := NEW(Strings, RTArgs.ArgC() + 1);
  BEGIN
    FOR i := 0 TO RTArgs.ArgC() - 1 DO result[i] := M3toC.CopyTtoS(RTArgs.GetArg(i)) END;
    result[LAST(result^)] := NIL;
    RETURN result;
  END Arguments;

PROCEDURE Environment(): Strings =
  VAR result := NEW(Strings, RTArgs.EnvC() + 1);
  BEGIN
    FOR i := 0 TO RTArgs.EnvC() - 1 DO result[i] := M3toC.CopyTtoS(RTArgs.GetEnv(i)) END;
    result[LAST(result^)] := NIL;
    RETURN result;
  END Environment;

BEGIN
  argc := RTArgs.ArgC();
  argv := First(Arguments());
  envp := First(Environment());
END RTLinker.
