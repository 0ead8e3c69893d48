"""Pages of the public games, for anybody to browse: static files, safe to serve anywhere.

What stands on them is what a stranger may read by mail: `facts` asks the game for it as for a
reader whom nobody knows. `pages` makes HTML of it, `build` keeps a folder up to date.
"""
