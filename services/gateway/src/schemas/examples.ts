import { z } from "zod";

/** Examples of schemas for the OpenAPI document, each of its schema's own type. */
export const examples = z.registry<{ readonly example: z.$output }>();

export const messageIdExample = "0199b0a4-5f1c-7c3e-9b1a-3f0d6c2e8a11";
export const senderIdExample = "0199b0a1-0d4e-7a52-8c77-61f2b7a9d3e0";
export const phoneNumberIdExample = "0199b0a7-3e4f-7051-8c6d-7e8f9a0b1c2d";
export const timeExample = "2026-03-01T09:30:00.000Z";

export const deliverySumExample = {
	value: "2026-03-01",
	channel: "sms" as const,
	accepted: 1_042,
	delivered: 1_000,
	failed: 30,
	failures: [{ reason: "expired", messages: 30 }],
	canceled: 2,
	unknown: 10,
	median_seconds: 3.56,
	p95_seconds: 14.3,
	segments: 1_100,
	costs: [{ currency: "EUR", amount: 49.5 }],
};
