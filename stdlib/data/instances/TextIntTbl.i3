INTERFACE TextIntTbl = Table(Text, Integer) END TextIntTbl.
