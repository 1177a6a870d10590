INTERFACE Pickle2Rep = PickleRep(Pickle2, Pickle2Name) END Pickle2Rep.
