MODULE TextSet = Set(Text) END TextSet.
