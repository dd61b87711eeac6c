"""REST: what every endpoint shares.

Paths have no trailing slash. A view is a `TenantAPIView` with `acts` by method:

    class MissionsView(TenantAPIView):
        acts = {"GET": Act.READ, "POST": Act.RAISE}

        @extend_schema(parameters=PAGE_PARAMETERS, responses=page_of(MissionSerializer))
        def get(self, request: Request) -> Response:
            page = list_missions(principal=self.principal, **page_query(request))
            return page_response(page, MissionSerializer)

        @extend_schema(request=NewMissionSerializer, responses={201: MissionSerializer})
        @idempotent
        def post(self, request: Request) -> Response:
            data = read_body(NewMissionSerializer, request)
            mission = create_mission(principal=self.principal, **data, now=self.now)
            return Response(MissionSerializer(mission).data, status=201)

`self.principal` says who acts and in which tenant, `self.now` when. The parts of
the address other than the tenant are the method's keyword arguments. A service's
`DomainError` becomes the answer by itself.
"""
