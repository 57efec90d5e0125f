import { createHmac } from "node:crypto";
import { eventually } from "@airtower/platform/testing/eventually";
import { refusalOf } from "@airtower/platform/testing/refusals";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	APP_SECRET,
	type Stage,
	startStage,
	type TestOrganization,
	VERIFY_TOKEN,
} from "./support/stage.ts";

/** Callbacks that may be under way at once, and some more. */
const SLOTS = 256;
const CALLS = SLOTS + 64;

let stage: Stage;
let own: TestOrganization;

beforeAll(async () => {
	stage = await startStage();
	own = await stage.newOrganization();
});
afterAll(() => stage.close());

it("a flood of callbacks leaves the other calls their slots, and none that was taken is lost", async () => {
	const { sql } = stage.database;
	const { whatsapp } = stage.clients;
	const body = Buffer.from(JSON.stringify({ entry: [] }));
	const signature = `sha256=${createHmac("sha256", APP_SECRET).update(body).digest("hex")}`;
	const count = async () =>
		(await sql`select from callbacks where body = ${body}`).length;
	// A connection of which no call has been let in yet may begin few calls.
	await whatsapp.verifySubscription({
		mode: "subscribe",
		verifyToken: VERIFY_TOKEN,
		challenge: "1",
	});
	let flood: Promise<unknown> = Promise.resolve();
	let taken = 0;
	let refused = 0;
	await sql.begin(async (sql) => {
		await sql`set local transaction_timeout = 0`;
		await sql`set local idle_in_transaction_session_timeout = 0`;
		await sql`lock table callbacks in share mode`;
		const calls = Array.from({ length: CALLS }, () =>
			whatsapp.receiveCallback({ body, signature }).then(
				() => taken++,
				() => refused++,
			),
		);
		flood = Promise.all(calls);
		const { organizationId } = own;
		const other = stage.clients.whatsappOf(organizationId);
		const listed = await other.listMessages({
			organizationId,
			page: { limit: 1 },
		});
		expect(listed.messages).toEqual([]);
		await eventually(() =>
			expect(refused).toBeGreaterThanOrEqual(CALLS - SLOTS),
		);
	});
	await flood;
	// On a busy machine some wait for the lock until their statements time out, which refuses them too.
	expect(taken + refused).toBe(CALLS);
	// A commit whose response is lost stores one more than was taken.
	expect(await count()).toBeGreaterThanOrEqual(taken);
});

describe("the subscription handshake", () => {
	it("gives the challenge to whoever knows the token, and to nobody else", async () => {
		const { whatsapp } = stage.clients;
		const ask = (mode: string, verifyToken: string) =>
			whatsapp.verifySubscription({
				mode,
				verifyToken,
				challenge: "1158201444",
			});
		expect(await ask("subscribe", VERIFY_TOKEN)).toMatchObject({
			challenge: "1158201444",
		});
		for (const [mode, token] of [
			["subscribe", "wrong"],
			["subscribe", ""],
			["unsubscribe", VERIFY_TOKEN],
		] as const)
			expect(await refusalOf(ask(mode, token))).toMatchObject({
				reason: "invalid_verify_token",
			});
	});
});
