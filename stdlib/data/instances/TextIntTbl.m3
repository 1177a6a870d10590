MODULE TextIntTbl = Table(Text, Integer) END TextIntTbl.
