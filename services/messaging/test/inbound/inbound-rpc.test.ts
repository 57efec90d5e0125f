import { transaction } from "@airtower/platform/database/database";
import { firstIdAt, uuidv7 } from "@airtower/platform/runtime/ids";
import { testRpcClient } from "@airtower/platform/testing/rpc-client";
import type { PageKey } from "@airtower/proto/common/v1/page";
import {
	InboundAdminService,
	InboundService,
} from "@airtower/proto/messaging/v1/inbound";
import { OptOutAdminService } from "@airtower/proto/messaging/v1/opt_outs";
import { AuditService } from "@airtower/proto/ops/v1/audit";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	insertInboundTexts,
	type NewInboundText,
} from "../../src/store/inbound/inbound-messages.ts";
import { refusalOf } from "../support/clients.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;

beforeAll(async () => {
	service = await startTestService();
});

afterAll(() => service.close());

function clients(caller = {}) {
	const common = {
		baseUrl: `http://127.0.0.1:${service.running.port}`,
		audience: "messaging",
		...caller,
	};
	return {
		inbound: testRpcClient({ ...common, service: InboundService }),
		admin: testRpcClient({ ...common, service: InboundAdminService }),
		words: testRpcClient({ ...common, service: OptOutAdminService }),
		audit: testRpcClient({ ...common, service: AuditService }),
	};
}

const MINUTE_MS = 60_000;
const BEGIN = Date.now() - 100 * MINUTE_MS;
let texts = 0;

/** Stores texts that came a minute apart, in order. */
async function storeTexts(
	organizationId: string | null,
	...all: Partial<NewInboundText>[]
): Promise<string[]> {
	const rows = all.map((fields): NewInboundText => {
		const at = new Date(BEGIN + ++texts * MINUTE_MS);
		return {
			id: firstIdAt(at),
			receivedAt: at,
			organizationId,
			route: "smpp",
			sender: "+33612345678",
			recipient: "+33700000001",
			body: `text ${texts}`,
			encoding: "gsm7",
			keyword: null,
			partCount: 1,
			isComplete: true,
			...fields,
		};
	});
	await transaction(service.sql, (sql) => insertInboundTexts(sql, rows));
	return rows.map(({ id }) => id);
}

async function listAll(organizationId: string, filters = {}, limit = 2) {
	const ids: string[] = [];
	let after: PageKey | undefined;
	do {
		const page = { limit, ...(after && { after }) };
		const request = { organizationId, ...filters, page };
		const response = await clients().inbound.listInbound(request);
		ids.push(...response.messages.map(({ id }) => id));
		after = response.next;
	} while (after !== undefined);
	return ids;
}

describe("the texts that an organization received", () => {
	it("are listed newest first, page by page, each as it came", async () => {
		const organization = uuidv7();
		const ids = await storeTexts(
			organization,
			{ body: "text 1", keyword: "win", encoding: "ucs2", partCount: 3 },
			{ isComplete: false },
			{},
			{},
			{},
		);
		await storeTexts(uuidv7(), {});
		await storeTexts(null, {});
		expect(await listAll(organization)).toEqual(ids.toReversed());
		const { messages } = await clients().inbound.listInbound({
			organizationId: organization,
			page: { limit: 10 },
		});
		expect(messages.at(-1)).toMatchObject({
			id: ids[0],
			from: "+33612345678",
			to: "+33700000001",
			body: "text 1",
			encoding: "ucs2",
			parts: 3,
			isComplete: true,
			keyword: "win",
			route: "smpp",
		});
		expect(messages.at(-2)?.isComplete).toBe(false);
	});

	it("are found by phone, number, keyword and time", async () => {
		const organization = uuidv7();
		const [phone, number, keyword, last] = await storeTexts(
			organization,
			{ sender: "+33612345679" },
			{ recipient: "38600" },
			{ keyword: "debut" },
			{},
		);
		const at = (nth: number) =>
			timestampFromDate(new Date(BEGIN + (texts - nth) * MINUTE_MS));
		const found = (filters: object) => listAll(organization, filters);
		expect(await found({ from: ["0612345679", "+33612345679"] })).toEqual([
			phone,
		]);
		expect(await found({ to: ["38600"] })).toEqual([number]);
		expect(await found({ keyword: "DÉBUT" })).toEqual([keyword]);
		for (const none of ["!!!", "🎉", " "])
			expect(await found({ keyword: none })).toEqual([]);
		expect(await found({ dateFrom: at(1) })).toEqual([last, keyword]);
		expect(await found({ dateFrom: at(2), dateTo: at(1) })).toEqual([number]);
	});

	it("are nobody else's", async () => {
		const { inbound } = clients({ organization: uuidv7() });
		const page = { limit: 1 };
		const call = inbound.listInbound({ organizationId: uuidv7(), page });
		expect(await refusalOf(call)).toBe("organization_mismatch");
		const other = clients({ issuer: "webhooks" }).inbound;
		expect(
			await refusalOf(other.listInbound({ organizationId: uuidv7(), page })),
		).toBe("PermissionDenied");
	});

	it("go on after no row that their list cannot have", async () => {
		const after = { createdAt: timestampFromDate(new Date()), id: "none" };
		const call = clients().inbound.listInbound({
			organizationId: uuidv7(),
			page: { limit: 1, after },
		});
		expect(await refusalOf(call)).toBe("invalid_cursor");
	});
});

describe("numbers that receive", () => {
	it("are given to an organization, or shared by keyword, listed, and taken back; each is in the audit", async () => {
		const { admin, audit } = clients();
		const [one, other] = [uuidv7(), uuidv7()];
		const own = { number: "+33 7 00 00 00 02", organizationId: one };
		const shared = { number: "38 600", keyword: "Début", organizationId: one };
		const { number } = await admin.addInboundNumber(own);
		expect(number).toMatchObject({ number: "+33700000002", keyword: "" });
		await admin.addInboundNumber(own);
		await admin.addInboundNumber(shared);
		const rest = { number: "38600", organizationId: other };
		await admin.addInboundNumber(rest);
		const { numbers } = await admin.listInboundNumbers({});
		expect(numbers).toMatchObject([
			{ number: "+33700000002", keyword: "", organizationId: one },
			{ number: "38600", keyword: "", organizationId: other },
			{ number: "38600", keyword: "debut", organizationId: one },
		]);
		const taken = { ...shared, organizationId: other };
		expect(await refusalOf(admin.addInboundNumber(taken))).toBe(
			"inbound_number_taken",
		);
		await admin.removeInboundNumber({ number: "38600", keyword: "DEBUT" });
		expect(
			await refusalOf(
				admin.removeInboundNumber({ number: "38600", keyword: "debut" }),
			),
		).toBe("unknown_inbound_number");
		const { entries } = await audit.listAuditEntries({ page: { limit: 2 } });
		expect(entries).toMatchObject([
			{ action: "remove_inbound_number", subject: "38600" },
			{ action: "add_inbound_number", subject: "38600" },
		]);
	});

	it.each([
		[{ number: "!".repeat(22) }, "invalid_inbound_number"],
		[{ number: " ( ) " }, "invalid_inbound_number"],
		[{ number: "+" }, "invalid_inbound_number"],
		[{ number: "38600", keyword: "two words" }, "invalid_keyword"],
		[{ number: "38600", keyword: "!" }, "invalid_keyword"],
		[{ number: "38600", keyword: "Stop" }, "invalid_keyword"],
		[{ number: "38600", keyword: "stop2024" }, "invalid_keyword"],
		[{ number: "38600", keyword: "opt" }, "invalid_keyword"],
		[{ number: "38600", keyword: "info" }, "invalid_keyword"],
		[{ number: "38600", keyword: "बंद" }, "invalid_keyword"],
		[{ number: "38600", keyword: "解除" }, "invalid_keyword"],
	])("are not %j", async (fields, reason) => {
		const request = { organizationId: uuidv7(), ...fields };
		const call = clients().admin.addInboundNumber(request);
		expect(await refusalOf(call)).toBe(reason);
	});
});

it("no word is both a keyword and one that opts out, whichever comes first", async () => {
	const { admin, words } = clients();
	const organizationId = uuidv7();
	const list = { country: "PL", family: "stop" };
	const numberWith = (keyword: string) =>
		admin.addInboundNumber({ number: "38601", keyword, organizationId });
	await words.setOptOutWords({ ...list, words: ["Schluss jetzt"] });
	expect(await refusalOf(numberWith("schluss"))).toBe("invalid_keyword");
	await numberWith("rezygnacja");
	for (const change of [{ words: ["Rezygnacja!"] }, { useBuiltIn: true }])
		expect(await refusalOf(words.setOptOutWords({ ...list, ...change }))).toBe(
			"invalid_word",
		);
	await admin.removeInboundNumber({ number: "38601", keyword: "REZYGNACJA" });
	await words.setOptOutWords({ ...list, useBuiltIn: true });
	expect(await refusalOf(numberWith("rezygnacja"))).toBe("invalid_keyword");
});

it("texts to numbers that nobody has are shown to the admin, newest first", async () => {
	const ids = await storeTexts(null, {}, {});
	const { messages } = await clients().admin.listUnownedInbound({});
	expect(messages.slice(0, 2).map(({ id }) => id)).toEqual(ids.toReversed());
});
