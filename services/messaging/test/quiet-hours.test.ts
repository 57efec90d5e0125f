import { transaction } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { troubledSql } from "@airtower/platform/testing/troubled-sql";
import {
	type SendMessage,
	SendMessageSchema,
} from "@airtower/proto/messaging/v1/messaging";
import { create } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { acceptMessages } from "../src/accepting/accept-messages.ts";
import { previewMessages } from "../src/accepting/preview-messages.ts";
import { localMinute } from "../src/domain/quiet-hours/local-minute.ts";
import type { QuietHours } from "../src/domain/quiet-hours/quiet-hours.ts";
import { stageScheduled } from "../src/jobs/stage-scheduled.ts";
import { deleteQuietHours, putQuietHours } from "../src/store/quiet-hours.ts";
import {
	acceptedOf,
	dispatchAll,
	type MessageInit,
	messageTo,
	organizationWith,
	startTestMessaging,
	type TestMessaging,
} from "./support/messaging.ts";
import { statusOf } from "./support/rows.ts";

const HOUR_MS = 3_600_000;
const NIGHT: QuietHours = { start: 21 * 60, end: 8 * 60 };
/** In Paris half past ten at night, and the end of its quiet hours. */
const LATE = new Date("2026-11-26T21:30:00Z");
const MORNING = "2026-11-27T07:00:00.000Z";

let messaging: TestMessaging;

beforeAll(async () => {
	messaging = await startTestMessaging({
		hasMovableClock: true,
		// A claim lasts while the clock steps.
		limits: { leaseMs: 100 * HOUR_MS },
	});
});
afterAll(() => messaging.close());

async function organizationWithHours(hours = NIGHT): Promise<string> {
	const id = await organizationWith(messaging, 1_000);
	await transaction(messaging.sql, (sql) => putQuietHours(sql, id, hours));
	return id;
}

function toBulk(organizationId: string, fields: MessageInit = {}): SendMessage {
	return create(
		SendMessageSchema,
		messageTo(organizationId, { priority: "bulk", ...fields }),
	);
}

/** What is accepted when it is `now`, by the clock of the process. */
async function sendAt(now: Date, ...messages: SendMessage[]) {
	const { signal } = new AbortController();
	const ctx = { ...messaging.ctx, clock: () => now };
	const results = await acceptMessages(ctx, messages, signal);
	return results.map(acceptedOf);
}

/** When messages go that are accepted late in the evening. */
async function sendTimes(...messages: SendMessage[]) {
	const accepted = await sendAt(LATE, ...messages);
	const rows = await messaging.sql<{ id: string; sendAt: Date | null }[]>`
		select id, send_at as "sendAt"
		from messages
		where id = any(${accepted.map(({ messageId }) => messageId)}::uuid[])
	`;
	return accepted.map(({ messageId, sendAt: told }) => {
		const stored = rows.find(({ id }) => id === messageId)?.sendAt;
		expect(told && timestampDate(told)).toEqual(stored ?? undefined);
		return stored?.toISOString() ?? "at once";
	});
}

test("a bulk message of the night goes in the morning, by the clock of its recipient; others go at once", async () => {
	const id = await organizationWithHours();
	const times = await sendTimes(
		toBulk(id),
		toBulk(id, { priority: "normal" }),
		toBulk(id, { priority: "" }),
		toBulk(id, { priority: "otp" }),
		toBulk(id, { campaignId: uuidv7() }),
		toBulk(id, { to: "+12125550123" }),
		toBulk(id, { to: "+9779812345678" }),
		toBulk(id, { to: "+80012345678" }),
		toBulk(id, { to: "+80012345678", defaultCountry: "NP" }),
		toBulk(await organizationWith(messaging, 10)),
	);
	expect(times).toEqual([
		MORNING,
		"at once",
		"at once",
		"at once",
		MORNING,
		"at once",
		"2026-11-27T02:15:00.000Z",
		"2026-11-27T08:00:00.000Z",
		"2026-11-27T02:15:00.000Z",
		"at once",
	]);
});

test("a time of its own moves where it is quiet then, also past the 30 days, and stays where it is not", async () => {
	const id = await organizationWithHours();
	const at = (time: string) => ({
		sendAt: timestampFromDate(new Date(time)),
	});
	const [latest, afterIt] = [
		"2026-12-26T21:30:00.000Z",
		"2026-12-27T07:00:00.000Z",
	];
	const times = await sendTimes(
		toBulk(id, at("2026-11-27T02:00:00Z")),
		toBulk(id, at("2026-11-27T12:34:56.789Z")),
		toBulk(id, { ...at("2026-11-27T02:00:00Z"), priority: "normal" }),
		toBulk(id, at(latest)),
	);
	expect(times).toEqual([
		MORNING,
		"2026-11-27T12:34:56.789Z",
		"2026-11-27T02:00:00.000Z",
		afterIt,
	]);
});

const NOW = { describeTexts: false, at: undefined };

test("a preview tells the time at which the send lets it go", async () => {
	const id = await organizationWithHours();
	const messages = [toBulk(id), toBulk(id, { to: "+12125550123" })];
	const ctx = { ...messaging.ctx, clock: () => LATE };
	const previews = await previewMessages(ctx, messages, NOW);
	const sent = await sendAt(LATE, ...messages);
	const told = previews.map((preview) => {
		const { result } = Object(preview.send);
		return result.case === "accepted" ? result.value.sendAt : result;
	});
	expect(told).toEqual(sent.map((one) => one.sendAt));
	expect(sent.map((one) => one.sendAt !== undefined)).toEqual([true, false]);
});

test("a preview of a message that waits for quota tells the time at which it would go now", async () => {
	const id = await organizationWithHours();
	messaging.ledger.balances.set(id, 0);
	const ctx = { ...messaging.ctx, clock: () => LATE };
	const [preview] = await previewMessages(ctx, [toBulk(id)], NOW);
	expect(preview).toMatchObject({
		send: { result: { value: { reason: "quota_exhausted" } } },
		sendAt: timestampFromDate(new Date(MORNING)),
	});
});

test("a preview for a later time tells of the quiet hours of then, not of now", async () => {
	const id = await organizationWithHours();
	const noon = new Date("2026-11-26T11:00:00Z");
	const sendAtOf = async (now: Date, at: Date) => {
		const ctx = { ...messaging.ctx, clock: () => now };
		const options = { ...NOW, at };
		const [preview] = await previewMessages(ctx, [toBulk(id)], options);
		return preview?.sendAt;
	};
	const year = 365 * 24 * HOUR_MS;
	expect(await sendAtOf(LATE, noon)).toBeUndefined();
	expect(await sendAtOf(noon, LATE)).toEqual(
		timestampFromDate(new Date(MORNING)),
	);
	expect(await sendAtOf(new Date(LATE.getTime() - year), LATE)).toEqual(
		timestampFromDate(new Date(MORNING)),
	);
});

test("a batch with bulk messages makes one more look-up, and one without makes none", async () => {
	const organizations = await Promise.all(
		Array.from({ length: 3 }, () => organizationWithHours()),
	);
	const { sql, fates } = troubledSql(messaging.sql);
	let lookUps = 0;
	fates.set("from quiet_hours", (run) => {
		lookUps++;
		return run();
	});
	const { signal } = new AbortController();
	const ctx = { ...messaging.ctx, sql, clock: () => LATE };
	const lookUpsOf = async (priorities: readonly string[]) => {
		const before = lookUps;
		const messages = Array.from({ length: 60 }, (_, nth) =>
			toBulk(organizations[nth % 3] ?? "", {
				priority: priorities[nth % priorities.length] ?? "",
			}),
		);
		(await acceptMessages(ctx, messages, signal)).map(acceptedOf);
		return lookUps - before;
	};
	expect(await lookUpsOf(["otp", "normal", "", "bulk"])).toBe(1);
	expect(await lookUpsOf(["bulk"])).toBe(1);
	expect(await lookUpsOf(["otp", "normal", ""])).toBe(0);
});

test("a repetition with the same key is told the same time, whatever was set since", async () => {
	const id = await organizationWithHours();
	const message = toBulk(id, {
		idempotency: { key: "order-7", fingerprint: Buffer.alloc(32) },
	});
	const [first] = await sendAt(LATE, message);
	await transaction(messaging.sql, (sql) => deleteQuietHours(sql, id));
	const [again] = await sendAt(new Date(LATE.getTime() + HOUR_MS), message);
	expect(again).toMatchObject({
		replayed: true,
		messageId: first?.messageId,
		sendAt: first?.sendAt,
	});
});

test("it waits through the quiet hours and is sent at their end; one-time passwords and other messages go meanwhile", async () => {
	const { ctx, sql, operator, database } = messaging;
	const to = "+9779812345679";
	const minute = localMinute("Asia/Katmandu", Date.now());
	const id = await organizationWithHours({
		start: (minute + 1_440 - 60) % 1_440,
		end: (minute + 120) % 1_440,
	});
	const [bulk, otp, normal] = await sendAt(
		new Date(),
		toBulk(id, { to }),
		toBulk(id, { to, priority: "otp" }),
		toBulk(id, { to, priority: "normal" }),
	);
	const own = () =>
		operator.submits
			.filter((submit) => submit.to === to)
			.map(({ messageId }) => messageId);
	await stageScheduled(ctx);
	await dispatchAll(messaging);
	expect(new Set(own())).toEqual(new Set([otp?.messageId, normal?.messageId]));
	const bulkId = bulk?.messageId ?? "";
	expect(await statusOf(sql, bulkId)).toBe("scheduled");
	await database.setClock(HOUR_MS);
	expect(await statusOf(sql, bulkId)).toBe("scheduled");
	await database.setClock(3 * HOUR_MS);
	await stageScheduled(ctx);
	await dispatchAll(messaging);
	expect(own()).toContain(bulkId);
	expect(await statusOf(sql, bulkId)).toBe("submitted");
});
