"""Messages (values in, values out), the receivers they come by, and the transports they leave by.

`message` reads and `compose` writes; `smtp_receiver`, `imap_receiver` and `transport` are the only
sockets. Nothing here knows that games exist.
"""
