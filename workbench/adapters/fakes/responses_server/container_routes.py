"""The part of the API under ``/v1/containers``."""

from collections.abc import Callable

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from workbench.adapters.fakes.responses_server.bodies import json_body
from workbench.adapters.fakes.responses_server.containers import ContainerStore
from workbench.adapters.fakes.responses_server.listing import page_of
from workbench.adapters.fakes.responses_server.rules import ApiError, check_container

_CONTAINERS = "/v1/containers"
_ONE = f"{_CONTAINERS}/{{id}}"
_FILES = f"{_ONE}/files"
_FILE = f"{_FILES}/{{file}}"


class ContainerRoutes:
    """Serves a store of containers. ``check_key`` raises ApiError for a caller that may not come in."""

    def __init__(self, store: ContainerStore, check_key: Callable[[Request], None]) -> None:
        self._store = store
        self._check_key = check_key

    def routes(self) -> list[Route]:
        return [
            Route(_CONTAINERS, self._create, methods=["POST"]),
            Route(_CONTAINERS, self._list, methods=["GET"]),
            Route(_ONE, self._retrieve, methods=["GET"]),
            Route(_ONE, self._delete, methods=["DELETE"]),
            Route(_FILES, self._add_file, methods=["POST"]),
            Route(_FILES, self._list_files, methods=["GET"]),
            Route(_FILE, self._retrieve_file, methods=["GET"]),
            Route(_FILE, self._delete_file, methods=["DELETE"]),
            Route(f"{_FILE}/content", self._content, methods=["GET"]),
        ]

    async def _create(self, request: Request) -> JSONResponse:
        self._check_key(request)
        body = await json_body(request)
        check_container(body)
        options = {"memory_limit": body["memory_limit"]} if "memory_limit" in body else {}
        if "expires_after" in body:
            options["idle_minutes"] = body["expires_after"]["minutes"]
        return JSONResponse(self._store.create(body["name"], **options).wire)

    async def _list(self, request: Request) -> JSONResponse:
        self._check_key(request)
        name = request.query_params.get("name")
        found = [container.wire for container in self._store.all() if name in (None, container.name)]
        return JSONResponse(page_of(found, request.query_params))

    async def _retrieve(self, request: Request) -> JSONResponse:
        self._check_key(request)
        return JSONResponse(self._store.get(request.path_params["id"]).wire)

    async def _delete(self, request: Request) -> JSONResponse:
        self._check_key(request)
        container_id = request.path_params["id"]
        self._store.delete(container_id)
        return JSONResponse({"id": container_id, "object": "container.deleted", "deleted": True})

    async def _add_file(self, request: Request) -> JSONResponse:
        self._check_key(request)
        async with request.form() as form:
            upload = form.get("file")
            if not isinstance(upload, UploadFile):
                message = "This fake takes the content of a file only: send it as 'file' of a form."
                raise ApiError(400, message, code="missing_required_parameter", param="file")
            content, name = await upload.read(), upload.filename or "file"
        return JSONResponse(self._store.add_file(request.path_params["id"], name, content).wire)

    async def _list_files(self, request: Request) -> JSONResponse:
        self._check_key(request)
        files = [file.wire for file in self._store.files(request.path_params["id"])]
        return JSONResponse(page_of(files, request.query_params))

    async def _retrieve_file(self, request: Request) -> JSONResponse:
        self._check_key(request)
        return JSONResponse(self._store.file(request.path_params["id"], request.path_params["file"]).wire)

    async def _delete_file(self, request: Request) -> JSONResponse:
        self._check_key(request)
        file_id = request.path_params["file"]
        self._store.delete_file(request.path_params["id"], file_id)
        return JSONResponse({"id": file_id, "object": "container.file.deleted", "deleted": True})

    async def _content(self, request: Request) -> Response:
        self._check_key(request)
        file = self._store.file(request.path_params["id"], request.path_params["file"])
        return Response(file.content, media_type="application/binary")
