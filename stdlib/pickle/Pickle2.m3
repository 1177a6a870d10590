MODULE Pickle2 EXPORTS Pickle2, Pickle2Rep = PickleGraph(Pickle2Rep) END Pickle2.
