"""Mail: what a message says (values in, values out), the doors it comes by, and the ways out.

`message` reads, `compose` writes; `smtp_door`, `imap_door` and `outgoing` are the only sockets.
Nothing here knows that games exist.
"""
