import { publicAccess } from "../../../domain/access.ts";
import { rootReply } from "../../../schemas/service.ts";
import type { Routes } from "../../routes.ts";

const operation = {
	method: "GET",
	url: "/",
	config: { access: publicAccess },
	schema: {
		operationId: "getRoot",
		tags: ["Service"],
		summary: "Show the version and where the documentation is",
		description: "The place to begin.",
		response: { 200: rootReply },
	},
} as const;

export const getRoot: Routes = (app) => {
	const { prefix } = app;
	app.route({
		...operation,
		handler: (_request, reply) => {
			reply.send({
				name: "Airtower",
				version: "v1",
				docs: `${prefix}/docs`,
				openapi: `${prefix}/openapi.json`,
			});
		},
	});
};
