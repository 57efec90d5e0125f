import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { endWithoutReceipt } from "../src/jobs/end-without-receipt.ts";
import { findParts } from "../src/store/parts.ts";
import {
	dispatchAll,
	messageTo,
	retryAll,
	sendOne,
	startWithOrganization,
	submittedMessage,
	type TestMessaging,
	type TestReplica,
} from "./support/messaging.ts";
import {
	makeAllDue,
	messageRow,
	outcomes,
	outcomesOf,
	statusOf,
	waitingReceipts,
} from "./support/rows.ts";
import { acceptedAs, noResponse } from "./support/scripted-operator.ts";

let messaging: TestMessaging;
let organization: string;
/** A process for which every message is too old to wait any longer. */
let impatient: TestReplica;

beforeEach(async () => {
	({ messaging, organization } = await startWithOrganization());
	impatient = await messaging.replica({
		limits: { validityMs: 0, noReceiptMs: 0 },
	});
});

afterEach(() => messaging.close());

async function endAll({ ctx }: Pick<TestReplica, "ctx">): Promise<void> {
	while ((await endWithoutReceipt(ctx)) > 0);
}

test("a submitted message without a receipt fails after its time as no_receipt, with one event", async () => {
	const { sql } = messaging;
	const id = await submittedMessage(messaging, organization);
	await endAll(messaging);
	expect(await statusOf(sql, id)).toBe("submitted");
	await Promise.all([endAll(impatient), endAll(impatient)]);
	await endAll(impatient);
	expect(await messageRow(sql, id)).toMatchObject({
		status: "failed",
		reason: "no_receipt",
	});
	expect(await outcomes(sql)).toMatchObject([
		{
			messageId: id,
			status: "failed",
			errorCode: "no_receipt",
			errorMessage: "The operator never reported what became of the message.",
		},
	]);
});

test("only what is submitted fails for want of a receipt", async () => {
	const { sql, operator } = messaging;
	const delivered = await submittedMessage(messaging, organization);
	await operator.receipt(operator.idOf(delivered), "delivered");
	operator.script = () => noResponse;
	const unknown = await sendOne(messaging, messageTo(organization));
	await dispatchAll(messaging);
	const accepted = await sendOne(messaging, messageTo(organization));
	await endAll(impatient);
	expect(await statusOf(sql, delivered)).toBe("delivered");
	expect(await statusOf(sql, unknown)).toBe("unknown");
	expect(await statusOf(sql, accepted)).toBe("accepted");
});

test("each message is looked at once", async () => {
	for (let nth = 0; nth < 3; nth++)
		await submittedMessage(messaging, organization);
	expect(await endWithoutReceipt(impatient.ctx)).toBeGreaterThan(0);
	expect(await endWithoutReceipt(impatient.ctx)).toBe(0);
	const later = await submittedMessage(messaging, organization);
	await endAll(impatient);
	expect(await outcomesOf(messaging.sql, later)).toEqual(["no_receipt"]);
});

test.each([
	["one part", 1],
	["three parts", 3],
])(
	"a later receipt of a message of %s is kept with the part, counted, and moves nothing",
	async (_, parts) => {
		const { sql, operator } = messaging;
		operator.parts = parts;
		operator.script = (_, part) => acceptedAs(`id-${part}`);
		const id = await submittedMessage(messaging, organization);
		await endAll(impatient);
		const counted = vi.spyOn(messaging.ctx.telemetry.receipts, "inc");
		await operator.receipt("id-1", "delivered");
		await sql`update messages set accepted_at = accepted_at - interval '10 minutes'`;
		await sql`update receipts set received_at = received_at - interval '5 minutes'`;
		await makeAllDue(sql);
		await retryAll(messaging);
		expect(await statusOf(sql, id)).toBe("failed");
		expect(await outcomesOf(sql, id)).toEqual(["no_receipt"]);
		expect(await waitingReceipts(sql)).toBe(0);
		expect(counted).toHaveBeenCalledWith({ result: "late" }, 1);
		const states = (await findParts(sql, id)).map(({ state }) => state);
		const others = Array<string>(parts - 1).fill("submitted");
		expect(states).toEqual(["delivered", ...others]);
		expect((await findParts(sql, id))[0]?.operatorError).toBe("DELIVRD 000");
	},
);
