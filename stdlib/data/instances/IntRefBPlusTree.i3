INTERFACE IntRefBPlusTree = BPlusTree(Integer, Refany, SortedIntRefTbl) END IntRefBPlusTree.
