"""The OpenAPI document and the page that shows it, all from this server."""

from __future__ import annotations

from functools import cache
from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.cache import patch_response_headers
from django.views import View
from drf_spectacular.generators import SchemaGenerator

OPENAPI_TYPE = "application/json"


@cache
def openapi_document() -> bytes:
    """Return the description of the API, the same bytes each time."""
    with translation.override("en"):
        generator: Any = SchemaGenerator()  # type: ignore[no-untyped-call]
        schema = generator.get_schema(request=None, public=True)
    return orjson.dumps(schema, option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS)


class _PublicView(View):
    access_rule = "public"
    http_method_names = ("get", "head")

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        view: Any = super().as_view(**initkwargs)
        view.access_rule = cls.access_rule
        return view


class OpenAPIView(_PublicView):
    """`/api/v1/openapi.json`: it describes the API and holds nobody's data."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Return the document."""
        response = HttpResponse(openapi_document(), content_type=OPENAPI_TYPE)
        patch_response_headers(response, cache_timeout=300)
        return response


class DocsView(_PublicView):
    """`/api/v1/docs/`: the document as a page, from files of this server alone."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Return the page."""
        return render(request, "tooling/api_docs.html")
