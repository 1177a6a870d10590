MODULE IntIntBPlusTree = BPlusTree(Integer, Integer, IntIntTbl, SortedIntIntTbl) END IntIntBPlusTree.
