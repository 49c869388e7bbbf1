"""The rules of ``POST /responses``: types by the SDK's own definitions, and the state rules that no schema expresses."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from openai.types.container_create_params import ContainerCreateParams
from openai.types.responses.response_create_params import (
    ResponseCreateParamsNonStreaming,
    ResponseCreateParamsStreaming,
)
from pydantic import ConfigDict, TypeAdapter, ValidationError

Wire = Mapping[str, Any]

_LEAST_OUTPUT_TOKENS = 16
_REASONING_PREFIXES = ("o1", "o3", "o4", "gpt-5", "gpt-6")


class ApiError(Exception):
    """An error reply in the API's form."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        code: str | None = None,
        param: str | None = None,
        kind: str = "invalid_request_error",
        headers: Mapping[str, str] | None = None,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers
        self.error = {"message": message, "type": kind, "param": param, "code": code, **(more or {})}

    @property
    def body(self) -> dict[str, Any]:
        return {"error": self.error}


def check_body(body: Wire) -> None:
    """Check names and types of all fields at any depth, and the rules that concern single fields."""
    _check_types(body)
    if not body.get("model"):
        raise ApiError(400, "Missing required parameter: 'model'.", code="missing_required_parameter", param="model")
    if body.get("conversation") is not None:
        raise ApiError(400, "This fake keeps no conversations.", code="unsupported_parameter", param="conversation")
    limit = body.get("max_output_tokens")
    if limit is not None and limit < _LEAST_OUTPUT_TOKENS:
        message = f"Invalid 'max_output_tokens': expected a value >= {_LEAST_OUTPUT_TOKENS}, but got {limit} instead."
        raise ApiError(400, message, code="integer_below_min_value", param="max_output_tokens")
    _check_reasoning_options(body)
    for position, tool in enumerate(body.get("tools") or ()):
        _check_tool(tool, f"tools[{position}]")


def check_container(body: Wire) -> None:
    """Check the body of a request to create a container."""
    try:
        _container_adapter().validate_python([body])
    except ValidationError as error:
        raise _from_validation(error) from None
    _check_played(body, {"name", "expires_after", "memory_limit"})


def check_context(context: Sequence[Wire], body: Wire) -> None:
    """Check what the whole thread must keep: one output for each call, reasoning before its output, ids once."""
    _check_ids(context)
    _check_pairs(context)
    _check_reasoning_items(body.get("input") or (), stateless=body.get("store") is False)


@cache
def _adapter(stream: bool) -> TypeAdapter[list[Any]]:
    # In a list, since pydantic takes a config for a bare TypedDict from that type alone.
    types = list[ResponseCreateParamsStreaming] if stream else list[ResponseCreateParamsNonStreaming]
    return TypeAdapter(types, config=ConfigDict(extra="forbid"))


@cache
def _container_adapter() -> TypeAdapter[list[Any]]:
    return TypeAdapter(list[ContainerCreateParams], config=ConfigDict(extra="forbid"))


def _check_types(body: Wire) -> None:
    try:
        (valid,) = _adapter(body.get("stream") is True).validate_python([body])
        for name in ("input", "tools"):  # iterables are validated as they are read
            if not isinstance(valid.get(name), str):
                list(valid.get(name) or ())
    except ValidationError as error:
        raise _from_validation(error) from None


def _from_validation(error: ValidationError) -> ApiError:
    first = max(error.errors(include_url=False), key=lambda each: each["type"] == "extra_forbidden")
    param = ".".join(str(part) for part in first["loc"][1:])
    if first["type"] == "extra_forbidden":
        return ApiError(400, f"Unknown parameter: '{param}'.", code="unknown_parameter", param=param)
    return ApiError(400, f"Invalid value for '{param}': {first['msg']}.", code="invalid_type", param=param)


def _check_reasoning_options(body: Wire) -> None:
    if str(body["model"]).startswith(_REASONING_PREFIXES):
        return
    if body.get("reasoning") is not None:
        message = "Unsupported parameter: 'reasoning.effort' is not supported with this model."
        raise ApiError(400, message, code="unsupported_parameter", param="reasoning.effort")
    if "reasoning.encrypted_content" in (body.get("include") or ()):
        raise ApiError(400, "Encrypted content is not supported with this model.", param="include")


def _check_tool(tool: Wire, where: str) -> None:
    if tool.get("type") == "code_interpreter":
        _check_container_tool(tool["container"], f"{where}.container")
    elif tool.get("type") != "function":
        message = f"This fake plays functions and the code interpreter only, not '{tool.get('type')}'."
        raise ApiError(400, message, param=f"{where}.type")
    if tool.get("strict"):
        _check_strict(tool.get("parameters") or {}, str(tool.get("name")), f"{where}.parameters", ())


def _check_container_tool(container: Any, where: str) -> None:
    if isinstance(container, str):
        if not container.startswith("cntr"):
            raise ApiError(
                400, f"Invalid '{where}': '{container}'. Expected an ID that begins with 'cntr'.", param=where
            )
        return
    _check_played(container, {"type", "memory_limit"}, f"{where}.")


def _check_played(options: Wire, played: set[str], where: str = "") -> None:
    """Refuse options the fake does not play, since ignoring them would hide what the caller asked for."""
    other = next((name for name, value in options.items() if name not in played and value is not None), None)
    if other is not None:
        message = f"This fake does not play '{other}' of a container."
        raise ApiError(400, message, code="unsupported_parameter", param=f"{where}{other}")


def _check_strict(schema: Any, function: str, param: str, path: tuple[str, ...]) -> None:
    if not isinstance(schema, Mapping):
        return
    properties = schema.get("properties")
    if schema.get("type") == "object" or properties is not None:
        properties = properties or {}
        if schema.get("additionalProperties") is not False:
            raise _schema_error(
                function, path, "'additionalProperties' is required to be supplied and to be false", param
            )
        missing = [name for name in properties if name not in (schema.get("required") or ())]
        if missing:
            reason = f"'required' is required to be an array including every key in properties. Missing '{missing[0]}'"
            raise _schema_error(function, path, reason, param)
    nested = {**(properties or {}), **(schema.get("$defs") or {})}
    for name, inner in nested.items():
        _check_strict(inner, function, param, (*path, "properties", name))
    _check_strict(schema.get("items"), function, param, (*path, "items"))
    for position, inner in enumerate(schema.get("anyOf") or ()):
        _check_strict(inner, function, param, (*path, "anyOf", str(position)))


def _schema_error(function: str, path: tuple[str, ...], reason: str, param: str) -> ApiError:
    message = f"Invalid schema for function '{function}': In context={path}, {reason}."
    return ApiError(400, message, code="invalid_function_parameters", param=param)


def _check_ids(context: Sequence[Wire]) -> None:
    seen: set[str] = set()
    for item in context:
        item_id = item.get("id")
        if item_id and item.get("role") == "assistant" and not item_id.startswith("msg"):
            raise ApiError(400, f"Invalid 'id': '{item_id}'. Expected an ID that begins with 'msg'.", param="input")
        if item_id in seen:
            raise ApiError(400, f"Duplicate item found with id {item_id}.", param="input")
        if item_id:
            seen.add(item_id)


def _check_pairs(context: Sequence[Wire]) -> None:
    answered: dict[str, bool] = {}
    for item in context:
        call_id = str(item.get("call_id"))
        if item.get("type") == "function_call":
            if call_id in answered:
                raise ApiError(400, f"Duplicate function call found with call_id {call_id}.", param="input")
            answered[call_id] = False
        elif item.get("type") == "function_call_output":
            if call_id not in answered:
                message = f"No tool call found for function call output with call_id {call_id}."
                raise ApiError(400, message, param="input")
            if answered[call_id]:
                raise ApiError(400, f"Duplicate tool output found for function call {call_id}.", param="input")
            answered[call_id] = True
    missing = next((call_id for call_id, done in answered.items() if not done), None)
    if missing is not None:
        raise ApiError(400, f"No tool output found for function call {missing}.", param="input")


def _check_reasoning_items(items: Any, *, stateless: bool) -> None:
    if isinstance(items, str):
        return
    for item, follower in zip(items, [*items[1:], {}], strict=True):
        if item.get("type") != "reasoning":
            continue
        if stateless and not item.get("encrypted_content"):
            message = (
                f"Item with id '{item.get('id')}' not found. Items are not persisted when `store` is set to false. "
                "Try again with `store` set to true, or remove this item from your input."
            )
            raise ApiError(404, message, param="input")
        if not _is_model_output(follower):
            message = f"Item '{item.get('id')}' of type 'reasoning' was provided without its required following item."
            raise ApiError(400, message, param="input")
        check_encrypted(item)


def _is_model_output(item: Wire) -> bool:
    return (
        item.get("type") in ("reasoning", "function_call", "code_interpreter_call") or item.get("role") == "assistant"
    )


def check_encrypted(item: Wire) -> None:
    """Refuse encrypted reasoning that this provider did not write."""
    content = item.get("encrypted_content")
    if content and not content.startswith(ENCRYPTED_PREFIX):
        message = f"The encrypted content for item {item.get('id')} could not be verified."
        raise ApiError(400, message, code="invalid_encrypted_content")


ENCRYPTED_PREFIX = "fake-encrypted:"
