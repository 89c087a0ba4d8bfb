"""`pinchtp check`: does an engine, any engine, keep GTP as its clients need it?

`check` says what a check is, `probe` what it may do to an engine, `game` how it finds its way in a
game that it does not know; `checks` are the checks, `runner` runs them and `results` shows how they
went. Adding a check is writing one function in `checks`.
"""
