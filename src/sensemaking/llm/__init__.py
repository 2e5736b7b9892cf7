"""Language models: ``ask`` through a session and its journal is the one way to them.

See ``sensemaking.llm.sessions``.
"""

from sensemaking.llm.reply import Reply
from sensemaking.llm.sessions import Session, ask, session
from sensemaking.llm.settings import LanguageModel

__all__ = ["LanguageModel", "Reply", "Session", "ask", "session"]
