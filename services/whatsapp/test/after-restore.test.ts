import { readFile } from "node:fs/promises";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { rescueDispatch } from "../src/jobs/rescue-dispatch.ts";
import { migrations } from "../src/migrations.ts";
import { claimDispatch } from "../src/store/dispatch/claims.ts";
import { markSubmitting } from "../src/store/dispatch/owned-dispatch.ts";
import {
	accept,
	addNumber,
	bareContext,
	createHeldProvider,
	type HeldProvider,
	statusOf,
} from "./support/bare-context.ts";

const AFTER_RESTORE = new URL(
	"../../../deploy/k8s/after-restore.sql",
	import.meta.url,
);

let database: TestDatabase;
let provider: HeldProvider;
let ctx: Context;

beforeAll(async () => {
	database = await testDatabase(migrations);
	provider = createHeldProvider();
	ctx = await bareContext(database, provider);
});
afterAll(() => database.drop());

/** What the script does to messages of this service, in the schema of the test. */
async function ownStatements(): Promise<string> {
	const script = await readFile(AFTER_RESTORE, "utf8");
	return script
		.split(/(?<=;)\n/)
		.filter((statement) => statement.includes("update whatsapp.dispatch"))
		.join("\n")
		.replaceAll("whatsapp.", `${database.schema}.`);
}

it("after a restore nothing goes again that waited, was claimed or was being sent at the restored moment", async () => {
	const lost = await bareContext(database, provider);
	const claim = (limit: number) =>
		claimDispatch(lost.sql, {
			token: lost.lease.token(),
			limit,
			ratePerSecond: 1_000,
			burstMs: 500,
		});
	const ids: string[] = [];
	for (const then of ["sending", "claimed", "waiting"]) {
		ids.push(...(await accept(ctx, await addNumber(ctx))));
		if (then === "waiting") break;
		const claimed = await claim(1);
		if (then === "sending") await markSubmitting(lost.sql, claimed);
	}
	await ctx.sql`update leases set lease_until = renewed_at where token = ${lost.lease.token()}`;
	await ctx.sql.unsafe(await ownStatements());
	await rescueDispatch(ctx);
	await ctx.dispatcher.round();
	expect(provider.submitted).toEqual([]);
	for (const id of ids) expect(await statusOf(ctx, id)).toBe("unknown");
});
