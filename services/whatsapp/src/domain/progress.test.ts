import { describe, expect, it } from "vitest";
import type { AttemptOutcome } from "./attempt-outcome.ts";
import type { StatusItem } from "./callback-item.ts";
import { type MessageState, NEXT_MESSAGE_STATES } from "./message-state.ts";
import {
	applyAttempt,
	applyStatus,
	isFinished,
	type Progress,
} from "./progress.ts";

const at = (second: number) => new Date(1_772_300_000_000 + second * 1_000);

const accepted: Progress = {
	status: "accepted",
	billingCategory: "utility",
	errorCode: null,
	providerError: null,
	providerMessageId: null,
	attempts: 0,
	sentAt: null,
	deliveredAt: null,
	readAt: null,
	finishedAt: null,
	unknownUntil: null,
};

function status(
	word: StatusItem["status"],
	second: number,
	more: Partial<StatusItem> = {},
): StatusItem {
	return {
		kind: "status",
		providerPhoneNumberId: "pn",
		providerMessageId: "wamid.1",
		messageId: undefined,
		status: word,
		at: at(second),
		errorCode: undefined,
		errorText: undefined,
		category: undefined,
		...more,
	};
}

function applyAll(...items: StatusItem[]) {
	let progress = accepted;
	let ends = 0;
	for (const item of items) {
		const next = applyStatus(progress, item);
		if (isFinished(progress, next)) ends++;
		expect(
			next.status === progress.status ||
				NEXT_MESSAGE_STATES[progress.status].includes(next.status),
		).toBe(true);
		progress = next;
	}
	return { ...progress, ends };
}

function permutations<T>(items: T[]): T[][] {
	if (items.length < 2) return [items];
	return items.flatMap((item, index) =>
		permutations(items.filter((_, other) => other !== index)).map((rest) => [
			item,
			...rest,
		]),
	);
}

describe("applyStatus", () => {
	it("ends as read with one outcome in every order of sent, delivered, read, each twice", () => {
		const all = [status("sent", 1), status("delivered", 2), status("read", 3)];
		for (const order of permutations([
			...all,
			status("delivered", 2),
			status("read", 3),
		]))
			expect(applyAll(...order)).toMatchObject({
				status: "read",
				ends: 1,
				readAt: at(3),
				deliveredAt: at(2),
			});
	});

	it("takes read alone as delivered", () => {
		expect(applyAll(status("read", 3))).toMatchObject({
			status: "read",
			ends: 1,
			deliveredAt: at(3),
			finishedAt: at(3),
		});
	});

	it("never lets a failure follow a delivery, nor a delivery a failure", () => {
		expect(applyAll(status("delivered", 2), status("failed", 3))).toMatchObject(
			{
				status: "delivered",
				ends: 1,
			},
		);
		expect(
			applyAll(
				status("failed", 2, { errorCode: 131_026 }),
				status("delivered", 3),
			),
		).toMatchObject({
			status: "failed",
			errorCode: "undeliverable",
			ends: 1,
		});
	});

	it("resolves an unknown message", () => {
		const unknown = { ...accepted, status: "unknown" as const };
		expect(applyStatus(unknown, status("sent", 1))).toMatchObject({
			status: "sent",
			providerMessageId: "wamid.1",
			sentAt: at(1),
		});
	});

	it("takes the provider's billing category when it is one of ours", () => {
		expect(
			applyAll(status("sent", 1, { category: "authentication-international" }))
				.billingCategory,
		).toBe("authentication");
		expect(
			applyAll(status("sent", 1, { category: "marketing" })).billingCategory,
		).toBe("utility");
	});
});

it("no state can be reached again", () => {
	for (const state of Object.keys(NEXT_MESSAGE_STATES) as MessageState[])
		for (const next of NEXT_MESSAGE_STATES[state])
			expect(NEXT_MESSAGE_STATES[next]).not.toContain(state);
});

describe("applyAttempt", () => {
	const attempt = (wasWritten: boolean, outcome: AttemptOutcome) =>
		applyAttempt(
			accepted,
			{ outcome, providerError: "said", wasWritten },
			at(5),
			60_000,
		);

	it("counts what was written alone, and keeps what the provider said", () => {
		const outcome = {
			kind: "postponed",
			delayMs: 1_000,
			refusals: 1,
			pauses: "nobody",
		} as const;
		const before = { ...accepted, providerError: "said" };
		expect(attempt(false, outcome)).toEqual(before);
		expect(attempt(true, outcome)).toEqual({ ...before, attempts: 1 });
	});

	it("leaves a message as it is of which the provider has told more", () => {
		const read = applyStatus(accepted, status("read", 3));
		const outcome = {
			kind: "sent",
			providerMessageId: "wamid.2",
			waId: undefined,
		} as const;
		const late = { outcome, providerError: undefined, wasWritten: false };
		expect(applyAttempt(read, late, at(5), 60_000)).toEqual(read);
	});
});
