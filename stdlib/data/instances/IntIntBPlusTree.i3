INTERFACE IntIntBPlusTree = BPlusTree(Integer, Integer, SortedIntIntTbl) END IntIntBPlusTree.
