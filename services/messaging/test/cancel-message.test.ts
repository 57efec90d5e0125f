import { eventually } from "@airtower/platform/testing/eventually";
import {
	serveRoutes,
	type TestRpcServer,
} from "@airtower/platform/testing/rpc-server";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterEach, beforeEach, expect, test } from "vitest";
import { giveBackAbandoned } from "../src/jobs/give-back-quota.ts";
import { rescueDispatch } from "../src/jobs/rescue-dispatch.ts";
import { stageScheduled } from "../src/jobs/stage-scheduled.ts";
import { rpcRoutes } from "../src/rpc/index.ts";
import { refusalOf } from "./support/clients.ts";
import { letLeaseRunOut, submitAndHang } from "./support/leases.ts";
import {
	dispatchAll,
	messageTo,
	organizationWith,
	sendAll,
	sendOne,
	startWithOrganization,
	submittedMessage,
	type TestMessaging,
} from "./support/messaging.ts";
import {
	makeAllDue,
	outcomesOf,
	reachSendTimes,
	statusOf,
} from "./support/rows.ts";
import { acceptedAs, unsent } from "./support/scripted-operator.ts";

const QUOTA = 10_000;

let messaging: TestMessaging;
let organization: string;
let server: TestRpcServer;

beforeEach(async () => {
	({ messaging, organization } = await startWithOrganization());
	server = await serveRoutes("messaging", rpcRoutes(messaging.ctx));
});

afterEach(async () => {
	await server.close();
	await messaging.close();
});

const balance = () => messaging.ledger.balances.get(organization);

const cancel = (messageId: string, organizationId = organization) =>
	server.client(MessagingService).cancelMessage({ organizationId, messageId });

const inAnHour = () =>
	messageTo(organization, {
		sendAt: timestampFromDate(new Date(Date.now() + 3_600_000)),
	});

/** Lets the releases that somebody left be due. */
async function giveBackAll(): Promise<void> {
	const { sql, ctx } = messaging;
	await sql`update quota_releases set canceled_at = now() - interval '1 hour'`;
	await giveBackAbandoned(ctx);
}

test.each([
	["scheduled", inAnHour],
	["accepted", () => messageTo(organization)],
])(
	"a message that is %s is canceled: it is never sent, paid back once, and told of once",
	async (status, message) => {
		const { sql, ctx, operator } = messaging;
		const id = await sendOne(messaging, message());
		expect(await statusOf(sql, id)).toBe(status);
		const first = await cancel(id);
		expect(first.message).toMatchObject({ id, status: "canceled" });
		expect(first.message?.finishedAt).toBeDefined();
		expect(await cancel(id)).toEqual(first);
		expect(balance()).toBe(QUOTA);
		expect((await sql`select from quota_releases`).count).toBe(0);
		await reachSendTimes(sql);
		await stageScheduled(ctx);
		await dispatchAll(messaging);
		expect(operator.submits).toEqual([]);
		expect(await outcomesOf(sql, id)).toEqual(["canceled"]);
	},
);

test("a message that is on its way, or was sent, is not cancelable and stays paid", async () => {
	const { sql, operator, dispatcher } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	const response = Promise.withResolvers<ReturnType<typeof acceptedAs>>();
	operator.script = () => response.promise;
	expect(await dispatcher.round()).toBe(1);
	expect(await refusalOf(cancel(id))).toBe("not_cancelable");
	response.resolve(acceptedAs("one"));
	await dispatcher.idle();
	expect(await refusalOf(cancel(id))).toBe("not_cancelable");
	expect(await statusOf(sql, id)).toBe("submitted");
	expect(balance()).toBe(QUOTA - 1);
});

test("a message of which nothing reached the operator can be canceled", async () => {
	const { operator } = messaging;
	operator.script = () => unsent;
	const id = await submittedMessage(messaging, organization);
	expect((await cancel(id)).message?.status).toBe("canceled");
	expect(balance()).toBe(QUOTA);
});

test("one that others took for sent, before its process told that it was not, is refused as what it is shown as", async () => {
	const { sql, ctx } = messaging;
	const zombie = await messaging.replica();
	const id = await sendOne(messaging, messageTo(organization));
	const respond = await submitAndHang(zombie, [unsent]);
	await letLeaseRunOut(zombie);
	await rescueDispatch(ctx);
	respond();
	await zombie.dispatcher.idle();
	expect(await statusOf(sql, id)).toBe("unknown");
	expect(await refusalOf(cancel(id))).toBe("not_cancelable");
	await makeAllDue(sql);
	await dispatchAll(messaging);
	expect(await statusOf(sql, id)).toBe("submitted");
	expect(balance()).toBe(QUOTA - 1);
});

test("what is unknown, or another organization's, is not found", async () => {
	const { sql } = messaging;
	const other = await organizationWith(messaging, 1);
	const id = await sendOne(messaging, inAnHour());
	expect(await refusalOf(cancel(other))).toBe("unknown_message");
	expect(await refusalOf(cancel(id, other))).toBe("unknown_message");
	expect(await statusOf(sql, id)).toBe("scheduled");
});

test("while accounts is away a message is canceled all the same, and paid back later, once", async () => {
	const { ledger, ctx } = messaging;
	const id = await sendOne(messaging, inAnHour());
	ledger.down = true;
	expect((await cancel(id)).message?.status).toBe("canceled");
	expect(balance()).toBe(QUOTA - 1);
	await expect(giveBackAll()).rejects.toThrow();
	ledger.down = false;
	await Promise.all([giveBackAll(), giveBackAbandoned(ctx)]);
	await giveBackAll();
	expect(balance()).toBe(QUOTA);
});

/** With so many at a time; asks again where no response came, as a client does. */
async function cancelAll(ids: readonly string[]): Promise<string[]> {
	const results: string[] = [];
	const left = ids.entries();
	const cancelOnOne = async () => {
		for (const [nth, id] of left) {
			let result = await refusalOf(cancel(id));
			while (result === "service_unavailable")
				result = await refusalOf(cancel(id));
			results[nth] = result;
		}
	};
	await Promise.all(Array.from({ length: 8 }, cancelOnOne));
	return results;
}

test("messages canceled while they are queued and claimed are each sent once or given back once", async () => {
	const count = 300;
	const { sql, ctx, operator } = messaging;
	const other = await messaging.replica({ operator });
	const ids = await sendAll(messaging, Array(count).fill(inAnHour()));
	await reachSendTimes(sql);
	operator.slots = 10;
	const sending = eventually(async () => {
		await stageScheduled(ctx);
		await stageScheduled(other.ctx);
		await Promise.all([dispatchAll(messaging), dispatchAll(other)]);
		expect((await sql`select from dispatch`).count).toBe(0);
		expect((await sql`select from scheduled_messages`).count).toBe(0);
	});
	const results = await cancelAll(ids);
	await sending;
	await giveBackAll();
	expect(new Set(results)).toEqual(new Set(["accepted", "not_cancelable"]));
	const canceled = ids.filter((_, nth) => results[nth] === "accepted");
	const sent = operator.submits.map(({ messageId }) => messageId);
	expect(canceled.length + sent.length).toBe(count);
	expect(new Set([...canceled, ...sent])).toEqual(new Set(ids));
	expect(balance()).toBe(QUOTA - sent.length);
	for (const id of canceled) expect(await statusOf(sql, id)).toBe("canceled");
});
