import Fastify from "fastify";

/** The yardstick: the least that any service behind this framework must do for a POST. Its own process. */
const app = Fastify();

app.post(
	"/",
	{
		schema: {
			body: {
				type: "object",
				required: ["to", "message"],
				additionalProperties: false,
				properties: {
					to: { type: "string", minLength: 1, maxLength: 32 },
					message: { type: "string", minLength: 1, maxLength: 1_600 },
					clientReference: { type: "string", maxLength: 128 },
				},
			},
			response: {
				202: {
					type: "object",
					properties: { success: { type: "boolean" } },
				},
			},
		},
	},
	(_request, reply) => reply.code(202).send({ success: true }),
);

await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });
process.once("SIGTERM", () => process.exit(0));
