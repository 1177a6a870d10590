MODULE TextIntBPlusTree = BPlusTree(Text, Integer, TextIntTbl, SortedTextIntTbl) END TextIntBPlusTree.
