MODULE IntListSort = ListSort(Integer) END IntListSort.
