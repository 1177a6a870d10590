INTERFACE TextRefTbl = Table(Text, Refany) END TextRefTbl.
