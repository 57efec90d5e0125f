import { createMetrics } from "@airtower/platform/metrics";
import { eventually } from "@airtower/platform/testing/eventually";
import { SendMessagesResponseSchema } from "@airtower/proto/messaging/v1/messaging";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { createMessageCollector } from "./send-messages.ts";
import { createTelemetry } from "./telemetry.ts";

test("at most 500 messages go in one call and two calls are under way", async () => {
	const gate = Promise.withResolvers<void>();
	const sizes: number[] = [];
	let underWay = 0;
	let most = 0;
	const collector = createMessageCollector(
		{
			sendMessages: async ({ messages = [] }) => {
				sizes.push(messages.length);
				most = Math.max(most, ++underWay);
				await gate.promise;
				underWay--;
				const results = messages.map((_, index) => ({
					result: {
						case: "accepted" as const,
						value: { messageId: `${index}` },
					},
				}));
				return create(SendMessagesResponseSchema, { results });
			},
		},
		createTelemetry(createMetrics("test")),
	);
	const sent = Promise.all(
		Array.from({ length: 1_800 }, () => collector.add({ to: "+1" })),
	);
	await eventually(() => expect(sizes).toEqual([500, 500]));
	gate.resolve();
	await sent;
	expect(sizes).toEqual([500, 500, 500, 300]);
	expect(most).toBe(2);
});

test("a failed call fails its messages once and is not repeated", async () => {
	let calls = 0;
	const collector = createMessageCollector(
		{
			sendMessages: () => {
				calls++;
				return Promise.reject(new Error("the answer was lost"));
			},
		},
		createTelemetry(createMetrics("test")),
	);
	const results = await Promise.allSettled([
		collector.add({ to: "+1" }),
		collector.add({ to: "+2" }),
	]);
	expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
	expect(calls).toBe(1);
});
