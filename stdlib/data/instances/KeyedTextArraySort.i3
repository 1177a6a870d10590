INTERFACE KeyedTextArraySort = ArraySort(KeyedText) END KeyedTextArraySort.
