MODULE KeyedTextArraySort = ArraySort(KeyedText) END KeyedTextArraySort.
