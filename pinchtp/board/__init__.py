"""`pinchtp board`: the board in the browser.

The server has a few visitors, each with a separate table. The page (`page/`) draws the board and
reads input. The server has the rules and checks every move. Engines are GTP subprocesses. Start
reading at `protocol/__init__.py`, which describes the messages.
"""
