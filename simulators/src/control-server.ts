import { type FastifyInstance, type FastifyRequest, fastify } from "fastify";

/** Bodies of any type are read as text; a handler that throws gives 400 with `{error}`. */
export function createControlServer(): FastifyInstance {
	const app = fastify({ forceCloseConnections: true, exposeHeadRoutes: false });
	const routes: string[] = [];
	app.removeAllContentTypeParsers();
	app.addContentTypeParser(
		"*",
		{ parseAs: "string" },
		async (_request: FastifyRequest, body: string) => body,
	);
	app.addHook(
		"onRoute",
		({ method, url }) => void routes.push(`${method} ${url}`),
	);
	app.setErrorHandler((error, _request, reply) =>
		reply.code(400).send({ error: String(error) }),
	);
	app.setNotFoundHandler((_request, reply) => reply.code(404).send({ routes }));
	return app;
}

export function parseBody({ body }: FastifyRequest): unknown {
	return JSON.parse(String(body));
}
