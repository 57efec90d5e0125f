import { z } from "zod";
import { examples } from "./examples.ts";

export const rootReply = z
	.strictObject({
		name: z.string(),
		version: z.literal("v1"),
		docs: z.string().meta({ description: "Path of the API reference." }),
		openapi: z.string().meta({ description: "Path of the OpenAPI document." }),
	})
	.register(examples, {
		example: {
			name: "Airtower",
			version: "v1",
			docs: "/api/v1/docs",
			openapi: "/api/v1/openapi.json",
		},
	});

const word = z
	.enum(["ok", "unreachable"])
	.register(examples, { example: "ok" });

export const healthReply = z.strictObject({
	status: z.enum(["ok", "degraded"]).register(examples, { example: "ok" }),
	version: z.string().register(examples, { example: "0.1.0" }),
	uptimeSeconds: z.int().min(0).register(examples, { example: 86_400 }),
	services: z.strictObject({
		accounts: word,
		messaging: word,
		whatsapp: word,
		campaigns: word,
		webhooks: word,
	}),
});

export type HealthReply = z.infer<typeof healthReply>;

export const openApiReply = z
	.looseObject({ openapi: z.string() })
	.register(examples, { example: { openapi: "3.1.0" } });
