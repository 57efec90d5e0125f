import { expect, it } from "vitest";
import type { SubmitResult } from "../domain/attempt-outcome.ts";
import { createProviderSilence } from "./provider-silence.ts";

const TAKEN = {
	kind: "taken",
	providerMessageId: "wamid.1",
	waId: undefined,
} as const;
const UNKNOWN = { kind: "unknown", text: "timeout" } as const;
const UNSENT = { kind: "unsent", text: "refused" } as const;

/** A provider whose responses and clock the test holds; those of the earliest submits come first. */
function stage() {
	let nowMs = 0;
	const open: ((result: SubmitResult) => void)[] = [];
	const silence = createProviderSilence(() => nowMs);
	return {
		submit: (count = 1) => {
			for (let nth = 0; nth < count; nth++)
				void silence.watch(() => new Promise((resolve) => open.push(resolve)));
		},
		respond: async (result: SubmitResult, count = 1) => {
			for (const resolve of open.splice(0, count)) resolve(result);
			await new Promise(setImmediate);
		},
		pass: (ms: number) => {
			nowMs += ms;
		},
		limit: () => silence.limit(200),
	};
}

it("a provider that responds, or of which nothing is awaited, holds nothing back", async () => {
	const { submit, respond, pass, limit } = stage();
	pass(60_000);
	expect(limit()).toBe(200);
	for (let second = 0; second < 10; second++) {
		submit();
		pass(1_000);
		await respond(TAKEN);
		expect(limit()).toBe(200);
	}
});

it("one that leaves two messages without a response for long holds nothing back", () => {
	const { submit, pass, limit } = stage();
	submit(2);
	pass(9_000);
	expect(limit()).toBe(200);
	submit();
	expect(limit()).toBe(0);
});

it("one that says nothing for two seconds gets a message every five, until its next response", async () => {
	const { submit, respond, pass, limit } = stage();
	submit(40);
	pass(2_000);
	expect(limit()).toBe(200);
	pass(1);
	expect(limit()).toBe(0);
	pass(3_000);
	expect(limit()).toBe(1);
	submit();
	expect(limit()).toBe(0);
	pass(5_000);
	await respond(UNKNOWN, 41);
	expect(limit()).toBe(1);
	submit();
	pass(100);
	await respond(TAKEN);
	expect(limit()).toBe(200);
});

it("one that loses three responses in a row is silent too, one that loses two is not", async () => {
	const { submit, respond, pass, limit } = stage();
	for (const left of [200, 200, 0]) {
		submit();
		pass(1);
		await respond(UNKNOWN);
		expect(limit()).toBe(left);
	}
	pass(4_998);
	expect(limit()).toBe(0);
	pass(1);
	expect(limit()).toBe(1);
});

it("responses that are lost among others hold nothing back", async () => {
	const { submit, respond, pass, limit } = stage();
	submit(10);
	pass(1);
	await respond(TAKEN);
	await respond(UNKNOWN, 9);
	expect(limit()).toBe(200);
});

it("one that cannot be reached loses nothing, and is not silent", async () => {
	const { submit, respond, limit } = stage();
	submit(10);
	await respond(UNSENT, 10);
	expect(limit()).toBe(200);
});
