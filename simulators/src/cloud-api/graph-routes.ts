import type { FastifyPluginAsync, FastifyReply } from "fastify";
import type { BusinessAccount } from "./business-account.ts";
import type { CloudApiOptions } from "./cloud-api-options.ts";
import {
	type MetaError,
	metaError,
	toErrorBody,
	unknownObject,
} from "./meta-error.ts";

const VERSION = "/:version(^v[0-9]+\\.[0-9]+$)";

type NumberRoute = { Params: { phoneNumberId: string } };
type AccountRoute = { Params: { wabaId: string } };

export function graphRoutes(
	account: BusinessAccount,
	{ accessToken, phoneNumberIds, wabaId }: CloudApiOptions,
): FastifyPluginAsync {
	return async (app) => {
		app.addHook("onRequest", async ({ headers }, reply) => {
			if (headers.authorization !== `Bearer ${accessToken}`)
				return refuse(reply, metaError(190));
		});
		app.setErrorHandler((error, _request, reply) =>
			refuse(reply, metaError(100, String(error))),
		);
		app.post<NumberRoute>(
			`${VERSION}/:phoneNumberId/messages`,
			async ({ params, body }, reply) => {
				if (!phoneNumberIds.includes(params.phoneNumberId))
					return refuse(reply, unknownObject(params.phoneNumberId));
				const result = await account.send(params.phoneNumberId, String(body));
				if (result.kind === "taken") return result.body;
				if (result.kind === "refused") return refuse(reply, result.error);
				reply.hijack();
				reply.raw.destroy();
			},
		);
		app.get<AccountRoute>(
			`${VERSION}/:wabaId/message_templates`,
			async ({ params, url, protocol, host }, reply) =>
				params.wabaId === wabaId
					? account.templates.page(new URL(url, `${protocol}://${host}`))
					: refuse(reply, unknownObject(params.wabaId)),
		);
	};
}

function refuse(reply: FastifyReply, error: MetaError): FastifyReply {
	return reply.code(error.httpStatus).send(toErrorBody(error));
}
