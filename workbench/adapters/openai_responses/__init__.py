"""The model adapter for the OpenAI Responses API: OpenAI, Azure OpenAI (v1), and servers that speak the same API."""

from workbench.adapters.openai_responses.client import Connection
from workbench.adapters.openai_responses.model import OpenAIResponsesModel, Prices
from workbench.adapters.openai_responses.retry import RetryPolicy

__all__ = ["Connection", "OpenAIResponsesModel", "Prices", "RetryPolicy"]
