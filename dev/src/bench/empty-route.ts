import Fastify from "fastify";

/** The yardstick: the least that any service behind this framework must do for a POST. Its own process. */
const app = Fastify();

app.post(
	"/sms/send",
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

console.log(await app.listen({ port: 0, host: "127.0.0.1" }));
