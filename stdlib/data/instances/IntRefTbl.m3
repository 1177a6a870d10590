MODULE IntRefTbl = Table(Integer, Refany) END IntRefTbl.
