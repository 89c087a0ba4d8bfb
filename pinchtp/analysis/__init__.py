"""`pinchtp analysis`: positions analyzed in parallel, in KataGo's JSON protocol. Guide: README.md.

Sources: KataGo's documentation of its analysis engine (docs/Analysis_Engine.md).
"""
