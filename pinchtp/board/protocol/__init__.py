"""The messages between page and server: JSON objects with a `type`, over one WebSocket.

A visit:

1. The page is `/`; `server.py` describes where its scripts and styles are. It opens the WebSocket
   `/socket` on the same host, or `/VERSION/socket` to be refused by a server with other scripts.
   The cookie set by the first URL identifies the visitor.
2. The server sends `hello` (games, options, levels, engines), then `state` and `tree`.
3. The page sends requests. Each change of the board causes a new `state`, and a new `tree` if nodes
   were added, removed or changed. A `state` is complete and replaces the previous one; a `tree` is
   complete or has the changes. A request that fails changes nothing, and the response is `refused`.
   The response to a successful request with an id is `accepted`, after the messages about its
   immediate effects.
4. Results that take time are separate messages: `analysis` ten times per second, `overlay`, `hint`,
   `review`, `solution`, `console`. Messages about a position have its `node`; the page drops those
   about nodes that it does not display.
5. After a disconnection the page opens the socket again and resumes at 2, except after the close
   code 1008: its invitation or key is no longer valid, or its version. All pages of a visitor show
   the same board.

Each file has the messages of a subject; `base.py` has their base classes and the types of fields.
Requests are the functions of `board/requests/`.

The `type` of a message is the tag of its class, or the hyphenated name: `GameStored` is
`game-stored`; `new_game` in `board/requests/games.py` is `new-game`.

A point is a number, `row * width + column`, counted from 0 at the lower left corner: its index in
`BoardView.cells`. Colors are `black` and `white`, winrates are in [0, 1], times in seconds. Fields
have the same names in Python and JSON.
"""
