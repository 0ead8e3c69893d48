"""The rules core: a position and orders in, results with reasons out.

Pure by promise: standard library only, no clock, no chance, no files, no log.
"""
