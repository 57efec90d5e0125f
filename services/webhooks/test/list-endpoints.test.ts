import { randomUUID } from "node:crypto";
import type { TestDatabase } from "@airtower/platform/testing/database";
import { codeOf, refusalOf } from "@airtower/platform/testing/refusals";
import type { PageKey } from "@airtower/proto/common/v1/page";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { startTestRpc, type TestRpc } from "./support/rpc.ts";
import {
	addEndpoint,
	createStageContext,
	openDatabase,
} from "./support/stage.ts";

let database: TestDatabase;
let ctx: Context;
let rpc: TestRpc;

beforeAll(async () => {
	database = await openDatabase();
	ctx = await createStageContext(database);
	rpc = await startTestRpc(ctx);
});
afterAll(async () => {
	await rpc.close();
	await database.drop();
});

describe("ListEndpoints", () => {
	it("lists each endpoint once, newest first, while others come and go", async () => {
		const organizationId = randomUUID();
		const ids: string[] = [];
		for (let i = 0; i < 7; i++)
			ids.push(
				(await addEndpoint(ctx, "https://a.example/", organizationId)).id,
			);
		const seen: string[] = [];
		let after: PageKey | undefined;
		do {
			const page = await rpc.webhooks.listEndpoints({
				organizationId,
				page: after === undefined ? { limit: 2 } : { limit: 2, after },
			});
			seen.push(...page.endpoints.map((endpoint) => endpoint.id));
			after = page.next;
			await addEndpoint(ctx, "https://b.example/", organizationId);
			await rpc.webhooks.deleteEndpoint({
				organizationId,
				endpointId: seen.at(-2) ?? seen.at(-1) ?? "",
			});
		} while (after !== undefined);
		expect(seen).toEqual(ids.toReversed());
	});

	it("shows why an endpoint is disabled", async () => {
		const { id, organizationId } = await addEndpoint(ctx, "https://a.example/");
		await ctx.sql`
			update endpoints
			set status = 'disabled', disabled_reason = 'failing', disabled_at = now()
			where id = ${id}
		`;
		const { endpoints } = await rpc.webhooks.listEndpoints({
			organizationId,
			page: { limit: 1 },
		});
		expect(endpoints).toMatchObject([
			{ id, status: "disabled", disabledReason: "failing" },
		]);
	});

	it("shows nothing of another organization", async () => {
		await addEndpoint(ctx, "https://a.example/");
		const { endpoints, next } = await rpc.webhooks.listEndpoints({
			organizationId: randomUUID(),
			page: { limit: 200 },
		});
		expect(endpoints).toEqual([]);
		expect(next).toBeUndefined();
	});

	it("refuses a bad limit, a bad cursor, a missing token and a foreign one", async () => {
		const organizationId = randomUUID();
		const list = (limit: number, id?: string) =>
			rpc.webhooks.listEndpoints({
				organizationId,
				page: {
					limit,
					...(id === undefined ? {} : { after: { createdAt: {}, id } }),
				},
			});
		expect((await refusalOf(list(0))).kind).toBe("invalid");
		expect((await refusalOf(list(201))).kind).toBe("invalid");
		expect((await refusalOf(list(5, "x"))).reason).toBe("invalid_cursor");
		const page = { limit: 1 };
		expect(
			await codeOf(
				rpc.strangerWebhooks.listEndpoints({ organizationId, page }),
			),
		).toBe("Unauthenticated");
		expect(
			await refusalOf(
				rpc.webhooksOf(randomUUID()).listEndpoints({ organizationId, page }),
			),
		).toMatchObject({ reason: "organization_mismatch" });
	});
});
