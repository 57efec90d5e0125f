import { z } from "zod";

export const rootReply = z.strictObject({
	name: z.string(),
	version: z.literal("v1"),
	docs: z.string().meta({ description: "Path of the API reference." }),
	openapi: z.string().meta({ description: "Path of the OpenAPI document." }),
});

const word = z.enum(["ok", "unreachable"]);

export const healthReply = z.strictObject({
	status: z.enum(["ok", "degraded"]),
	version: z.string(),
	uptimeSeconds: z.int().min(0),
	services: z.strictObject({
		accounts: word,
		messaging: word,
		whatsapp: word,
		campaigns: word,
		webhooks: word,
	}),
});

export type HealthReply = z.infer<typeof healthReply>;

export const openApiReply = z.looseObject({ openapi: z.string() });
