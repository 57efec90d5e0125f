import { uuidv7 } from "@airtower/platform/runtime/ids";
import { eventually } from "@airtower/platform/testing/eventually";
import type { PageKey } from "@airtower/proto/common/v1/page";
import type {
	ListSentMessagesRequest,
	Message,
} from "@airtower/proto/messaging/v1/messaging";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, test } from "vitest";
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

test("a rare status is found page by page, however many other messages there are", async () => {
	const organization = uuidv7();
	const prefix = Date.now().toString(16).padStart(12, "0");
	await service.sql`
		insert into messages (
			id, organization_id, recipient, body, sender_id, sender_value,
			segments, concat_reference, route, status, finished_at
		)
		select
			(${prefix} || lpad(to_hex(nth), 20, '0'))::uuid,
			${organization}, '+33612345678', 'Hello', ${organization}, 'Shop',
			1, 0, 'none', case when nth % 12000 = 0 then 'delivered' else 'submitted' end,
			case when nth % 12000 = 0 then now() end
		from generate_series(1, 25000) as nth
	`;
	const found = await listAll(organization, { status: "delivered" }, 50);
	expect(found.ids).toHaveLength(2);
	expect(found.pages).toBe(3);
});
