import { callerKey } from "@airtower/platform/rpc/caller";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { eventually } from "@airtower/platform/testing/eventually";
import { troubledSql } from "@airtower/platform/testing/troubled-sql";
import type { PageKey } from "@airtower/proto/common/v1/page";
import {
	type ListSentMessagesRequest,
	ListSentMessagesRequestSchema,
	type Message,
} from "@airtower/proto/messaging/v1/messaging";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createContextValues, type HandlerContext } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Context } from "../src/context.ts";
import { listSentMessages } from "../src/rpc/list-sent-messages.ts";
import { clientsOf, refusalOf } from "./support/clients.ts";
import {
	acceptedOf,
	messageTo,
	organizationWith,
} from "./support/messaging.ts";
import { startTestService, type TestService } from "./support/service.ts";

type Filters = Partial<
	Omit<ListSentMessagesRequest, "$typeName" | "organizationId" | "page">
>;

let service: TestService;

beforeAll(async () => {
	service = await startTestService();
});

afterAll(() => service.close());

async function send(organization: string, fields = {}): Promise<string> {
	const messages = [messageTo(organization, fields)];
	const { results } = await service.messaging.sendMessages({ messages });
	return acceptedOf(results[0]).messageId;
}

async function get(
	organizationId: string,
	messageId: string,
): Promise<Message | undefined> {
	const asked = { organizationId, messageId };
	return (await service.messaging.getMessage(asked)).message;
}

/** Every message that fits, page by page, and the number of pages. */
async function listAll(
	organizationId: string,
	filters: Filters = {},
	limit = 2,
) {
	const ids: string[] = [];
	let pages = 0;
	let after: PageKey | undefined;
	do {
		const page = { limit, ...(after && { after }) };
		const request = { organizationId, ...filters, page };
		const response = await service.messaging.listSentMessages(request);
		ids.push(...response.messages.map(({ id }) => id));
		after = response.next;
		pages++;
	} while (after !== undefined);
	return { ids, pages };
}

test("an organization sees a message's life: state, segments, route, attempts and outcome, and nothing of the operator's", async () => {
	const organization = await organizationWith(service, 5);
	const campaignId = uuidv7();
	const id = await send(organization, {
		campaignId,
		clientReference: "order-1",
	});
	const message = await eventually(async () => {
		const message = await get(organization, id);
		expect(message).toMatchObject({ status: "submitted" });
		return message;
	});
	expect(message).toMatchObject({
		id,
		to: "+33612345678",
		segments: 1,
		attempts: 1,
		errorCode: "",
		campaignId,
		clientReference: "order-1",
		possibleDuplicate: false,
		route: service.operator.code,
	});
	expect(message?.submittedAt).toBeDefined();
	expect(message?.finishedAt).toBeUndefined();
	await service.sql`
		update messages
		set status = 'failed', reason = 'expired', operator_error = '0x0B', finished_at = now()
		where id = ${id}
	`;
	const failed = await get(organization, id);
	expect(failed).toMatchObject({ status: "failed", errorCode: "expired" });
	expect(Object.values(failed ?? {})).not.toContain("0x0B");
});

test("another organization's message is as unknown as any, and in no list", async () => {
	const organization = await organizationWith(service, 5);
	const other = await organizationWith(service, 5);
	const messageId = await send(organization);
	for (const id of [messageId, uuidv7()])
		expect(await refusalOf(get(other, id))).toBe("unknown_message");
	expect((await listAll(other)).ids).toEqual([]);
	const { messaging } = clientsOf(service.running.port, {
		organization: other,
		issuer: "gateway",
	});
	const page = { limit: 1 };
	const foreign = { organizationId: organization, messageId };
	for (const call of [
		messaging.getMessage(foreign),
		messaging.listSentMessages({ organizationId: organization, page }),
	].map(refusalOf))
		expect(await call).toBe("organization_mismatch");
});

test("messages are listed newest first, page by page, also by status, recipient, campaign, reference and time", async () => {
	const organization = await organizationWith(service, 9);
	const campaignId = uuidv7();
	const ids = [
		await send(organization, { to: "+33612345671", clientReference: "a" }),
		await send(organization, { to: "+33612345672", campaignId }),
		await send(organization, { to: "+33612345673" }),
	];
	const [first = "", second = "", third = ""] = ids;
	expect((await listAll(organization)).ids).toEqual(ids.toReversed());
	const found = async (filters: Filters) =>
		(await listAll(organization, filters)).ids;
	expect(await found({ recipient: "+33612345673" })).toEqual([third]);
	expect(await found({ clientReference: "a" })).toEqual([first]);
	expect(await found({ campaignId })).toEqual([second]);
	await service.sql`
		update messages
		set status = 'delivered', finished_at = now()
		where id = ${first}
	`;
	expect(await found({ status: "delivered" })).toEqual([first]);
	const createdAt = (await get(organization, second))?.createdAt;
	if (createdAt === undefined) throw new Error("no time");
	expect(await found({ dateFrom: createdAt })).toEqual([third, second]);
	expect(await found({ dateTo: createdAt })).toEqual([first]);
	const later = timestampFromDate(new Date(Date.now() + 86_400_000));
	expect(await found({ dateFrom: later })).toEqual([]);
});

let stored = 0;

/** Stores so many messages, each newer than those before; every `delivered`th is delivered. */
async function store(organization: string, count: number, delivered: number) {
	const prefix = (Date.now() + stored++).toString(16).padStart(12, "0");
	await service.sql`
		insert into messages (
			id, organization_id, recipient, body, sender_id, sender_value,
			segments, concat_reference, route, status, finished_at
		)
		select
			(${prefix} || lpad(to_hex(nth), 20, '0'))::uuid,
			${organization}, '+33612345678', 'Hello', ${organization}, 'Shop',
			1, 0, 'none', case when nth % ${delivered}::int = 0 then 'delivered' else 'submitted' end,
			case when nth % ${delivered}::int = 0 then now() end
		from generate_series(1, ${count}::int) as nth
	`;
}

test("a rare status is found page by page, however many other messages there are", async () => {
	const organization = uuidv7();
	await store(organization, 25_000, 12_000);
	const found = await listAll(organization, { status: "delivered" }, 50);
	expect(found.ids).toHaveLength(2);
	expect(found.pages).toBe(3);
});

test("each message of a status is listed once while others are accepted between the looks of a page", async () => {
	const organizationId = uuidv7();
	await store(organizationId, 20, 1);
	await store(organizationId, 9_990, 100_000);
	const { fates, sql } = troubledSql(service.sql);
	fates.set("from ( select ? from (", async (run) => {
		await store(organizationId, 3, 100_000);
		const rows = await run();
		await store(organizationId, 3, 100_000);
		return rows;
	});
	const values = createContextValues().set(callerKey, {
		issuer: "gateway",
		name: "gateway",
		organization: organizationId,
	});
	const ids: string[] = [];
	let after: PageKey | undefined;
	do {
		const page = { limit: 50, ...(after && { after }) };
		const response = await listSentMessages(
			{ sql } as Context,
			create(ListSentMessagesRequestSchema, {
				organizationId,
				status: "delivered",
				page,
			}),
			{ values } as HandlerContext,
		);
		ids.push(...(response.messages ?? []).map(({ id = "" }) => id));
		after = response.next as PageKey | undefined;
	} while (after !== undefined);
	expect(new Set(ids).size).toBe(20);
	expect(ids).toHaveLength(20);
});
