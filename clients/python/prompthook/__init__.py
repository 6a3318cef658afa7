"""A client for Prompthook, on the standard library alone. Python 3.11 or later.

    from prompthook import Prompthook

    prompthook = Prompthook("https://prompthook.example", "ph_live_...")
    result = prompthook.run({"prompt": "List headings of https://example.com"})
    print(result["presentedResult"]["summary"])

`AsyncPrompthook` has the same methods for asyncio. The types of bodies are in `prompthook.client`.
"""

from .aio import AsyncPrompthook
from .client import (
    CallbackError,
    ConnectionFailed,
    Problem,
    Prompthook,
    WaitTimeout,
    verify_callback,
)

__all__ = [
    "AsyncPrompthook",
    "CallbackError",
    "ConnectionFailed",
    "Problem",
    "Prompthook",
    "WaitTimeout",
    "verify_callback",
]
