INTERFACE IntListSort = ListSort(Integer, IntList) END IntListSort.
