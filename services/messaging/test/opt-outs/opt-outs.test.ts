import { transaction } from "@airtower/platform/database/database";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { REPLY_TEXTS } from "../../src/domain/opt-outs/reply-texts.ts";
import { addOptOuts } from "../../src/opt-outs/add-opt-outs.ts";
import {
	dispatchAll,
	insertSender,
	messageTo,
	organizationWith,
	reasonOf,
	send,
	sendOne,
	startTestMessaging,
	type TestMessaging,
} from "../support/messaging.ts";
import {
	CONFIRMATION,
	countReplies,
	OWN_NUMBER,
	optedOutEvents,
	receive,
	sendAllReplies,
	textsTo,
} from "./opt-out-world.ts";

let test: TestMessaging;
let serial = 0;

beforeAll(async () => {
	test = await startTestMessaging();
});
afterAll(() => test.close());

/** A number nobody else has. */
const freshNumber = () => `+336${40_000_000 + ++serial}`;

const organization = () => organizationWith(test, 1_000);

async function reasons(organizationId: string, ...fields: object[]) {
	const messages = fields.map((one) => messageTo(organizationId, one));
	return (await send(test, messages)).map(reasonOf);
}

function add(organizationId: string, recipient: string, sender = "") {
	return transaction(test.sql, (sql) =>
		addOptOuts(sql, organizationId, "api", [{ recipient, sender }]),
	);
}

async function stateOf(id: string) {
	const [row] = await test.sql`
		select status, reason from messages where id = ${id}
	`;
	return row;
}

describe("a message to a number that has opted out", () => {
	it("is refused by itself, is not paid for, and hinders no neighbour", async () => {
		const id = await organization();
		const [gone, other] = [freshNumber(), freshNumber()];
		await add(id, gone);
		expect(
			await reasons(id, { to: other }, { to: gone }, { to: other }),
		).toEqual(["accepted", "recipient_opted_out", "accepted"]);
		expect(test.ledger.balances.get(id)).toBe(998);
		const [result] = await send(test, [messageTo(id, { to: gone })]);
		expect(result?.result.value).toMatchObject({ field: "to" });
	});

	it("is accepted of another organization, and of another sender where the opt-out names one", async () => {
		const [id, other] = [await organization(), await organization()];
		await insertSender(test.sql, id, { value: "Second" });
		const to = freshNumber();
		await add(id, to, "Second");
		expect(await reasons(id, { to }, { to, senderName: "Second" })).toEqual([
			"accepted",
			"recipient_opted_out",
		]);
		await add(id, to);
		expect(await reasons(id, { to })).toEqual(["recipient_opted_out"]);
		expect(await reasons(other, { to })).toEqual(["accepted"]);
	});

	it("fails at the wire where the number opted out after it was accepted", async () => {
		const id = await organization();
		const to = freshNumber();
		const messageId = await sendOne(test, messageTo(id, { to }));
		await add(id, to);
		await dispatchAll(test);
		expect(await stateOf(messageId)).toEqual({
			status: "failed",
			reason: "recipient_opted_out",
		});
		expect(textsTo(test, to)).toEqual([]);
	});

	it("goes all the same as a one-time password where the organization is allowed that, before and after it was accepted", async () => {
		const id = await organization();
		const to = freshNumber();
		const code = { to, messageClass: "one_time_password" };
		const before = await sendOne(test, messageTo(id, code));
		await add(id, to);
		expect(await reasons(id, code)).toEqual(["recipient_opted_out"]);
		await test.sql`
			insert into opt_out_settings (organization_id, exempts_one_time_passwords)
			values (${id}, true)
		`;
		expect(await reasons(id, code, { to })).toEqual([
			"accepted",
			"recipient_opted_out",
		]);
		await dispatchAll(test);
		expect(await stateOf(before)).toEqual({
			status: "submitted",
			reason: null,
		});
		expect(textsTo(test, to)).toHaveLength(2);
	});
});

describe("a word that came in", () => {
	it("STOP is confirmed once and told by an event, START lifts it, HELP helps", async () => {
		const id = await organization();
		const to = freshNumber();
		await receive(test, id, to, "Stop!");
		await receive(test, id, to, "STOP please");
		await sendAllReplies(test);
		await receive(test, id, to, "stop");
		await sendAllReplies(test);
		expect(textsTo(test, to)).toEqual([CONFIRMATION]);
		expect(await optedOutEvents(test, id)).toMatchObject([
			{ recipient: to, sender: "", source: "keyword" },
		]);
		expect(await reasons(id, { to })).toEqual(["recipient_opted_out"]);
		await receive(test, id, to, "help");
		await sendAllReplies(test);
		await receive(test, id, to, "Start");
		await receive(test, id, to, "start");
		await sendAllReplies(test);
		expect(textsTo(test, to)).toEqual([
			CONFIRMATION,
			REPLY_TEXTS.help,
			REPLY_TEXTS.start,
		]);
		expect(await reasons(id, { to })).toEqual(["accepted"]);
		expect(await countReplies(test)).toBe(0);
	});

	it("ends the messages of the sender that it was sent to, or of all where the organization has it so", async () => {
		const id = await organization();
		const value = OWN_NUMBER.slice(1);
		await insertSender(test.sql, id, { value });
		const [one, other] = [freshNumber(), freshNumber()];
		await receive(test, id, one, "stop");
		const from = { senderName: value };
		expect(await reasons(id, { to: one }, { to: one, ...from })).toEqual([
			"accepted",
			"recipient_opted_out",
		]);
		await test.sql`
			insert into opt_out_settings (organization_id, scope)
			values (${id}, 'organization')
		`;
		await receive(test, id, other, "stop");
		expect(await reasons(id, { to: other }, { to: other, ...from })).toEqual([
			"recipient_opted_out",
			"recipient_opted_out",
		]);
		await sendAllReplies(test);
		const confirmations = test.operator.submits.filter(({ to }) =>
			[one, other].includes(to),
		);
		expect(confirmations.map(({ sender }) => sender)).toContain(value);
	});

	it.each([
		["pending", ["recipient_opted_out", "sender_not_approved"]],
		["rejected", ["recipient_opted_out", "sender_not_approved"]],
		["suspended", ["accepted", "sender_not_approved"]],
	] as const)(
		"STOP to a number whose sender ID is %s ends the messages of all unless it may have sent any",
		async (status, expected) => {
			const id = await organization();
			const value = OWN_NUMBER.slice(1);
			await insertSender(test.sql, id, { value, status });
			const to = freshNumber();
			await receive(test, id, to, "stop");
			const from = { to, senderName: value };
			expect(await reasons(id, { to }, from)).toEqual(expected);
		},
	);

	it("is responded to with the organization's own text, and not at all where that is empty", async () => {
		const id = await organization();
		const to = freshNumber();
		await test.sql`
			insert into opt_out_settings (organization_id, stop_text, help_text)
			values (${id}, 'Adieu', '')
		`;
		await receive(test, id, to, "aide");
		await receive(test, id, to, "arrêt");
		await sendAllReplies(test);
		expect(textsTo(test, to)).toEqual(["Adieu"]);
	});

	it("that is none, or of nobody's number, or of a sender that is no number, changes nothing", async () => {
		const id = await organization();
		const to = freshNumber();
		await receive(test, id, to, "please stop");
		await receive(test, id, to, "stop", { organizationId: null });
		await receive(test, id, "ACME", "stop");
		expect(await reasons(id, { to })).toEqual(["accepted"]);
		expect(await countReplies(test)).toBe(0);
	});

	it("counts where the operator writes the phone without the code of the receiving number's country", async () => {
		const id = await organization();
		const to = "+4740612346";
		const recipient = "+4759447000";
		await receive(test, id, "40612346", "stop", { recipient });
		expect(await reasons(id, { to })).toEqual(["recipient_opted_out"]);
		await receive(test, id, "40612347", "stop", { recipient: "36173" });
		expect(await reasons(id, { to: "+4740612347" })).toEqual(["accepted"]);
	});

	it("of a phone without the code of its country is that phone's, though its digits are another country's number too", async () => {
		const id = await organization();
		const [german, american] = ["+4915123456789", "+15123456789"];
		const sender = german.slice("+49".length);
		await receive(test, id, sender, "stop", { recipient: "+4915799912345" });
		expect(await reasons(id, { to: german }, { to: american })).toEqual([
			"recipient_opted_out",
			"accepted",
		]);
	});

	it("counts of an American phone that is written with its 1 and no plus, to a short code and a toll-free number too", async () => {
		const id = await organization();
		const [one, other] = ["+15125550123", "+15125550124"];
		await receive(test, id, one.slice(1), "stop", { recipient: "36173" });
		const recipient = "+18005550199";
		await receive(test, id, other.slice(1), "stop", { recipient });
		expect(await reasons(id, { to: one }, { to: other })).toEqual([
			"recipient_opted_out",
			"recipient_opted_out",
		]);
	});

	it("counts of a Mexican mobile that is written with the 1 that was dialled before it until 2019", async () => {
		const id = await organization();
		const [one, other] = ["+525512345678", "+525512345679"];
		const recipient = "+525598765432";
		await receive(test, id, "5215512345678", "stop", { recipient });
		await receive(test, id, "5215512345679", "stop", { recipient: "36173" });
		expect(await reasons(id, { to: one }, { to: other })).toEqual([
			"recipient_opted_out",
			"recipient_opted_out",
		]);
	});

	it("counts by the lists that were set", async () => {
		const id = await organization();
		const to = freshNumber();
		await test.sql`
			insert into opt_out_words (country, family, words)
			values ('FR', 'stop', '{Schluss}')
		`;
		await receive(test, id, to, "arrêtez");
		expect(await reasons(id, { to })).toEqual(["accepted"]);
		await receive(test, id, to, "schluss jetzt");
		expect(await reasons(id, { to })).toEqual(["recipient_opted_out"]);
		await test.sql`delete from opt_out_words`;
	});
});

describe("a response", () => {
	it("is accepted once, also by two processes and after a crash before it was crossed out", async () => {
		const id = await organization();
		const to = freshNumber();
		await receive(test, id, to, "stop");
		const kept = await test.sql`select * from opt_out_replies`;
		const { ctx } = await test.replica();
		await Promise.all([sendAllReplies(test), sendAllReplies({ ...test, ctx })]);
		await test.sql`insert into opt_out_replies ${test.sql(kept)}`;
		await sendAllReplies(test);
		expect(textsTo(test, to)).toEqual([CONFIRMATION]);
	});

	it("waits for no response of an organization without quota, however many of those are due before it", async () => {
		const [poor, other] = [
			await organizationWith(test, 0),
			await organization(),
		];
		await test.sql`
			insert into opt_out_replies (id, organization_id, recipient, sender, family, body, exempt, due_at)
			select gen_random_uuid(), ${poor}, '+3364' || 1000000 + n, '', 'help', '-', false, now() - interval '1 second'
			from generate_series(1, 300) as n
		`;
		const to = freshNumber();
		await receive(test, other, to, "STOP");
		await sendAllReplies(test);
		expect(textsTo(test, to)).toEqual([CONFIRMATION]);
		await test.sql`delete from opt_out_replies where organization_id = ${poor}`;
	});

	it("goes to a phone ten times a day: a machine that responds to each of them does not go on until the quota is used up", async () => {
		const id = await organization();
		const [machine, other] = [freshNumber(), freshNumber()];
		await test.sql`
			insert into opt_out_settings (organization_id, help_text)
			values (${id}, 'INFO: we are ACME')
		`;
		for (let nth = 0; nth < 15; nth++) {
			await receive(test, id, machine, `INFO: no. ${nth}`);
			await sendAllReplies(test);
		}
		expect(textsTo(test, machine)).toHaveLength(10);
		await receive(test, id, other, "info");
		await receive(test, id, machine, "stop");
		await sendAllReplies(test);
		expect(textsTo(test, other)).toHaveLength(1);
		expect(textsTo(test, machine)).toHaveLength(10);
		expect(test.ledger.balances.get(id)).toBe(1_000 - 11);
		expect(await reasons(id, { to: machine })).toEqual(["recipient_opted_out"]);
		await test.sql`update inbound_seen set until = now()`;
		await receive(test, id, machine, "info");
		await sendAllReplies(test);
		expect(textsTo(test, machine)).toHaveLength(11);
	});

	it("waits while the organization has no quota, and is given up after a day", async () => {
		const id = await organizationWith(test, 0);
		const to = freshNumber();
		await receive(test, id, to, "stop");
		await sendAllReplies(test);
		expect(await countReplies(test)).toBe(1);
		test.ledger.balances.set(id, 1);
		await test.sql`update opt_out_replies set due_at = now()`;
		await sendAllReplies(test);
		expect(textsTo(test, to)).toEqual([CONFIRMATION]);
		test.ledger.balances.set(id, 0);
		const other = freshNumber();
		await receive(test, id, other, "stop");
		await test.sql`update opt_out_replies set created_at = now() - interval '2 days'`;
		await sendAllReplies(test);
		expect(await countReplies(test)).toBe(0);
		expect(await reasons(id, { to: other })).toEqual(["recipient_opted_out"]);
	});
});
