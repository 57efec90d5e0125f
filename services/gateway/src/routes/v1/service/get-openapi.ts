import { publicAccess } from "../../../domain/access.ts";
import { openApiReply } from "../../../schemas/service.ts";
import type { Routes } from "../../routes.ts";

export const getOpenApi: Routes = (app) => {
	app.route({
		method: "GET",
		url: "/openapi.json",
		config: { access: publicAccess },
		schema: {
			operationId: "getOpenApi",
			tags: ["Service"],
			summary: "Get the OpenAPI 3.1 document",
			description: "This document, as it is served here.",
			response: { 200: openApiReply },
		},
		handler: (_request, reply) => {
			reply.send({ ...app.openApi() });
		},
	});
};
