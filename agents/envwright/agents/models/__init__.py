"""The port to language models, and its adapters."""

from envwright.agents.models.journaled import JournaledModel
from envwright.agents.models.port import (
    Message,
    ModelAnswer,
    ModelPort,
    ModelRequest,
    ModelToolCall,
    Usage,
    request_digest,
)
from envwright.agents.models.scripted import ScriptedModel
from envwright.agents.models.switch import (
    SwitchedModel,
    allow_model_requests,
    model_requests_allowed,
)

__all__ = [
    "JournaledModel",
    "Message",
    "ModelAnswer",
    "ModelPort",
    "ModelRequest",
    "ModelToolCall",
    "ScriptedModel",
    "SwitchedModel",
    "Usage",
    "allow_model_requests",
    "model_requests_allowed",
    "request_digest",
]
