MODULE IntSet = Set(Integer) END IntSet.
