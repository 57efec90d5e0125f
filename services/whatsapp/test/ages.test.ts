import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import {
	resumeGroup,
	suspendGroup,
} from "@airtower/platform/work/suspended-groups";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { measureDispatch } from "../src/jobs/measure-dispatch.ts";
import { migrations } from "../src/migrations.ts";
import { suspendedOrganizations } from "../src/store/suspended-organizations.ts";
import { hearStatus } from "./support/bare-callbacks.ts";
import {
	accept,
	addNumber,
	bareContext,
	createHeldProvider,
	type HeldProvider,
	type OwnNumber,
	statusOf,
} from "./support/bare-context.ts";

let database: TestDatabase;
let provider: HeldProvider;
let ctx: Context;
let own: OwnNumber;

beforeEach(async () => {
	database = await testDatabase(migrations);
	provider = createHeldProvider();
	ctx = await bareContext(database, provider);
	own = await addNumber(ctx);
});
afterEach(() => database.drop());

async function measure(name: "unsentAge" | "unknownAge"): Promise<number> {
	await measureDispatch(ctx);
	const { values } = await ctx.telemetry[name].get();
	return values[0]?.value ?? Number.NaN;
}

/** What waits has done so for 10 minutes. */
async function age(): Promise<void> {
	const hex = (Date.now() - 600_000).toString(16).padStart(12, "0");
	await ctx.sql`
		update dispatch
		set message_id = (${hex} || substr(replace(message_id::text, '-', ''), 13))::uuid
	`;
}

it("tells how old the oldest message is that waits, but not of a number that is stopped or an organization that is held", async () => {
	expect(await measure("unsentAge")).toBe(0);
	await accept(ctx, own, 2);
	await age();
	expect(await measure("unsentAge")).toBeCloseTo(600, -1);
	const { organizationId } = own;
	await suspendGroup(ctx.sql, suspendedOrganizations, organizationId);
	expect(await measure("unsentAge")).toBe(0);
	await resumeGroup(ctx.sql, suspendedOrganizations, organizationId);
	await accept(ctx, await addNumber(ctx));
	await ctx.sql`
		update phone_numbers
		set status = 'stopped', stopped_reason = 'test'
		where organization_id = ${organizationId}
	`;
	expect(await measure("unsentAge")).toBeLessThan(60);
});

it("tells for how long the oldest message is without a response, until a status resolves it", async () => {
	expect(await measure("unknownAge")).toBe(0);
	const [id = ""] = await accept(ctx, own);
	await ctx.dispatcher.round();
	await eventually(() => expect(provider.submitted).toHaveLength(1));
	provider.respond(id, { kind: "unknown", text: "no response" });
	await eventually(async () => expect(await statusOf(ctx, id)).toBe("unknown"));
	expect(await measure("unsentAge")).toBe(0);
	await ctx.sql`
		update messages
		set unknown_until = unknown_until - interval '2 hours'
	`;
	expect(await measure("unknownAge")).toBeCloseTo(7_200, -2);
	await hearStatus(ctx, own, id, "delivered");
	expect(await measure("unknownAge")).toBe(0);
});
