"""Shared parts of the HTML pages: frame, style, charts, boards, and the replay of a game.

A page is a single self-contained file, opened from disk or served. Its templates escape all values;
its content security policy allows its own script and no other resources.

    TEMPLATE = PageTemplate("pinchtp.match", "page.html", scripts=["page.js"])
    document = TEMPLATE.render(title="A match", facts=["pinch 9x9"], data={...}, report=report)
    write_document(path, document)
"""
