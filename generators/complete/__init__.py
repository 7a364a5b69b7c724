"""Complete test suites: signatures that show every deviation of a compiler with a bounded number of hidden states.

The calls of a model are a machine (`calls`, of the automaton that the tours learn); from its state cover (`covering`) and what
tells its states apart (`identifiers`) the suite is made (`suite`). Nothing here is random but the choice of types in a second suite.
"""
