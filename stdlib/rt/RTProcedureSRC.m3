UNSAFE MODULE RTProcedureSRC;

IMPORT RTProcedure, RTTypes;

PROCEDURE NumProcedures(): CARDINAL =
  BEGIN
    RETURN RTTypes.ProcedureCount();
  END NumProcedures;

PROCEDURE FromPC(pc: ADDRESS; VAR p: RTProcedure.Proc; VAR file, name: Name) =
  VAR code, fileName, procedureName: ADDRESS;
  BEGIN
    RTTypes.ProcedureFromPC(pc, code, fileName, procedureName);
    p := code;
    file := fileName;
    name := procedureName;
  END FromPC;

BEGIN
END RTProcedureSRC.
