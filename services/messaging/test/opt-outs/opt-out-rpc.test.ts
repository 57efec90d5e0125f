import { transaction } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { testRpcClient } from "@airtower/platform/testing/rpc-client";
import { OptOutService } from "@airtower/proto/messaging/v1/opt_outs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addOptOuts } from "../../src/opt-outs/add-opt-outs.ts";
import {
	findOptedOut,
	liftOptOuts,
} from "../../src/store/opt-outs/opt-outs.ts";
import { insertSender } from "../support/messaging.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;

beforeAll(async () => {
	service = await startTestService();
});
afterAll(() => service.close());

function client() {
	const { port } = service.running;
	const baseUrl = `http://127.0.0.1:${port}`;
	return testRpcClient({
		baseUrl,
		audience: "messaging",
		service: OptOutService,
	});
}

async function isOptedOut(
	organizationId: string,
	recipient: string,
	sender: string,
): Promise<boolean> {
	const message = { organizationId, recipient, sender, messageClass: null };
	return (await findOptedOut(service.sql, [message])).size > 0;
}

it("an opt-out of a sender in another case is of the sender ID that the organization has, once", async () => {
	const organizationId = uuidv7();
	await insertSender(service.sql, organizationId, { value: "Airtower" });
	const [one, other] = ["+33612345601", "+33612345602"];
	const { added, known, optOut } = await client().addOptOuts({
		organizationId,
		source: "api",
		optOuts: [{ recipient: one, sender: "AIRTOWER" }],
	});
	expect({ added, known, sender: optOut?.sender }).toEqual({
		added: 1,
		known: 0,
		sender: "Airtower",
	});
	expect(await isOptedOut(organizationId, one, "Airtower")).toBe(true);
	const imported = await client().addOptOuts({
		organizationId,
		source: "import",
		allOrNothing: true,
		optOuts: [
			{ recipient: one, sender: "airtower" },
			{ recipient: other, sender: "AirTower" },
			{ recipient: other, sender: "aIRTOWER" },
			{ recipient: other, sender: "Unknown" },
		],
	});
	expect(imported).toMatchObject({ added: 2, known: 2 });
	expect(await isOptedOut(organizationId, other, "Airtower")).toBe(true);
	const { optOuts } = await client().listOptOuts({
		organizationId,
		page: { limit: 10 },
	});
	expect(optOuts.map(({ sender }) => sender).sort()).toEqual([
		"Airtower",
		"Airtower",
		"Unknown",
	]);
});

it("an opt-out of a sender ID that is registered later, in another case, keeps that one from the number", async () => {
	const organizationId = uuidv7();
	const recipient = "+33612345604";
	await client().addOptOuts({
		organizationId,
		source: "api",
		optOuts: [{ recipient, sender: "LATER" }],
	});
	await insertSender(service.sql, organizationId, { value: "Later" });
	expect(await isOptedOut(organizationId, recipient, "Later")).toBe(true);
	expect(await isOptedOut(organizationId, recipient, "Late")).toBe(false);
	await service.sql.begin((sql) =>
		liftOptOuts(sql, organizationId, { recipient, sender: "Later" }),
	);
	expect(await isOptedOut(organizationId, recipient, "Later")).toBe(false);
});

it("of two sender IDs that differ in case an opt-out is of the one that it names", async () => {
	const organizationId = uuidv7();
	for (const value of ["Shop", "SHOP"])
		await insertSender(service.sql, organizationId, { value });
	for (const sender of ["Shop", "SHOP"]) {
		const optOuts = [{ recipient: "+33612345603", sender }];
		const { optOut } = await client().addOptOuts({
			organizationId,
			source: "api",
			optOuts,
		});
		expect(optOut?.sender).toBe(sender);
	}
});

it("a number that WhatsApp had listed is known, and is listed by the organization from then on", async () => {
	const { sql } = service;
	const organizationId = uuidv7();
	const optOut = { recipient: "+33612345604", sender: "" };
	await transaction(sql, (sql) =>
		addOptOuts(sql, organizationId, "whatsapp", [optOut]),
	);
	const response = await client().addOptOuts({
		organizationId,
		source: "import",
		optOuts: [optOut],
	});
	expect(response).toMatchObject({
		added: 0,
		known: 1,
		optOut: { source: "import" },
	});
});

it("while the numbers of an import are read, others have their turn again and again", async () => {
	const optOuts = Array.from({ length: 10_000 }, (_, nth) => ({
		recipient: `+3361${2_000_000 + nth}`,
	}));
	const over = new AbortController();
	let turns = 0;
	const count = () => {
		turns++;
		if (!over.signal.aborted) setImmediate(count);
	};
	count();
	const refused = await client().addOptOuts({
		organizationId: uuidv7(),
		source: "import",
		allOrNothing: true,
		optOuts: [...optOuts, { recipient: "none" }].slice(1),
	});
	over.abort();
	expect(refused).toMatchObject({ refusedCount: 1 });
	expect(turns).toBeGreaterThan(40);
});
