"""Every error Pincite raises on purpose.

PinciteError                     what happened, to what, what to do next
+- ConfigurationError            a setting is wrong or missing: the operator acts
|  +- DataDirectoryBusy          another process holds the data directory
+- NotFound                      missing, or not visible to this user: the two look the same
|  +- SourceDeleted              a cited document was deleted: told only to those who could see it
+- NotAllowed                    the user's role is too low; told only where the thing itself is visible to them
+- NotSignedIn                   nobody is signed in, or the sign-in has ended
+- NameTaken                     a container of that name exists
+- ScopeError                    a search scope could not be built: the search is refused
+- SandboxUnavailable            code cannot be run here: answers go without calculations
+- NotRecognized                 a picture of text could not be read by the OCR engine: the page goes without
+- BadFile                       one uploaded file cannot be used: the others go on
|  +- UnsupportedFile  EncryptedFile  EmptyFile  DamagedFile  TooLarge
+- TurnError                     a turn cannot start or go on
|  +- TurnInProgress             the conversation already has a running turn
|  +- StaleConversation          it went on elsewhere: the question waits until its writer has seen that
|  +- TooManyTurns               the user has reached a limit of turns or tokens
+- ModelError                    the model or its provider failed: the turn ends, the next one works
   +- ModelRefused  ModelUnavailable  RateLimited  HistoryExpired  ResponseIncomplete  BadModelRequest
"""

from datetime import datetime


class PinciteError(Exception):
    """An error written for the person who reads it.

    ``message`` says what happened and to what; ``advice`` says what to do next (may be empty).
    """

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message if not advice else f"{message} {advice}")
        self.message = message
        self.advice = advice


class ConfigurationError(PinciteError):
    """A setting is wrong or missing."""


class DataDirectoryBusy(ConfigurationError):
    """Another process works on the same data directory."""


class NotFound(PinciteError):
    """The thing does not exist, or the user may not know that it does."""


class SourceDeleted(NotFound):
    """A document was deleted, which the user may know. ``deleted_at`` is when that was asked for."""

    def __init__(self, message: str, advice: str, deleted_at: datetime) -> None:
        super().__init__(message, advice)
        self.deleted_at = deleted_at


class NotAllowed(PinciteError):
    """The user may see the thing, and their role does not permit what they want to do with it."""


class NotSignedIn(PinciteError):
    """Sign-in is required, and nobody is signed in, or no longer."""


class NameTaken(PinciteError):
    """A container of that name exists."""


class ScopeError(PinciteError):
    """No search scope can be built; the search is refused rather than widened."""


class NotRecognized(PinciteError):
    """The OCR engine did not read a picture: it took too long or broke off."""


class SandboxUnavailable(PinciteError):
    """The sandbox did not start, or is not installed whole."""


class BadFile(PinciteError):
    """One uploaded file cannot be used."""


class UnsupportedFile(BadFile):
    """The content is of a type that Pincite does not read."""


class EncryptedFile(BadFile):
    """The file needs a password."""


class EmptyFile(BadFile):
    """The file has no bytes or no pages."""


class DamagedFile(BadFile):
    """The content is broken or cut off."""


class TooLarge(BadFile):
    """The file is over a limit of size or pages."""


class TurnError(PinciteError):
    """A turn cannot start or go on."""


class TurnInProgress(TurnError):
    """The conversation already has a running turn."""


class StaleConversation(TurnError):
    """The conversation has turns that whoever asks has not seen."""


class TooManyTurns(TurnError):
    """The user has asked as much as the limits allow for now. ``retry_at`` is when the next question is accepted."""

    def __init__(self, message: str, advice: str, retry_at: datetime) -> None:
        super().__init__(message, advice)
        self.retry_at = retry_at


class ModelError(PinciteError):
    """The model or its provider failed."""


class ModelRefused(ModelError):
    """The provider's policy or the model itself declined to answer."""


class ModelUnavailable(ModelError):
    """The provider could not be reached, timed out or answered with a server error."""


class RateLimited(ModelError):
    """The provider asks to slow down. ``retry_after`` is in seconds where the provider says so."""

    def __init__(self, message: str, advice: str = "", retry_after: float | None = None) -> None:
        super().__init__(message, advice)
        self.retry_after = retry_after


class HistoryExpired(ModelError):
    """The provider no longer knows the conversation's last response."""


class ResponseIncomplete(ModelError):
    """The response ended early: a cut stream, the output limit, or no content at all."""


class BadModelRequest(ModelError):
    """The provider rejected the request as malformed."""
