MODULE IntTextBPlusTree = BPlusTree(Integer, Text, IntTextTbl, SortedIntTextTbl) END IntTextBPlusTree.
