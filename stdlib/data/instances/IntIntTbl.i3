INTERFACE IntIntTbl = Table(Integer, Integer) END IntIntTbl.
