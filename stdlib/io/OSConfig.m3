UNSAFE MODULE OSConfig;

IMPORT RTSystem;

PROCEDURE HostName(): TEXT =
  BEGIN
    RETURN RTSystem.Fact(0);
  END HostName;

PROCEDURE HostArchitecture(): TEXT =
  BEGIN
    RETURN RTSystem.Fact(1);
  END HostArchitecture;

PROCEDURE OSName(): TEXT =
  BEGIN
    RETURN RTSystem.Fact(2);
  END OSName;

PROCEDURE OSVersion(): TEXT =
  BEGIN
    RETURN RTSystem.Fact(3);
  END OSVersion;

PROCEDURE UserName(): TEXT =
  BEGIN
    RETURN RTSystem.Fact(4);
  END UserName;

PROCEDURE UserHome(): TEXT =
  BEGIN
    RETURN RTSystem.Fact(5);
  END UserHome;

BEGIN
END OSConfig.
