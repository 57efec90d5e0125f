import { randomBytes } from "node:crypto";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientsOf, refusalOf } from "./support/clients.ts";
import { senderIdCalls } from "./support/sender-ids.ts";
import { startTestService, type TestService } from "./support/service.ts";

let service: TestService;

beforeAll(async () => {
	service = await startTestService();
});

afterAll(() => service.close());

const { request, decide, list } = senderIdCalls(() => service);

test("a requested sender ID is pending until it is decided", async () => {
	const organization = uuidv7();
	const senderId = await request(organization, "Shop");
	expect(senderId).toMatchObject({
		value: "Shop",
		status: "pending",
		isDefault: false,
		rejectionReason: "",
	});
	expect(senderId.createdAt).toBeDefined();
	expect(senderId.decidedAt).toBeUndefined();
	const approved = await decide(organization, senderId, "approved");
	expect(approved).toMatchObject({ status: "approved", isDefault: true });
	expect(approved?.decidedAt).toBeDefined();
});

test.each(["", "ab", "far too long name", "Ünïcode", "12", "a\0bc"])(
	"%j is refused as a sender ID",
	async (value) => {
		const call = request(uuidv7(), value);
		expect(await refusalOf(call)).toBe("invalid_sender_id");
	},
);

test("a value that is pending, approved or suspended exists already", async () => {
	const organization = uuidv7();
	const senderId = await request(organization, "Shop");
	const again = () => refusalOf(request(organization, "Shop"));
	expect(await again()).toBe("sender_id_exists");
	await decide(organization, senderId, "approved");
	expect(await again()).toBe("sender_id_exists");
	await decide(organization, senderId, "suspended");
	expect(await again()).toBe("sender_id_exists");
});

test("values that differ only in case are one; a rejected one is opened again in the new spelling", async () => {
	const organization = uuidv7();
	const senderId = await request(organization, "Shop");
	expect(await refusalOf(request(organization, "SHOP"))).toBe(
		"sender_id_exists",
	);
	await decide(organization, senderId, "rejected", "no proof");
	expect(await request(organization, "SHOP")).toMatchObject({
		id: senderId.id,
		value: "SHOP",
		status: "pending",
	});
	expect(await refusalOf(request(organization, "Shop"))).toBe(
		"sender_id_exists",
	);
});

test("a rejected value is opened again under the same id", async () => {
	const organization = uuidv7();
	const senderId = await request(organization, "Shop");
	const rejected = await decide(organization, senderId, "rejected", "no proof");
	expect(rejected).toMatchObject({
		status: "rejected",
		rejectionReason: "no proof",
	});
	const reopened = await request(organization, "Shop");
	expect(reopened).toMatchObject({
		id: senderId.id,
		status: "pending",
		rejectionReason: "",
	});
	expect(reopened.decidedAt).toBeUndefined();
});

test("the same value of two organizations are two sender IDs", async () => {
	const one = await request(uuidv7(), "Shop");
	const other = await request(uuidv7(), "Shop");
	expect(one.id).not.toBe(other.id);
});

test.each([
	["one value", ["Shop", "Shop", "Shop", "Shop", "Shop", "Shop"]],
	[
		"values that differ only in case",
		["Shop", "SHOP", "shop", "sHop", "shOp", "shoP"],
	],
])(
	"of parallel first requests for %s one makes a sender ID, and the others are told that it exists",
	async (_, values) => {
		for (let round = 0; round < 5; round++) {
			const organization = uuidv7();
			const outcomes = await Promise.all(
				values.map((value) => refusalOf(request(organization, value))),
			);
			expect(outcomes.toSorted()).toEqual([
				"accepted",
				...values.slice(1).map(() => "sender_id_exists"),
			]);
			expect(await list(organization)).toHaveLength(1);
		}
	},
);

test("ten parallel requests with one key make one sender ID and the same response", async () => {
	const organizationId = uuidv7();
	const idempotency = { key: "k", fingerprint: randomBytes(32) };
	const responses = await Promise.all(
		Array.from({ length: 10 }, () =>
			service.messaging.requestSenderId({
				organizationId,
				value: "Shop",
				idempotency,
			}),
		),
	);
	expect(new Set(responses.map((one) => one.senderId?.id)).size).toBe(1);
	expect(responses.filter((one) => one.replayed)).toHaveLength(9);
	const other = service.messaging.requestSenderId({
		organizationId,
		value: "Other",
		idempotency: { key: "k", fingerprint: randomBytes(32) },
	});
	expect(await refusalOf(other)).toBe("idempotency_key_reused");
	expect(await list(organizationId)).toHaveLength(1);
});

test("a refused request leaves its key free", async () => {
	const organizationId = uuidv7();
	const idempotency = { key: "k", fingerprint: randomBytes(32) };
	await request(organizationId, "Shop");
	const again = () =>
		service.messaging.requestSenderId({
			organizationId,
			value: "Shop",
			idempotency,
		});
	expect(await refusalOf(again())).toBe("sender_id_exists");
	expect(await refusalOf(again())).toBe("sender_id_exists");
});

test("sender IDs are listed newest first, each organization's own", async () => {
	const organization = uuidv7();
	for (const value of ["One", "Two", "Three"])
		await request(organization, value);
	await request(uuidv7(), "Other");
	const values = (await list(organization)).map((row) => row.value);
	expect(values).toEqual(["Three", "Two", "One"]);
});

test("what waits for a decision is listed over all organizations, longest known first", async () => {
	const [one, other] = [uuidv7(), uuidv7()];
	const first = await request(one, "Early");
	const second = await request(other, "Early");
	const decided = await request(one, "Decided");
	await decide(one, decided, "approved");
	const pending = async () => {
		const { senderIds } = await service.admin.listPendingSenderIds({});
		return senderIds
			.filter(({ organizationId }) => [one, other].includes(organizationId))
			.map(({ organizationId, senderId }) => [organizationId, senderId?.id]);
	};
	expect(await pending()).toEqual([
		[one, first.id],
		[other, second.id],
	]);
	await decide(one, first, "rejected");
	expect(await pending()).toEqual([[other, second.id]]);
});

test("who asks for a sender that others have approved is marked, whatever its case", async () => {
	const [owner, other, third] = [uuidv7(), uuidv7(), uuidv7()];
	const bank = await request(owner, "Bank24");
	await decide(owner, bank, "approved");
	await request(other, "BANK24");
	await request(third, "Bakery24");
	const { senderIds } = await service.admin.listPendingSenderIds({});
	const marks = senderIds
		.filter(({ organizationId }) => [other, third].includes(organizationId))
		.map(({ organizationId, approvedFor }) => [organizationId, approvedFor]);
	expect(marks).toEqual([
		[other, [owner]],
		[third, []],
	]);
	await decide(owner, bank, "suspended");
	const after = (await service.admin.listPendingSenderIds({})).senderIds;
	expect(
		after.find(({ organizationId }) => organizationId === other)?.approvedFor,
	).toEqual([]);
});

test("a thousand waiting sender IDs are listed, with word of more", async () => {
	await service.sql`
		insert into sender_ids (id, organization_id, value)
		select gen_random_uuid(), gen_random_uuid(), 'Many'
		from generate_series(1, 1001)
	`;
	const { senderIds, more } = await service.admin.listPendingSenderIds({});
	expect([senderIds.length, more]).toEqual([1_000, true]);
});

test("another organization's sender ID is unknown", async () => {
	const senderId = await request(uuidv7(), "Shop");
	const call = decide(uuidv7(), senderId, "approved");
	expect(await refusalOf(call)).toBe("unknown_sender");
});

test("callers of another organization, services and strangers are refused", async () => {
	const organizationId = uuidv7();
	const { id: senderId } = await request(organizationId, "Shop");
	const { port } = service.running;
	const other = clientsOf(port, { organization: uuidv7() });
	const plain = clientsOf(port, { issuer: "gateway" });
	const stranger = clientsOf(port, { isStranger: true });
	const decision = { organizationId, senderId, status: "approved", reason: "" };
	const value = "Other";
	expect(
		await Promise.all(
			[
				other.messaging.requestSenderId({ organizationId, value }),
				other.messaging.listSenderIds({ organizationId }),
				other.admin.decideSenderId(decision),
				other.admin.listPendingSenderIds({}),
				plain.admin.listPendingSenderIds({}),
				plain.admin.decideSenderId(decision),
				stranger.messaging.requestSenderId({ organizationId, value }),
				stranger.messaging.listSenderIds({ organizationId }),
				stranger.admin.decideSenderId(decision),
			].map(refusalOf),
		),
	).toEqual([
		"organization_mismatch",
		"organization_mismatch",
		"organization_mismatch",
		"organization_mismatch",
		"PermissionDenied",
		"PermissionDenied",
		"Unauthenticated",
		"Unauthenticated",
		"Unauthenticated",
	]);
	expect(await list(organizationId)).toHaveLength(1);
});

test("an organization has at most 100 sender IDs, which bounds the list; a rejected one is opened again all the same", async () => {
	const organization = uuidv7();
	const values = Array.from({ length: 98 }, (_, index) => `Shop${index}`);
	const first = await request(organization, "First");
	await Promise.all(values.map((value) => request(organization, value)));
	const last = await Promise.allSettled(
		["one", "two", "three"].map((value) => request(organization, value)),
	);
	expect(last.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
	expect(await refusalOf(request(organization, "more"))).toBe(
		"sender_id_limit_reached",
	);
	expect(await list(organization)).toHaveLength(100);
	await decide(organization, first, "rejected");
	expect(await request(organization, "First")).toMatchObject({ id: first.id });
	await request(uuidv7(), "more");
});
