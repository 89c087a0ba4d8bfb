"""`pinchtp board`: the board in the browser.

A server for a few visitors, each with a separate table. The page (`page/`) draws and takes input;
all rules are on the server, which checks every move. Engines are GTP subprocesses. Start reading
at `protocol/__init__.py`, which describes the messages.
"""
