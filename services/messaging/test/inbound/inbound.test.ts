import { randomUUID } from "node:crypto";
import { findOutboxEntries } from "@airtower/platform/events/outbox";
import { setRetention } from "@airtower/platform/privacy/retentions";
import { firstIdAt, uuidv7 } from "@airtower/platform/runtime/ids";
import { eraseAll, tablesWith } from "@airtower/platform/testing/privacy";
import {
	type MessagingEvent,
	MessagingEventSchema,
} from "@airtower/proto/common/v1/messaging_event";
import { encodeGsm7 } from "@airtower/proto/rules/segments";
import { topics } from "@airtower/proto/rules/topics";
import { fromBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
	InboundPart,
	PartPlace,
} from "../../src/domain/inbound/inbound-part.ts";
import { blankOldBodies } from "../../src/jobs/blank-old-bodies.ts";
import { dropPartitions } from "../../src/jobs/drop-partitions.ts";
import { giveOnIncomplete } from "../../src/jobs/give-on-incomplete.ts";
import { insertInboundNumber } from "../../src/store/inbound/inbound-numbers.ts";
import { erasableTables } from "../../src/store/personal-data.ts";
import {
	startTestMessaging,
	type TestMessaging,
	type TestReplica,
} from "../support/messaging.ts";

let test: TestMessaging;
let other: TestReplica;

beforeAll(async () => {
	test = await startTestMessaging();
	other = await test.replica();
});
afterAll(() => test.close());

let numbers = 0;

/** A number of an organization of its own. */
async function newNumber(keyword: string | null = null) {
	const number = `+3370000${String(1_000 + ++numbers)}`;
	const organizationId = uuidv7();
	await insertInboundNumber(test.sql, { number, keyword, organizationId });
	return { number, organizationId };
}

function part(
	recipient: string,
	body: string,
	fields: Partial<InboundPart> = {},
): InboundPart {
	return {
		route: "smpp",
		operatorAccount: "account",
		sender: "+33612345678",
		recipient,
		charset: "gsm7",
		octets: encodeGsm7(body),
		place: undefined,
		...fields,
	};
}

function place(number: number, total: number, reference = 7): PartPlace {
	return { referenceBits: 8, reference, total, number };
}

async function receive(
	parts: readonly InboundPart[],
	{ ctx }: TestReplica = test,
) {
	await Promise.all(parts.map(ctx.inboundIntake.add));
}

async function textsTo(recipient: string) {
	return test.sql`
		select
			organization_id as "organizationId", sender, body, encoding, keyword,
			part_count as parts, is_complete as "isComplete"
		from inbound_messages
		where recipient = ${recipient}
		order by id
	`;
}

async function eventsOf(organizationId: string): Promise<MessagingEvent[]> {
	const entries = await findOutboxEntries(test.sql, 100_000);
	return entries
		.filter(({ event }) => event.topic === topics.messagingEvent)
		.map(({ event }) => fromBinary(MessagingEventSchema, event.payload))
		.filter((event) => event.organizationId === organizationId);
}

async function letPartsWait(recipient: string): Promise<void> {
	await test.sql`
		update inbound_parts set due_at = now() where recipient = ${recipient}
	`;
	await giveOnIncomplete(test.ctx);
}

describe("a text", () => {
	it("is stored for who has its number, with one event", async () => {
		const { number, organizationId } = await newNumber();
		await receive([part(number, "Hello there")]);
		expect(await textsTo(number)).toEqual([
			{
				organizationId,
				sender: "+33612345678",
				body: "Hello there",
				encoding: "gsm7",
				keyword: null,
				parts: 1,
				isComplete: true,
			},
		]);
		const [event, ...more] = await eventsOf(organizationId);
		expect(more).toEqual([]);
		expect(event?.kind).toMatchObject({
			case: "received",
			value: {
				from: "+33612345678",
				to: number,
				body: "Hello there",
				encoding: "gsm7",
				parts: 1,
				isComplete: true,
				keyword: "",
			},
		});
	});

	it("to a shared number goes by its first word", async () => {
		const { number, organizationId } = await newNumber("win");
		await receive([part(number, "Win! a car"), part(number, "lose")]);
		expect(await textsTo(number)).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ organizationId, keyword: "win" }),
				expect.objectContaining({ organizationId: null, body: "lose" }),
			]),
		);
	});

	it("that says STOP ends the messages of its organization in the same transaction", async () => {
		const { number, organizationId } = await newNumber();
		const sender = "+33612345670";
		await receive([part(number, "Stop, please", { sender })]);
		const optOuts = await test.sql`
			select recipient from opt_outs where organization_id = ${organizationId}
		`;
		expect(optOuts).toEqual([{ recipient: sender }]);
	});

	it("to a number that nobody has is kept and counted, without an event", async () => {
		const before = await test.sql`select from outbox`;
		await receive([part("38999", "anybody?")]);
		expect(await textsTo("38999")).toMatchObject([{ organizationId: null }]);
		const { values } = await test.ctx.telemetry.inbound.get();
		const unowned = values.find(({ labels }) => labels.result === "unowned");
		expect(unowned?.value).toBeGreaterThanOrEqual(1);
		expect((await test.sql`select from outbox`).count).toBe(before.count);
	});

	it("that the operator sends again is stored once, also over another process at the same moment", async () => {
		const { number, organizationId } = await newNumber();
		const text = part(number, "again");
		await Promise.all([receive([text, text]), receive([text], other)]);
		await receive([{ ...text, route: "other-route" }]);
		expect(await textsTo(number)).toHaveLength(1);
		expect(await eventsOf(organizationId)).toHaveLength(1);
	});

	it("with STOP is obeyed each time within ten minutes and stored once, with START only once", async () => {
		const { number, organizationId } = await newNumber();
		const sender = "+33612345671";
		const say = (body: string) => receive([part(number, body, { sender })]);
		const optOuts = () => test.sql`
			select recipient from opt_outs where organization_id = ${organizationId}
		`;
		await say("STOP");
		await say("START");
		expect(await optOuts()).toEqual([]);
		await say("STOP");
		expect(await optOuts()).toEqual([{ recipient: sender }]);
		await say("START");
		expect(await optOuts()).toEqual([{ recipient: sender }]);
		expect(await textsTo(number)).toMatchObject([
			{ body: "STOP" },
			{ body: "START" },
		]);
		const events = await eventsOf(organizationId);
		expect(events.map(({ kind }) => kind.case)).toEqual([
			"received",
			"optedOut",
			"received",
			"optedOut",
		]);
	});

	it("with STOP that an operator's id shows to be the same does not undo a newer START", async () => {
		const { number, organizationId } = await newNumber();
		const sender = "+33612345672";
		const say = (body: string) =>
			receive([part(number, body, { sender, operatorMessageId: body })]);
		await say("STOP");
		await say("START");
		await say("STOP");
		expect(
			await test.sql`select from opt_outs where organization_id = ${organizationId}`,
		).toHaveLength(0);
	});

	it("that has an id of the operator's is known by it alone, in each account", async () => {
		const { number, organizationId } = await newNumber();
		const text = part(number, "yes", { operatorMessageId: "SM1" });
		await receive([text, { ...text, octets: encodeGsm7("yes!") }]);
		await receive([text], other);
		expect(await textsTo(number)).toHaveLength(1);
		await receive([
			{ ...text, operatorMessageId: "SM2" },
			{ ...text, operatorAccount: "another" },
		]);
		expect(await textsTo(number)).toHaveLength(3);
		expect(await eventsOf(organizationId)).toHaveLength(3);
	});

	it("that a phone sends again later is another one", async () => {
		const { number } = await newNumber();
		await receive([part(number, "yes")]);
		await test.sql`update inbound_seen set until = now()`;
		await receive([part(number, "yes")]);
		await receive([part(number, "yes", { sender: "+33612345679" })]);
		expect(await textsTo(number)).toHaveLength(3);
	});
});

describe("a long text", () => {
	it("is whole once its last part has come, in any order, over two processes at once", async () => {
		const { number, organizationId } = await newNumber();
		const bodies = ["one ", "two ", "three ", "four"];
		const parts = bodies.map((body, index) =>
			part(number, body, { place: place(index + 1, 4) }),
		);
		const [first, second, third, fourth] = parts;
		if (!first || !second || !third || !fourth) throw new Error("no parts");
		await Promise.all([
			receive([fourth, second]),
			receive([first, third, second], other),
		]);
		expect(await textsTo(number)).toMatchObject([
			{ body: bodies.join(""), parts: 4, isComplete: true },
		]);
		expect(await eventsOf(organizationId)).toHaveLength(1);
		await receive(parts, other);
		await letPartsWait(number);
		expect(await textsTo(number)).toHaveLength(1);
	});

	it("is not mixed with one of another phone, or of another reference", async () => {
		const { number } = await newNumber();
		await receive([
			part(number, "a1", { place: place(1, 2) }),
			part(number, "b2", { place: place(2, 2), sender: "+33612345679" }),
			part(number, "c2", { place: place(2, 2, 8) }),
			part(number, "d2", { place: place(2, 3) }),
		]);
		expect(await textsTo(number)).toEqual([]);
		await receive([part(number, "a2", { place: place(2, 2) })]);
		expect(await textsTo(number)).toMatchObject([{ body: "a1a2" }]);
	});

	it("that stays incomplete is given on as it is, marked, once its last part has waited", async () => {
		const { number, organizationId } = await newNumber();
		await receive([part(number, "end", { place: place(3, 3) })]);
		await test.sql`
			update inbound_parts set due_at = now() where recipient = ${number}
		`;
		await receive([part(number, "begin", { place: place(1, 3) })], other);
		expect(await giveOnIncomplete(test.ctx)).toBe(0);
		await letPartsWait(number);
		expect(await textsTo(number)).toMatchObject([
			{ body: "begin[…]end", parts: 3, isComplete: false },
		]);
		const events = await eventsOf(organizationId);
		expect(events).toMatchObject([{ kind: { value: { isComplete: false } } }]);
		expect(await giveOnIncomplete(test.ctx)).toBe(0);
	});

	it("whose beginning is missing has no first word: no keyword takes it, and it stops or starts nothing", async () => {
		const sender = "+33612345673";
		const { number, organizationId } = await newNumber("win");
		const owner = uuidv7();
		await insertInboundNumber(test.sql, {
			number,
			keyword: null,
			organizationId: owner,
		});
		const end = (body: string, reference: number) =>
			part(number, body, { sender, place: place(2, 2, reference) });
		await receive([end("win or lose", 7), end("stop doing that", 8)]);
		await letPartsWait(number);
		expect(await textsTo(number)).toMatchObject([
			{ organizationId: owner, keyword: null, body: "[…]win or lose" },
			{ organizationId: owner, keyword: null, body: "[…]stop doing that" },
		]);
		expect(await eventsOf(organizationId)).toEqual([]);
		expect((await eventsOf(owner)).map(({ kind }) => kind.case)).toEqual([
			"received",
			"received",
		]);
	});
});

describe("what a text says", () => {
	const DAY_MS = 86_400_000;

	async function storeOld(
		days: number,
		organizationId: string | null = uuidv7(),
	) {
		const body = `old ${randomUUID()}`;
		const at = new Date(Date.now() - days * DAY_MS);
		const id = `${firstIdAt(at).slice(0, 24)}${randomUUID().slice(-12)}`;
		await test.sql`
			insert into inbound_messages (
				id, organization_id, route, sender, recipient, body, encoding, part_count, is_complete, received_at
			)
			values (${id}, ${organizationId}, 'smpp', '+33612340777', '38999', ${body}, 'gsm7', 1, true, ${at})
		`;
		return body;
	}

	it("is gone as long after it came as the texts that were sent, or as its organization says", async () => {
		const [brief, long] = [uuidv7(), uuidv7()];
		await setRetention(test.sql, brief, 2);
		await setRetention(test.sql, long, 400);
		const gone = [
			await storeOld(31),
			await storeOld(31, null),
			await storeOld(3, brief),
		];
		const kept = [await storeOld(29), await storeOld(100, long)];
		while ((await blankOldBodies(test.ctx)) > 0);
		for (const body of gone)
			expect(await tablesWith(test.sql, body)).toEqual([]);
		for (const body of kept)
			expect(await tablesWith(test.sql, body)).toEqual(["inbound_messages"]);
	});

	it("goes with its record after 13 months", async () => {
		const { sql } = test;
		await storeOld(430);
		const old = () => sql`
			select from inbound_messages where received_at < now() - interval '14 months'
		`;
		expect((await old()).count).toBe(1);
		await dropPartitions(test.ctx);
		expect((await old()).count).toBe(0);
	});

	it("is erased with its number where the operator left out the code of its country, but not where that is another's", async () => {
		const { number } = await newNumber();
		const sender = "0612340779";
		await receive([
			part(number, "a secret of mine", { sender }),
			part(number, "another secret", { sender: "612340779" }),
			part("+447400000001", "a word of a Briton", { sender }),
		]);
		await test.sql`delete from outbox`;
		const phone = "+33612340779";
		expect(await eraseAll(test.sql, erasableTables, { phone })).toEqual({
			erased: 2,
			pending: 0,
		});
		expect(await tablesWith(test.sql, "secret")).toEqual([]);
		expect(await textsTo("+447400000001")).toMatchObject([{ sender }]);
	});

	it("is erased with its number where that was stored as Mexican networks wrote it until 2019", async () => {
		const sender = "5215512345677";
		await receive([part("+525598765432", "a secret of mine", { sender })]);
		await test.sql`delete from outbox`;
		const phone = "+525512345677";
		expect(await eraseAll(test.sql, erasableTables, { phone })).toEqual({
			erased: 1,
			pending: 0,
		});
		expect(await tablesWith(test.sql, sender)).toEqual([]);
	});

	it("is erased with its number; a part that waits is pending until it is a text", async () => {
		const sender = "+33612340778";
		const { number } = await newNumber();
		await receive([
			part(number, "a secret of mine", { sender }),
			part(number, "half a secret", { sender, place: place(1, 2) }),
		]);
		await test.sql`delete from outbox`;
		const erase = () => eraseAll(test.sql, erasableTables, { phone: sender });
		expect(await erase()).toEqual({ erased: 1, pending: 1 });
		await letPartsWait(number);
		await test.sql`delete from outbox`;
		expect(await erase()).toEqual({ erased: 1, pending: 0 });
		for (const word of [sender.slice(1), "secret"])
			expect(await tablesWith(test.sql, word)).toEqual([]);
		expect(await textsTo(number)).toHaveLength(2);
	});
});
