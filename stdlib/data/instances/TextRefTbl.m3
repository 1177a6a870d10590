MODULE TextRefTbl = Table(Text, Refany) END TextRefTbl.
