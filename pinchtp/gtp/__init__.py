"""The Go Text Protocol, version 2, with pinchtp's extensions (protocol.md)."""
