INTERFACE TextSet = Set(Text) END TextSet.
