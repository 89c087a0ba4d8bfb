"""`pinchtp analysis`: parallel analysis of positions in KataGo's JSON protocol. Guide: README.md.

Source: KataGo's documentation of its analysis engine (docs/Analysis_Engine.md).
"""
