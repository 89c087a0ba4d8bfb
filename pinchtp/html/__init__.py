"""What all our HTML pages share: frame, style, charts, boards, and the replay of a game.

A page is one file that needs no network and nothing beside it, or the same served by a program of
ours. Its text is made from templates that escape all they are given; its content security policy
lets it run its own script and load nothing.

    TEMPLATE = PageTemplate("pinchtp.match", "page.html", scripts=["page.js"])
    document = TEMPLATE.render(title="A match", facts=["pinch 9x9"], data={...}, report=report)
    write_document(path, document)
"""
