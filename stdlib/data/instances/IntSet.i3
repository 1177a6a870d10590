INTERFACE IntSet = Set(Integer) END IntSet.
