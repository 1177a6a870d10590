INTERFACE AstVersion;
CONST
  Major = 3; Minor = 6;
  Name = "ast " & "3" & "." & "6";
  Tab = '\t'; NL = '\012'; Quote = '\''; DQ = '"'; Back = '\\'; Null = '\000'; FF = '\f'; CR = '\r';
  Codes = ARRAY [0..3] OF CHAR {Tab, NL, Quote, Back};
  Pi = 3.14159265358979d0; E = 2.718281828; Big = 1.0E+10; Small = 1.5d-3; X = 1.0x0;
  Mask = 16_FFFFFFFF; Oct = 8_777; Bin = 2_1010; Neg = -16_80000000;
  MaxCard = LAST(CARDINAL);
  IsBig = Mask > 100 AND NOT FALSE;
  Size = (Major * 100 + Minor) DIV 2 MOD 17;
END AstVersion.
