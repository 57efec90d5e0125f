import { transaction } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { topics } from "@airtower/proto/rules/topics";
import { whatsappEvent } from "@airtower/proto/rules/whatsapp-event";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, it } from "vitest";
import { applyWhatsAppEvents } from "../../src/consumers/index.ts";
import { addOptOuts } from "../../src/opt-outs/add-opt-outs.ts";
import { findOptOuts } from "../../src/store/opt-outs/opt-outs.ts";
import {
	insertSender,
	messageTo,
	organizationWith,
	reasonOf,
	send,
	startTestMessaging,
	type TestMessaging,
} from "../support/messaging.ts";
import {
	CONFIRMATION,
	OWN_NUMBER,
	optedOutEvents,
	receive,
	sendAllReplies,
	textsTo,
} from "./opt-out-world.ts";

/** Of the organization, on WhatsApp and for SMS. */
const SENDER = OWN_NUMBER.slice(1);

let test: TestMessaging;
let serial = 0;

beforeAll(async () => {
	test = await startTestMessaging();
});
afterAll(() => test.close());

const freshNumber = () => `+336${50_000_000 + ++serial}`;

async function organization(scope = "sender"): Promise<string> {
	const id = await organizationWith(test, 1_000);
	await insertSender(test.sql, id, { value: SENDER });
	await test.sql`
		insert into opt_out_settings (organization_id, scope)
		values (${id}, ${scope})
	`;
	return id;
}

function say(
	organizationId: string,
	recipient: string,
	...words: readonly ("stop" | "resume")[]
) {
	const events = words.map((word) => ({
		id: uuidv7(),
		topic: topics.whatsappEvent,
		...whatsappEvent({
			eventKey: recipient,
			organizationId,
			occurredAt: timestampNow(),
			kind: {
				case: "marketingPreference",
				value: { recipient, sender: SENDER, isStopped: word === "stop" },
			},
		}),
	}));
	return transaction(test.sql, (sql) => applyWhatsAppEvents(sql, events));
}

/** What becomes of a message of another sender, and of one of the number itself. */
async function reasonsTo(organizationId: string, to: string) {
	const from = { to, senderName: SENDER };
	const messages = [
		messageTo(organizationId, { to }),
		messageTo(organizationId, from),
	];
	return (await send(test, messages)).map(reasonOf);
}

const listed = (organizationId: string) =>
	findOptOuts(test.sql, organizationId, { limit: 10, after: undefined });

it("a stop lists the user for the WhatsApp number alone, with an event; a resume lifts it", async () => {
	const id = await organization();
	const to = freshNumber();
	await say(id, to, "stop");
	const entry = { recipient: to, sender: SENDER, source: "whatsapp" };
	expect(await listed(id)).toMatchObject([entry]);
	expect(await optedOutEvents(test, id)).toMatchObject([entry]);
	expect(await reasonsTo(id, to)).toEqual(["accepted", "recipient_opted_out"]);
	await say(id, to, "resume");
	expect(await listed(id)).toEqual([]);
	expect(await reasonsTo(id, to)).toEqual(["accepted", "accepted"]);
});

it("a stop lists the user for all senders where the organization has STOP so", async () => {
	const id = await organization("organization");
	const to = freshNumber();
	await say(id, to, "stop", "stop");
	expect(await listed(id)).toMatchObject([{ sender: "", source: "whatsapp" }]);
	expect(await reasonsTo(id, to)).toEqual([
		"recipient_opted_out",
		"recipient_opted_out",
	]);
	await say(id, to, "resume", "stop", "resume");
	expect(await reasonsTo(id, to)).toEqual(["accepted", "accepted"]);
});

it("a resume lifts nothing that STOP or the organization has listed, before or after WhatsApp did", async () => {
	const id = await organization();
	const [before, after, given] = [freshNumber(), freshNumber(), freshNumber()];
	await receive(test, id, before, "stop");
	await say(id, before, "stop", "resume");
	await say(id, after, "stop");
	await receive(test, id, after, "stop");
	await say(id, after, "resume");
	await say(id, given, "stop");
	const optOut = { recipient: given, sender: SENDER };
	await transaction(test.sql, (sql) => addOptOuts(sql, id, "import", [optOut]));
	await say(id, given, "resume");
	for (const to of [before, after, given])
		expect(await reasonsTo(id, to)).toEqual([
			"accepted",
			"recipient_opted_out",
		]);
	await sendAllReplies(test);
	for (const to of [before, after])
		expect(textsTo(test, to)).toContain(CONFIRMATION);
});

it("a number that WhatsApp has listed is told by no second event when STOP or the organization lists it too", async () => {
	const id = await organization();
	const [written, given] = [freshNumber(), freshNumber()];
	await say(id, written, "stop");
	await receive(test, id, written, "stop");
	await say(id, given, "stop");
	const optOut = { recipient: given, sender: SENDER };
	await transaction(test.sql, (sql) => addOptOuts(sql, id, "import", [optOut]));
	expect(await optedOutEvents(test, id)).toMatchObject([
		{ recipient: written, source: "whatsapp" },
		{ recipient: given, source: "whatsapp" },
	]);
	await sendAllReplies(test);
	expect(textsTo(test, written)).toEqual([CONFIRMATION]);
});

it("START of a phone lifts what WhatsApp has listed too", async () => {
	const id = await organization();
	const to = freshNumber();
	await say(id, to, "stop");
	await receive(test, id, to, "start");
	expect(await listed(id)).toEqual([]);
});
