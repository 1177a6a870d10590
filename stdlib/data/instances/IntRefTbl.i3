INTERFACE IntRefTbl = Table(Integer, Refany) END IntRefTbl.
