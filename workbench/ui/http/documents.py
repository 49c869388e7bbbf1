"""The routes of documents. What is missing and what is forbidden give the same 404."""

from collections.abc import Callable
from functools import wraps

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from workbench.domain.errors import NotFound, NotSignedIn, PinciteError
from workbench.domain.ids import DocumentId
from workbench.domain.pages import Page
from workbench.ui import process, signing_in
from workbench.ui.http.access import current_access
from workbench.ui.http.headers import NOTHING_ALLOWED
from workbench.ui.text import visible

NARROWEST, WIDEST, DEFAULT_WIDTH = 100, 2400, 900
"""Widths of a page image in pixels."""

_SHORTLY = {"Cache-Control": "private, max-age=300", **NOTHING_ALLOWED}
_NEVER = {"Cache-Control": "private, no-store", **NOTHING_ALLOWED}
_PDF = "application/pdf"


def _shortly() -> dict[str, str]:
    """What a browser may keep for minutes; nothing where people sign in: rights that have ended count at once."""
    return _NEVER if signing_in.required(process.workbench().settings) else _SHORTLY


Handler = Callable[[Request], Response]


def _errors_for_people(handler: Handler) -> Handler:
    """Answer what is missing and what is forbidden alike; tell of anything else that Pincite knows to be wrong."""

    @wraps(handler)
    def answer(request: Request) -> Response:
        try:
            return handler(request)
        except NotSignedIn:
            return PlainTextResponse("Sign in first", 401, headers=_NEVER)
        except NotFound:
            return PlainTextResponse("Not found", 404, headers=_NEVER)
        except PinciteError as error:
            return PlainTextResponse(str(error), 422, headers=_NEVER)

    return answer


def _document_id(request: Request) -> DocumentId:
    return DocumentId(request.path_params["document_id"])


@_errors_for_people
def canonical(request: Request) -> Response:
    """The PDF that the viewer shows, with byte ranges, to be opened in the browser at ``#page=``."""
    document, path = process.workbench().library.canonical_pdf(current_access(request), _document_id(request))
    name = visible(document.display_name)
    return FileResponse(
        path,
        media_type=_PDF,
        filename=name if name.lower().endswith(".pdf") else f"{name}.pdf",
        content_disposition_type="inline",
        # Ranges name bytes of the file: it must not be compressed on the way. A browser's PDF reader needs a policy that
        # lets it draw; it runs no script of the file in our origin.
        headers={**_NEVER, "Content-Encoding": "identity", "Content-Security-Policy": "frame-ancestors 'none'"},
    )


@_errors_for_people
def original(request: Request) -> Response:
    """The file as it was uploaded, always as a download: what is active in it must not run in our origin."""
    document, path = process.workbench().library.original(current_access(request), _document_id(request))
    is_pdf = document.media_type == _PDF
    return FileResponse(
        path,
        media_type=_PDF if is_pdf else "application/octet-stream",
        filename=visible(document.display_name),
        content_disposition_type="attachment",
        headers={**_NEVER, "Content-Encoding": "identity"},
    )


@_errors_for_people
def geometry(request: Request) -> Response:
    """The sizes of all pages in points, and the labels of those that print one of their own."""
    outlines = process.workbench().library.page_outlines(current_access(request), _document_id(request))
    return JSONResponse(
        {
            "sizes": [[round(page.width, 2), round(page.height, 2)] for page in outlines],
            "labels": {page.number: visible(page.label or "") for page in outlines if _prints_its_own(page)},
        },
        headers=_shortly(),
    )


def _prints_its_own(page: Page) -> bool:
    return page.label is not None and page.label != str(page.number)


@_errors_for_people
def page_image(request: Request) -> Response:
    """One page as an image; ``w`` is its width in pixels."""
    asked = request.query_params.get("w", str(DEFAULT_WIDTH))
    if not (asked.isascii() and asked.isdigit()):
        return PlainTextResponse("The width w is a number of pixels.", 400, headers=_NEVER)
    width = min(WIDEST, max(NARROWEST, int(asked[:6])))
    image = process.workbench().library.page_image(
        current_access(request), _document_id(request), request.path_params["number"], width
    )
    return Response(image.data, media_type=image.media_type, headers=_shortly())


@_errors_for_people
def page_words(request: Request) -> Response:
    """The words of one page: ``[x0, y0, x1, y1, start, text]``, in points, and characters from the page text's start."""
    page = process.workbench().library.page(
        current_access(request), _document_id(request), request.path_params["number"]
    )
    words = [
        [
            *(round(value, 2) for value in (word.x0, word.y0, word.x1, word.y1)),
            word.start,
            page.text[word.start : word.end],
        ]
        for word in page.words
    ]
    return JSONResponse(words, headers=_shortly())


@_errors_for_people
def find(request: Request) -> Response:
    """Where the document holds the words ``q``: ``[page, start, end, before, text, after]`` each, and how often in all."""
    found = process.workbench().finder.find(
        current_access(request), _document_id(request), request.query_params.get("q", "")
    )
    return JSONResponse({"hits": found.hits, "total": found.total}, headers=_NEVER)


@_errors_for_people
def sheets(request: Request) -> Response:
    """The sheets of a spreadsheet: what they are called, how far they reach, and what is hidden in them."""
    found = process.workbench().sheets.of(current_access(request), _document_id(request))
    return JSONResponse(
        [
            {
                "number": sheet.number,
                "name": visible(sheet.name),
                "hidden": sheet.hidden,
                "rows": sheet.area.last_row,
                "columns": sheet.area.last_column,
                "header": sheet.header_row,
                "hiddenRows": sheet.hidden_rows,
                "hiddenColumns": sheet.hidden_columns,
                "merged": sheet.merged,
            }
            for sheet in found
        ],
        headers=_shortly(),
    )


@_errors_for_people
def sheet_rows(request: Request) -> Response:
    """Rows ``first`` to ``last`` of a sheet that hold something: ``[row, [[column, text, kind, formula], ...]]`` each."""
    numbers = [request.path_params["number"], *(_number(request, name) for name in ("first", "last"))]
    if None in numbers:
        return PlainTextResponse("The rows first and last are numbers from 1.", 400, headers=_NEVER)
    rows = process.workbench().sheets.rows(current_access(request), _document_id(request), *numbers)
    written = [
        [
            row.number,
            [[cell.column, visible(cell.text), cell.kind, visible(cell.formula)] for cell in row.cells],
        ]
        for row in rows
    ]
    return JSONResponse(written, headers=_shortly())


def _number(request: Request, name: str) -> int | None:
    asked = request.query_params.get(name, "")
    return int(asked) if asked.isascii() and asked.isdigit() and 0 < len(asked) < 9 and int(asked) else None


# Plain functions: Starlette runs them in its thread pool, since they read files and draw.
ROUTES = [
    Route("/documents/{document_id}/document.pdf", canonical, methods=["GET"]),
    Route("/documents/{document_id}/original", original, methods=["GET"]),
    Route("/documents/{document_id}/geometry.json", geometry, methods=["GET"]),
    Route("/documents/{document_id}/find.json", find, methods=["GET"]),
    Route("/documents/{document_id}/sheets.json", sheets, methods=["GET"]),
    Route("/documents/{document_id}/sheets/{number:int}/rows.json", sheet_rows, methods=["GET"]),
    Route("/documents/{document_id}/pages/{number:int}.img", page_image, methods=["GET"]),
    Route("/documents/{document_id}/pages/{number:int}/words.json", page_words, methods=["GET"]),
]
