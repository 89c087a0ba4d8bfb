"""The web server's parts: addresses, access, connections, and the page's files."""
