import { transaction } from "@airtower/platform/database/database";
import { sealSecret } from "@airtower/platform/sealing/sealed-secret";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Context } from "../src/context.ts";
import { followDatabaseClock } from "../src/jobs/follow-clock.ts";
import { processCallbacks } from "../src/jobs/process-callbacks.ts";
import { migrations } from "../src/migrations.ts";
import { applyTemplateItem } from "../src/store/template-changes.ts";
import { syncAccountTemplates } from "../src/sync-account-templates.ts";
import { storeStatus } from "./support/bare-callbacks.ts";
import {
	accept,
	addNumber,
	bareContext,
	createHeldProvider,
	type OwnNumber,
	statusOf,
} from "./support/bare-context.ts";

const BACK_MS = -5 * 60_000;

let database: TestDatabase;
let ctx: Context;
const provider = createHeldProvider();

beforeEach(async () => {
	database = await testDatabase(migrations, { hasMovableClock: true });
	ctx = await bareContext(database, provider);
	await followDatabaseClock(ctx);
});
afterEach(() => database.drop());

async function stepBack(): Promise<void> {
	await database.setClock(BACK_MS);
	await followDatabaseClock(ctx);
}

it("messages go at once when the database's clock stepped back 5 minutes, also of a number that sent before", async () => {
	const own = await addNumber(ctx);
	const [first = ""] = await accept(ctx, own);
	await ctx.dispatcher.round();
	provider.respond(first);
	await ctx.sql`update pacing set free_at = now()`;
	const [second = ""] = await accept(ctx, own);
	await stepBack();
	await eventually(async () => {
		await ctx.dispatcher.round();
		const submitted = provider.submitted.map(({ messageId }) => messageId);
		expect(submitted).toContain(second);
	});
	provider.respond(second);
});

it("a callback that waits when the database's clock stepped back 5 minutes is applied at once", async () => {
	const own = await addNumber(ctx);
	const [id = ""] = await accept(ctx, own);
	await storeStatus(ctx, own, id, "delivered");
	await stepBack();
	await eventually(async () => {
		await processCallbacks(ctx);
		expect(await statusOf(ctx, id)).toBe("delivered");
	});
});

it("a message that may still be sent goes although its process's own clock stands two days ahead", async () => {
	const own = await addNumber(ctx);
	const [id = ""] = await accept(ctx, own);
	vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * DAY_MS });
	await ctx.dispatcher.round().finally(vi.useRealTimers);
	await eventually(() =>
		expect(provider.submitted).toContainEqual(
			expect.objectContaining({ messageId: id }),
		),
	);
	provider.respond(id);
	await eventually(async () => expect(await statusOf(ctx, id)).toBe("sent"));
});

const DAY_MS = 86_400_000;
const TEMPLATE = {
	...({ name: "notice", language: "en_US", category: "utility" } as const),
	providerTemplateId: "1",
	body: "Hello",
	parameterCount: 0,
	parameterNames: undefined,
	bodyOnly: true,
};

/** Reads the templates of a number's account, which lists one of this status, or none. */
function readTemplates(
	ctx: Context,
	{ organizationId, phoneNumberId }: OwnNumber,
	status: "approved" | "paused" | undefined,
): Promise<number> {
	const listTemplates = async () =>
		status === undefined ? [] : [{ ...TEMPLATE, status }];
	return syncAccountTemplates(
		{ ...ctx, provider: { ...provider, listTemplates } },
		{
			organizationId,
			phoneNumberId,
			providerAccountId: "account",
			accessToken: sealSecret(ctx.ring, "token", phoneNumberId),
		},
	);
}

/** Reads them as approved while a clock stands a day ahead. */
const readAhead = {
	"a process's": (own: OwnNumber) => {
		const clock = () => new Date(Date.now() + DAY_MS);
		return readTemplates({ ...ctx, clock }, own, "approved");
	},
	"the database's": async (own: OwnNumber) => {
		await database.setClock(DAY_MS);
		await readTemplates(ctx, own, "approved");
		await database.setClock(0);
	},
};

it.each(["a process's", "the database's"] as const)(
	"what templates become is followed after they were read while %s clock stood a day ahead",
	async (whose) => {
		const own = await addNumber(ctx);
		const expectStatus = async (status: string) =>
			expect(
				await ctx.sql`select status from templates where organization_id = ${own.organizationId}`,
			).toEqual([{ status }]);
		await readAhead[whose](own);
		await expectStatus("approved");
		await readTemplates(ctx, own, "paused");
		await expectStatus("paused");
		await readAhead[whose](own);
		const { name, language } = TEMPLATE;
		const item = { providerAccountId: "account", name, language };
		await transaction(ctx.sql, (sql) =>
			applyTemplateItem(sql, {
				...item,
				kind: "template",
				status: "paused",
				category: undefined,
				at: new Date(),
			}),
		);
		await expectStatus("paused");
		await readAhead[whose](own);
		await readTemplates(ctx, own, undefined);
		await expectStatus("disabled");
	},
);
