INTERFACE IntTextBPlusTree = BPlusTree(Integer, Text, SortedIntTextTbl) END IntTextBPlusTree.
