"""The daemon: doors, one worker, one sender, an alarm clock, and the thread that watches them.

Doors store what comes in and wake the worker; the worker processes mails and deadlines, each in one
transaction; the sender empties the outbox. All state is in the database, so the process may be
killed at any moment and started again, and on PostgreSQL several may share the work.
"""

from judge.daemon.daemon import AGAIN, Daemon
from judge.daemon.factory import StartError, check, profile_of
from judge.daemon.loop import POLL, Loop, Watchdog, notify
from judge.daemon.sender import LetterSender
from judge.daemon.worker import Worker
