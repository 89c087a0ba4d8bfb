"""`pinchtp check`: the conformance checker for GTP engines of any game.

`check` defines checks, `probe` their access to an engine, `game` how they play an unknown game.
`checks` contains the checks, `runner` runs them, and `results` prints the results. A new check is a
function in `checks`.
"""
