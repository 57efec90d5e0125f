import { setTimeout as delay } from "node:timers/promises";
import { transaction } from "@airtower/platform/database/database";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import type { ProviderTemplate } from "../src/domain/provider-template.ts";
import { pollTemplates } from "../src/jobs/poll-templates.ts";
import { migrations } from "../src/migrations.ts";
import { findReadableAccounts, upsertAccount } from "../src/store/accounts.ts";
import { listAllTemplates } from "../src/store/templates.ts";
import { syncAccountTemplates } from "../src/sync-account-templates.ts";
import {
	addNumber,
	bareContext,
	createHeldProvider,
} from "./support/bare-context.ts";

/** That the provider takes for an account while no other is asked for, ms. */
const LONGEST_MS = 3_000;

let database: TestDatabase;
let ctx: Context;
let listed: readonly ProviderTemplate[];
let listTemplates = async () => [...listed];

beforeAll(async () => {
	database = await testDatabase(migrations);
	ctx = await bareContext(database, {
		...createHeldProvider(),
		listTemplates: () => listTemplates(),
	});
});
afterAll(() => database.drop());

const named = (nth: number, body = "Hello {{first}} {{last}}") =>
	({
		providerTemplateId: String(nth),
		name: `name_${nth}`,
		language: "en_US",
		category: "utility",
		status: "approved",
		body,
		parameterCount: 2,
		parameterNames: ["first", "last"],
		bodyOnly: true,
	}) satisfies ProviderTemplate;

/** Reads the templates of a new organization that had the template "notice" before; returns those it has now. */
async function read(templates: readonly ProviderTemplate[]) {
	listed = templates;
	const { organizationId } = await addNumber(ctx);
	const accounts = await findReadableAccounts(ctx.sql, organizationId);
	for (const account of accounts) await syncAccountTemplates(ctx, account);
	return listAllTemplates(ctx.sql, organizationId, 10_000);
}

it("thousands of templates are read also from a slow database, and then one that is not listed is disabled", async () => {
	await ctx.sql.unsafe(`
		create function be_slow() returns trigger language plpgsql as
		$$ begin perform pg_sleep(0.01); return null; end $$;
		create trigger slow after insert on templates execute function be_slow();
	`);
	const many = Array.from({ length: 2_000 }, (_, nth) => named(nth));
	const rows = await read(many);
	await ctx.sql`drop trigger slow on templates`;
	const approved = rows.filter(({ status }) => status === "approved");
	expect(approved).toHaveLength(many.length);
	const others = rows.filter(({ status }) => status !== "approved");
	expect(others).toMatchObject([{ name: "notice", status: "disabled" }]);
});

it("a template that is listed twice is as it was listed last, with the names of its placeholders", async () => {
	const rows = await read([named(1, "Before"), named(2), named(1)]);
	const texts = rows.map(({ name, body }) => [name, body]);
	expect(texts).toContainEqual(["name_1", "Hello {{first}} {{last}}"]);
	const [row] = await ctx.sql`
		select parameter_names, body_only from templates where id = ${rows.find(({ name }) => name === "name_1")?.id ?? null}
	`;
	expect(row).toEqual({ parameter_names: ["first", "last"], body_only: true });
});

it("an account whose templates the provider is slow to give keeps no other one waiting", async () => {
	const slow = await addNumber(ctx);
	const others = [await addNumber(ctx), await addNumber(ctx)];
	const gate = Promise.withResolvers<void>();
	let asked = 0;
	let askedMeanwhile = 0;
	listTemplates = async () => {
		asked++;
		if (asked === 1 + others.length) gate.resolve();
		if (asked === 1) {
			await Promise.race([gate.promise, delay(LONGEST_MS)]);
			askedMeanwhile = asked - 1;
		}
		return [];
	};
	for (const { organizationId } of [slow, ...others])
		await transaction(ctx.sql, (sql) =>
			upsertAccount(sql, organizationId, "account"),
		);
	expect(await pollTemplates(ctx)).toBe(1 + others.length);
	expect(askedMeanwhile).toBe(others.length);
});
