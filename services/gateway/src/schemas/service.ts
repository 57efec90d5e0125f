import { z } from "zod";
import { LATE_AFTER_S } from "../health-board.ts";
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

const status = z
	.enum(["ok", "unavailable", "unreachable"])
	.meta({
		description:
			"`unavailable`: it responds, but cannot store anything now. `unreachable`: it does not respond.",
	})
	.register(examples, { example: "ok" });

export const healthReply = z.strictObject({
	status: z
		.enum(["ok", "degraded", "unavailable"])
		.meta({
			description: [
				`\`degraded\` while a part is not ok or an age is above ${LATE_AFTER_S} s,`,
				"`unavailable` while no message is accepted.",
			].join(" "),
		})
		.register(examples, { example: "ok" }),
	accepting: z
		.boolean()
		.meta({
			description:
				"True when an SMS can be accepted now: it can be paid for and stored.",
		})
		.register(examples, { example: true }),
	version: z.string().register(examples, { example: "0.1.0" }),
	uptimeSeconds: z.int().min(0).register(examples, { example: 86_400 }),
	services: z.strictObject({
		accounts: status,
		messaging: status,
		whatsapp: status,
		campaigns: status,
		webhooks: status,
	}),
	oldestUnsentSeconds: z
		.int()
		.min(0)
		.meta({
			description:
				"How long the oldest message has waited that an operator or provider could take now; 0 for none.",
		})
		.register(examples, { example: 0 }),
	oldestUndeliveredCallbackSeconds: z
		.int()
		.min(0)
		.meta({
			description: [
				"How long the oldest callback has waited for its first attempt,",
				"without those to failing endpoints; 0 for none.",
			].join(" "),
		})
		.register(examples, { example: 0 }),
});

export type HealthReply = z.infer<typeof healthReply>;

export const openApiReply = z
	.looseObject({ openapi: z.string() })
	.register(examples, { example: { openapi: "3.1.0" } });
