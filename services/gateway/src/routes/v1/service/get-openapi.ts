import { publicAccess } from "../../../domain/access.ts";
import { openApiReply } from "../../../schemas/service.ts";
import type { Routes } from "../../routes.ts";
import { sendCachedText, toCachedText } from "./cached-text.ts";

export const getOpenApi: Routes = (app, { documents }) => {
	let text: ReturnType<typeof toCachedText> | undefined;
	app.route({
		method: "GET",
		url: "/openapi.json",
		config: {
			access: publicAccess,
			isRevalidated: true,
			errors: ["rate_limited"],
		},
		schema: {
			operationId: "getOpenApi",
			tags: ["Service"],
			summary: "Get the OpenAPI 3.1 document",
			description:
				"This document. Compressed for who takes `gzip`; 304 for who names its `ETag`.",
			response: { 200: openApiReply },
		},
		handler: async (request, reply) => {
			text ??= toCachedText(JSON.stringify(app.openApi()));
			reply.type("application/json; charset=utf-8");
			return sendCachedText(request, reply, await text, documents);
		},
	});
};
