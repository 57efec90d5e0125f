import { transaction } from "@airtower/platform/database/database";
import { sealSecret } from "@airtower/platform/sealing/sealed-secret";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import {
	responseLost,
	troubledSql,
} from "@airtower/platform/testing/troubled-sql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { createDispatcher } from "../src/dispatching/dispatcher.ts";
import type { SubmitResult } from "../src/domain/attempt-outcome.ts";
import { expireMessages } from "../src/jobs/expire-messages.ts";
import { migrations } from "../src/migrations.ts";
import { claimDispatch } from "../src/store/dispatch/claims.ts";
import { expireUnsent } from "../src/store/dispatch/dispatch.ts";
import {
	listPhoneNumbers,
	removeNumber,
	renewNumber,
} from "../src/store/phone-numbers.ts";
import { hearStatus } from "./support/bare-callbacks.ts";
import {
	accept,
	addNumber,
	bareContext,
	createHeldProvider,
	endLease,
	type HeldProvider,
	outcomesOf,
	statusOf,
} from "./support/bare-context.ts";

const CLAIM = "with numbers as materialized";

let database: TestDatabase;
let provider: HeldProvider;
let ctx: Context;
let other: Context;

beforeAll(async () => {
	database = await testDatabase(migrations);
	provider = createHeldProvider();
	ctx = await bareContext(database, provider);
	other = await bareContext(database, provider);
});
afterAll(() => database.drop());

const submitsOf = (id: string) =>
	provider.submitted.filter((one) => one.messageId === id).length;

/** Brings one message to its submit, whose response is still open. */
async function submit() {
	const own = await addNumber(ctx);
	const [id = ""] = await accept(ctx, own);
	await ctx.dispatcher.round();
	await eventually(() => expect(submitsOf(id)).toBe(1));
	const settled = () =>
		eventually(() => {
			const ids = ctx.dispatcher.owned().map(({ messageId }) => messageId);
			expect(ids).not.toContain(id);
		});
	return { id, own, settled };
}

/** A process whose claims, marks and releases may meet troubles; its settles do not. */
async function troubledProcess() {
	const own = await bareContext(database, provider);
	const { fates, sql } = troubledSql(own.sql);
	return { fates, dispatcher: createDispatcher({ ...own, sql }) };
}

describe("a process that is gone", () => {
	it("loses what it had claimed to others, who send it", async () => {
		const own = await addNumber(ctx);
		const [id = ""] = await accept(ctx, own);
		const gone = await bareContext(database, provider);
		await claimDispatch(gone.sql, {
			token: gone.lease.token(),
			limit: 10,
			ratePerSecond: 1_000,
			burstMs: 500,
		});
		expect(await ctx.dispatcher.round()).toBe(0);
		await endLease(gone, ctx);
		await ctx.dispatcher.round();
		await eventually(() => expect(submitsOf(id)).toBe(1));
		provider.respond(id);
		await eventually(async () => expect(await statusOf(ctx, id)).toBe("sent"));
	});

	it("leaves what it was submitting unknown: it is never sent again, and a status resolves it", async () => {
		const { id, own, settled } = await submit();
		await endLease(ctx, other);
		expect(await statusOf(ctx, id)).toBe("unknown");
		await other.dispatcher.round();
		expect(submitsOf(id)).toBe(1);
		await hearStatus(ctx, own, id, "delivered");
		expect(await statusOf(ctx, id)).toBe("delivered");
		expect(await outcomesOf(ctx, id)).toBe(1);
		provider.respond(id);
		await settled();
	});

	it("changes nothing when it comes back: its response finds another owner", async () => {
		const { id, settled } = await submit();
		await endLease(ctx, other);
		provider.respond(id, {
			kind: "refused",
			code: 131_008,
			httpStatus: 400,
			isTransient: false,
			text: "",
		});
		await settled();
		expect(await statusOf(ctx, id)).toBe("unknown");
		expect(await outcomesOf(ctx, id)).toBe(0);
	});
});

it.each([
	["claim", CLAIM],
	["mark", "set submitting = true"],
])(
	"what a %s did whose response was lost is taken back: the message goes, once",
	async (_, text) => {
		const { dispatcher, fates } = await troubledProcess();
		fates.set(text, responseLost);
		const own = await addNumber(ctx);
		const [id = ""] = await accept(ctx, own);
		await expect(dispatcher.round()).rejects.toThrow("lost");
		expect(submitsOf(id)).toBe(0);
		fates.clear();
		await eventually(async () => {
			await dispatcher.round();
			expect(submitsOf(id)).toBe(1);
		});
		provider.respond(id);
		await eventually(async () => expect(await statusOf(ctx, id)).toBe("sent"));
	},
);

it("a message whose attempt could not be recorded does not go again after a claim whose response is lost", async () => {
	const { dispatcher, fates } = await troubledProcess();
	const own = await addNumber(ctx);
	const [sent = ""] = await accept(ctx, own);
	await dispatcher.round();
	await eventually(() => expect(submitsOf(sent)).toBe(1));
	await ctx.sql.unsafe(`
		alter table messages
		add constraint refused check (id <> '${sent}' or attempts = 0)
	`);
	provider.respond(sent);
	await eventually(() => expect(dispatcher.underWay()).toBe(0));
	const [next = ""] = await accept(ctx, own);
	fates.set(CLAIM, responseLost);
	await expect(dispatcher.round()).rejects.toThrow("lost");
	fates.clear();
	await eventually(async () => {
		await dispatcher.round();
		expect(submitsOf(next)).toBe(1);
	});
	expect(submitsOf(sent)).toBe(1);
});

it("a number that has got a new token is not stopped by a late response to the one before", async () => {
	const own = await addNumber(ctx);
	const { organizationId, phoneNumberId } = own;
	const [first = "", second = ""] = await accept(ctx, own, 2);
	await ctx.dispatcher.round();
	await eventually(() => expect(submitsOf(second)).toBe(1));
	const refused: SubmitResult = {
		kind: "refused",
		code: 190,
		httpStatus: 401,
		isTransient: false,
		text: "the token has expired",
	};
	const numberIs = async (status: string) => {
		const [row] = await listPhoneNumbers(ctx.sql, organizationId);
		expect(row?.status).toBe(status);
	};
	provider.respond(first, refused);
	await eventually(() => numberIs("stopped"));
	const token = sealSecret(ctx.ring, "new token", phoneNumberId);
	await transaction(ctx.sql, (sql) =>
		renewNumber(sql, {
			organizationId,
			id: phoneNumberId,
			accessToken: token,
			providerAccountId: "account",
		}),
	);
	provider.respond(second, refused);
	await eventually(async () => {
		const waiting = await ctx.sql`
			select from dispatch
			where phone_number_id = ${phoneNumberId}
			and token is null
		`;
		expect(waiting).toHaveLength(2);
	});
	await numberIs("active");
	await ctx.sql`update dispatch set due_at = now() where message_id = ${second}`;
	await ctx.dispatcher.round();
	await eventually(() => expect(submitsOf(second)).toBe(2));
	expect(provider.submitted.at(-1)?.accessToken).toBe("new token");
	provider.respond(second);
});

it("a message that is refused for now after its number was removed fails at once, not when its validity ends", async () => {
	const { id, own, settled } = await submit();
	const { organizationId, phoneNumberId } = own;
	await transaction(ctx.sql, async (sql) => {
		await removeNumber(sql, organizationId, phoneNumberId);
		await expireUnsent(sql, phoneNumberId);
	});
	provider.respond(id, {
		kind: "refused",
		code: 190,
		httpStatus: 401,
		isTransient: false,
		text: "the token is gone",
	});
	await settled();
	await expireMessages(ctx);
	expect(await statusOf(ctx, id)).toBe("failed");
	expect(await outcomesOf(ctx, id)).toBe(1);
});

describe("an unknown message", () => {
	it("fails as operator_error once its time is over, with one outcome, and a late status changes nothing", async () => {
		const { id, own } = await submit();
		provider.respond(id, { kind: "unknown", text: "timeout" });
		await eventually(async () =>
			expect(await statusOf(ctx, id)).toBe("unknown"),
		);
		await expireMessages(ctx);
		expect(await statusOf(ctx, id)).toBe("unknown");
		await ctx.sql`update messages set unknown_until = now() where id = ${id}`;
		await expireMessages(ctx);
		await expireMessages(ctx);
		await hearStatus(ctx, own, id, "delivered");
		const [row] = await ctx.sql`
			select status, error_code, provider_error from messages where id = ${id}
		`;
		expect(row).toEqual({
			status: "failed",
			error_code: "operator_error",
			provider_error: "timeout",
		});
		expect(await outcomesOf(ctx, id)).toBe(1);
	});
});

describe("a status before the response", () => {
	it("wins, and the response that follows neither moves it back nor publishes again", async () => {
		const { id, own, settled } = await submit();
		await hearStatus(ctx, own, id, "read");
		provider.respond(id);
		await settled();
		expect(await statusOf(ctx, id)).toBe("read");
		expect(await outcomesOf(ctx, id)).toBe(1);
	});
});

describe("just before the submit", () => {
	it("a template that was recategorised meanwhile is not sent", async () => {
		const own = await addNumber(ctx);
		const [id = ""] = await accept(ctx, own);
		await ctx.sql`
			update templates set category = 'marketing'
			where organization_id = ${own.organizationId}
		`;
		await ctx.dispatcher.round();
		await eventually(async () =>
			expect(await statusOf(ctx, id)).toBe("failed"),
		);
		expect(submitsOf(id)).toBe(0);
		expect(await outcomesOf(ctx, id)).toBe(1);
	});

	it("a message whose validity is over is not sent", async () => {
		const own = await addNumber(ctx);
		const [id = ""] = await accept(ctx, own);
		await ctx.sql`update dispatch set expires_at = now() where message_id = ${id}`;
		await ctx.dispatcher.round();
		await eventually(async () =>
			expect(await statusOf(ctx, id)).toBe("failed"),
		);
		expect(submitsOf(id)).toBe(0);
	});
});

it("is sent again after a refusal for now that another process took over behind", async () => {
	const { id, settled } = await submit();
	const held = Promise.withResolvers<void>();
	const released = Promise.withResolvers<void>();
	const holding = transaction(ctx.sql, async (sql) => {
		await sql`select from messages where id = ${id} for update`;
		held.resolve();
		await released.promise;
	});
	await held.promise;
	provider.respond(id, {
		kind: "refused",
		code: 130_429,
		httpStatus: 429,
		text: "",
		isTransient: false,
	});
	await untilLocksWait(1);
	const taken = endLease(ctx, other);
	// It has read the row as being submitted, and waits for the message behind the settle.
	await untilLocksWait(2);
	released.resolve();
	await Promise.all([holding, taken]);
	await settled();
	expect(await statusOf(ctx, id)).toBe("submitting");
});

function untilLocksWait(count: number): Promise<void> {
	return eventually(async () => {
		const waiting = await ctx.sql`
			select from pg_stat_activity
			where datname = current_database()
			and wait_event_type = 'Lock'
			and query like '%for update%'
		`;
		expect(waiting.length).toBe(count);
	});
}
