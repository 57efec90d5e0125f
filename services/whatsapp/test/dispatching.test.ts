import { type Tx, transaction } from "@airtower/platform/database/database";
import { sealSecret } from "@airtower/platform/runtime/secret-box";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { SendWhatsAppMessageSchema } from "@airtower/proto/whatsapp/v1/whatsapp";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { acceptMessages } from "../src/accepting/accept-messages.ts";
import type { Context } from "../src/context.ts";
import type { SubmitResult } from "../src/domain/submit-result.ts";
import { dispatchMessages } from "../src/jobs/dispatch-messages.ts";
import {
	createCallbackJob,
	processCallbacks,
} from "../src/jobs/process-callbacks.ts";
import { rescueDispatch } from "../src/jobs/rescue-dispatch.ts";
import { migrations } from "../src/migrations.ts";
import { insertCallbacks } from "../src/store/callbacks.ts";
import { claimDispatch } from "../src/store/dispatch.ts";
import { listPhoneNumbers, renewNumber } from "../src/store/phone-numbers.ts";
import {
	accept,
	addNumber,
	bareContext,
	createHeldProvider,
	endLeases,
	type HeldProvider,
	type OwnNumber,
	outcomesOf,
	statusOf,
} from "./support/bare-context.ts";

let database: TestDatabase;
let provider: HeldProvider;
let ctx: Context;

beforeAll(async () => {
	database = await testDatabase(migrations);
	provider = createHeldProvider();
	ctx = bareContext(database, provider);
});
afterAll(() => database.drop());

const submitsOf = (id: string) =>
	provider.submitted.filter((one) => one.messageId === id).length;

/** Brings one message to its submit, whose answer is still open. */
async function underWay() {
	const own = await addNumber(ctx);
	const [id = ""] = await accept(ctx, own);
	const before = new Set(ctx.flights);
	await dispatchMessages(ctx);
	await eventually(() => expect(submitsOf(id)).toBe(1));
	const landed = Promise.all(
		[...ctx.flights].filter((one) => !before.has(one)),
	);
	return { id, own, landed };
}

/** Stores a callback of the number that says `value`. */
async function storeCallback(own: OwnNumber, value: object) {
	const metadata = { phone_number_id: own.providerId };
	const changes = [{ field: "messages", value: { metadata, ...value } }];
	const body = JSON.stringify({ entry: [{ id: "account", changes }] });
	await insertCallbacks(ctx.sql, [Buffer.from(body)]);
}

const timestamp = () => String(Math.floor(Date.now() / 1_000));

async function hearStatus(own: OwnNumber, id: string, status: string) {
	const item = {
		...{ id: `wamid.${id}`, status, timestamp: timestamp() },
		biz_opaque_callback_data: id,
	};
	await storeCallback(own, { statuses: [item] });
	await processCallbacks(ctx);
}

async function receiveFrom(own: OwnNumber, users: readonly string[]) {
	const messages = users.map((from) => ({
		...{ from, type: "text", id: `wamid.${from}`, timestamp: timestamp() },
	}));
	await storeCallback(own, { messages });
}

describe("a process that is gone", () => {
	it("loses what it had claimed to others, who send it", async () => {
		const own = await addNumber(ctx);
		const [id = ""] = await accept(ctx, own);
		await transaction(ctx.sql, (sql) =>
			claimDispatch(sql, {
				token: crypto.randomUUID(),
				...{ leaseMs: 1, limit: 10, ratePerSecond: 1_000, burstMs: 500 },
			}),
		);
		expect(await dispatchMessages(ctx)).toBe(0);
		await endLeases(ctx);
		await rescueDispatch(ctx);
		await dispatchMessages(ctx);
		await eventually(() => expect(submitsOf(id)).toBe(1));
		provider.answer(id);
		await eventually(async () => expect(await statusOf(ctx, id)).toBe("sent"));
	});

	it("leaves what it was submitting unknown: it is never sent again, and a status resolves it", async () => {
		const { id, own } = await underWay();
		await endLeases(ctx);
		await rescueDispatch(ctx);
		expect(await statusOf(ctx, id)).toBe("unknown");
		await dispatchMessages(ctx);
		expect(submitsOf(id)).toBe(1);
		await hearStatus(own, id, "delivered");
		expect(await statusOf(ctx, id)).toBe("delivered");
		expect(await outcomesOf(ctx, id)).toBe(1);
	});

	it("changes nothing when it comes back: its answer finds another owner", async () => {
		const { id, landed } = await underWay();
		await endLeases(ctx);
		await rescueDispatch(ctx);
		provider.answer(id, {
			kind: "refused",
			code: 131_008,
			httpStatus: 400,
			isTransient: false,
			text: "",
		});
		await landed;
		expect(await statusOf(ctx, id)).toBe("unknown");
		expect(await outcomesOf(ctx, id)).toBe(0);
	});
});

it("a mark whose answer the database lost is taken back: the message goes, once", async () => {
	const sql = new Proxy(ctx.sql, {
		apply(target, self, args) {
			const result = Reflect.apply(target, self, args);
			if (!String(args[0]).includes("state = 'submitting'")) return result;
			return result.then(() => {
				throw new Error("write CONNECTION_CLOSED");
			});
		},
	});
	const own = await addNumber(ctx);
	const [id = ""] = await accept(ctx, own);
	await expect(dispatchMessages({ ...ctx, sql })).rejects.toThrow("CLOSED");
	expect(submitsOf(id)).toBe(0);
	await eventually(async () => {
		await dispatchMessages(ctx);
		expect(submitsOf(id)).toBe(1);
	});
	provider.answer(id);
	await eventually(async () => expect(await statusOf(ctx, id)).toBe("sent"));
});

describe("many callbacks", () => {
	const usersFrom = (first: number, count: number) =>
		Array.from({ length: count }, (_, index) => `336000${first + index}`);
	const openWindows = async (own: OwnNumber) =>
		(
			await ctx.sql`
				select from conversations
				where organization_id = ${own.organizationId}
				and window_expires_at > now()
			`
		).length;

	it("are applied a few items at a time, also one that has more by itself", async () => {
		const own = await addNumber(ctx);
		await receiveFrom(own, usersFrom(10_000, 3));
		await receiveFrom(own, usersFrom(20_000, 4));
		await receiveFrom(own, usersFrom(30_000, 25));
		expect(await processCallbacks(ctx, 5)).toBe(1);
		expect(await openWindows(own)).toBe(3);
		expect(await processCallbacks(ctx, 5)).toBe(1);
		expect(await processCallbacks(ctx, 5)).toBe(1);
		expect(await openWindows(own)).toBe(32);
		expect(await processCallbacks(ctx, 5)).toBe(0);
	});

	it("that a database cannot do in time are tried in smaller parts until it can", async () => {
		const own = await addNumber(ctx);
		await receiveFrom(own, usersFrom(40_000, 40));
		const slow = createSlowDatabase(10);
		const job = createCallbackJob();
		await eventually(async () => {
			expect(await job({ ...ctx, sql: slow })).toBe(1);
		});
		expect(await openWindows(own)).toBe(40);
	});

	/** Ends a transaction like the server's time-out, once it has inserted more messages than `most`. */
	function createSlowDatabase(most: number) {
		const begin = ctx.sql.begin.bind(ctx.sql);
		return new Proxy(ctx.sql, {
			get(target, name) {
				if (name !== "begin") return Reflect.get(target, name);
				return (options: string, work: (sql: Tx) => Promise<unknown>) =>
					begin(options, async (sql) => {
						const result = await work(sql);
						const [row] = await sql<{ count: number }[]>`
							select count(*)::int
							from messages
							where xmin = pg_current_xact_id()::xid
						`;
						if ((row?.count ?? 0) > most)
							throw new Error("write CONNECTION_CLOSED");
						return result;
					});
			},
		});
	}
});

describe("a user whom the provider knows by another number than the dialled one", () => {
	const DIALLED = "+541112345678";
	const NAME = "5491112345678";

	async function submitted(
		own: OwnNumber,
		to: string,
		content: NonNullable<
			MessageInitShape<typeof SendWhatsAppMessageSchema>["content"]
		>,
	): Promise<string> {
		const { organizationId, phoneNumberId } = own;
		const [answer] = await acceptMessages(ctx, [
			create(SendWhatsAppMessageSchema, {
				...{ organizationId, phoneNumberId, to, content },
			}),
		]);
		if (answer?.result.case !== "accepted")
			throw new Error(answer?.result.value?.reason);
		const { messageId } = answer.result.value;
		await dispatchMessages(ctx);
		await eventually(async () => {
			expect(await statusOf(ctx, messageId)).toBe("submitting");
			expect(submitsOf(messageId)).toBe(1);
		});
		return messageId;
	}

	it("is sent texts under either number once it has written", async () => {
		const own = await addNumber(ctx);
		const id = await submitted(own, DIALLED, {
			case: "template",
			value: { name: "notice", language: "en_US", category: "utility" },
		});
		provider.answer(id, {
			kind: "taken",
			providerMessageId: `wamid.${id}`,
			waId: NAME,
		});
		await eventually(async () => {
			const named = await ctx.sql`
				select from conversations where wa_id = ${NAME}
			`;
			expect(named).toHaveLength(1);
		});
		await receiveFrom(own, [NAME]);
		await processCallbacks(ctx);
		for (const to of [DIALLED, `+${NAME}`, `+${NAME}`, DIALLED])
			await submitted(own, to, { case: "text", value: { body: "Hello" } });
	});
});

it("a number that has got a new token is not stopped by a late answer to the one before", async () => {
	const own = await addNumber(ctx);
	const { organizationId, phoneNumberId } = own;
	const [first = "", second = ""] = await accept(ctx, own, 2);
	await dispatchMessages(ctx);
	await eventually(() => expect(submitsOf(second)).toBe(1));
	const refused: SubmitResult = {
		kind: "refused",
		...{ code: 190, httpStatus: 401, isTransient: false },
		text: "the token has expired",
	};
	const numberIs = async (status: string) => {
		const [row] = await listPhoneNumbers(ctx.sql, organizationId);
		expect(row?.status).toBe(status);
	};
	provider.answer(first, refused);
	await eventually(() => numberIs("stopped"));
	const token = sealSecret(ctx.ring, "new token", phoneNumberId);
	await transaction(ctx.sql, (sql) =>
		renewNumber(sql, organizationId, phoneNumberId, "account", token),
	);
	provider.answer(second, refused);
	await eventually(async () => {
		const waiting = await ctx.sql`
			select from dispatch
			where phone_number_id = ${phoneNumberId}
			and state = 'queued'
		`;
		expect(waiting).toHaveLength(2);
	});
	await numberIs("active");
	await ctx.sql`update dispatch set due_at = now() where message_id = ${second}`;
	await dispatchMessages(ctx);
	await eventually(() => expect(submitsOf(second)).toBe(2));
	expect(provider.submitted.at(-1)?.accessToken).toBe("new token");
});

describe("an unknown message", () => {
	it("fails as operator_error once its time is over, with one outcome, and a late status changes nothing", async () => {
		const { id, own } = await underWay();
		provider.answer(id, { kind: "unknown", text: "timeout" });
		await eventually(async () =>
			expect(await statusOf(ctx, id)).toBe("unknown"),
		);
		await rescueDispatch(ctx);
		expect(await statusOf(ctx, id)).toBe("unknown");
		await ctx.sql`update dispatch set due_at = now() where message_id = ${id}`;
		await rescueDispatch(ctx);
		await rescueDispatch(ctx);
		await hearStatus(own, id, "delivered");
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

describe("a status before the answer", () => {
	it("wins, and the answer that follows neither moves it back nor publishes again", async () => {
		const { id, own, landed } = await underWay();
		await hearStatus(own, id, "read");
		provider.answer(id);
		await landed;
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
		await dispatchMessages(ctx);
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
		await dispatchMessages(ctx);
		await eventually(async () =>
			expect(await statusOf(ctx, id)).toBe("failed"),
		);
		expect(submitsOf(id)).toBe(0);
	});
});

describe("the rate of a number", () => {
	it("holds over all processes together, and no message goes twice", async () => {
		const limits = { ratePerSecond: 20 };
		const processes = Array.from({ length: 4 }, () =>
			bareContext(database, provider, limits),
		);
		const own = await addNumber(ctx);
		const ids = new Set(await accept(ctx, own, 60));
		const startedAt = Date.now();
		await eventually(async () => {
			await Promise.all(processes.map(dispatchMessages));
			for (const id of ids) provider.answer(id);
			const sent = provider.submitted.filter((one) => ids.has(one.messageId));
			expect(sent).toHaveLength(60);
		});
		// 60 messages at 20/s, with half a second's worth ahead.
		expect(Date.now() - startedAt).toBeGreaterThan(2_000);
		await eventually(async () => {
			const left =
				await ctx.sql`select from dispatch where phone_number_id = ${own.phoneNumberId}`;
			expect(left).toHaveLength(0);
		});
		for (const id of ids) expect(submitsOf(id)).toBe(1);
	});
});
