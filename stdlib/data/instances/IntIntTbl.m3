MODULE IntIntTbl = Table(Integer, Integer) END IntIntTbl.
