INTERFACE TextIntBPlusTree = BPlusTree(Text, Integer, SortedTextIntTbl) END TextIntBPlusTree.
