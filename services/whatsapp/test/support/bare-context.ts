import { randomUUID } from "node:crypto";
import { transaction } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { sealSecret } from "@airtower/platform/sealing/sealed-secret";
import type { TestDatabase } from "@airtower/platform/testing/database";
import { testKeyRing } from "@airtower/platform/testing/keys";
import { silentLog } from "@airtower/platform/testing/log";
import { createLease } from "@airtower/platform/work/lease";
import { SendWhatsAppMessageSchema } from "@airtower/proto/whatsapp/v1/whatsapp";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { acceptMessages } from "../../src/accepting/accept-messages.ts";
import { type Context, createContext, type Limits } from "../../src/context.ts";
import type { SubmitResult } from "../../src/domain/attempt-outcome.ts";
import { rescueDispatch } from "../../src/jobs/rescue-dispatch.ts";
import type { OutgoingMessage, Provider } from "../../src/provider/provider.ts";
import { findTracedMessage } from "../../src/store/messages.ts";
import { insertPhoneNumber } from "../../src/store/phone-numbers.ts";
import { upsertTemplates } from "../../src/store/template-changes.ts";

/** Nobody renews it, and a busy machine may take long for a file's tests, ms. */
const LEASE_MS = 600_000;

/** A provider under the test's hand: each submit waits for its response. */
export interface HeldProvider extends Provider {
	readonly submitted: readonly OutgoingMessage[];
	/** Responds to a submit; by default as taken. */
	respond(messageId: string, result?: SubmitResult): void;
}

export function createHeldProvider(): HeldProvider {
	const submitted: OutgoingMessage[] = [];
	const open = new Map<string, (result: SubmitResult) => void>();
	return {
		submitted,
		submit: (message) =>
			new Promise((resolve) => {
				submitted.push(message);
				open.set(message.messageId, resolve);
			}),
		respond: (messageId, result) =>
			open.get(messageId)?.(
				result ?? {
					kind: "taken",
					providerMessageId: `wamid.${messageId}`,
					waId: undefined,
				},
			),
		listTemplates: async () => [],
		close: async () => {},
	};
}

/** One process of the service without its loops: the tests run each step themselves. */
export async function bareContext(
	database: TestDatabase,
	provider: Provider,
	limits: Partial<Limits> = {},
): Promise<Context> {
	const sql = database.connect();
	return createContext({
		sql,
		lease: await createLease(sql, LEASE_MS, silentLog),
		log: silentLog,
		metrics: createMetrics("whatsapp"),
		ring: testKeyRing,
		provider,
		appSecret: "app-secret",
		verifyToken: "verify-token",
		signal: new AbortController().signal,
		wakeRelay: () => {},
		limits: {
			validityMs: 86_400_000,
			unknownWaitMs: 86_400_000,
			ratePerSecond: 1_000,
			maxInFlight: 500,
			bodyDays: 30,
			recordMonths: 13,
			...limits,
		},
	});
}

export interface OwnNumber {
	readonly organizationId: string;
	readonly phoneNumberId: string;
	readonly providerId: string;
}

let phones = 0;

/** Each once: of a thousand numbers drawn at random two are now and then the same, and the second is not stored. */
function nextPhone(): string {
	phones++;
	return `+1555${String(phones).padStart(8, "0")}`;
}

/** An organization with a number and one approved template without placeholders. */
export async function addNumber(ctx: Context): Promise<OwnNumber> {
	const organizationId = randomUUID();
	const phoneNumberId = uuidv7();
	const providerId = randomUUID();
	await transaction(ctx.sql, async (sql) => {
		await insertPhoneNumber(sql, {
			organizationId,
			id: phoneNumberId,
			phone: nextPhone(),
			providerPhoneNumberId: providerId,
			providerAccountId: "account",
			accessToken: sealSecret(ctx.ring, "token", phoneNumberId),
		});
		const template = {
			providerTemplateId: "1",
			name: "notice",
			language: "en_US",
			...({ category: "utility", status: "approved", body: "Hello" } as const),
			parameterCount: 0,
			parameterNames: undefined,
			bodyOnly: true,
		};
		await upsertTemplates(
			sql,
			organizationId,
			"account",
			[template],
			new Date(),
		);
	});
	return { organizationId, phoneNumberId, providerId };
}

/** Accepts `count` template messages and returns their ids. */
export function accept(
	ctx: Context,
	own: OwnNumber,
	count = 1,
): Promise<string[]> {
	return acceptOfEach(
		ctx,
		Array.from({ length: count }, () => own),
	);
}

/** Accepts, in one batch, a template message of each number and returns their ids. */
export async function acceptOfEach(
	ctx: Context,
	numbers: readonly OwnNumber[],
): Promise<string[]> {
	const messages = numbers.map(({ organizationId, phoneNumberId }, index) => ({
		organizationId,
		phoneNumberId,
		to: `+3361234${String(5_000 + index).padStart(4, "0")}`,
		content: {
			case: "template" as const,
			value: { name: "notice", language: "en_US", category: "utility" },
		},
	}));
	return acceptAll(ctx, messages);
}

/** Accepts these messages in one batch and returns their ids. */
export async function acceptAll(
	ctx: Context,
	messages: readonly MessageInitShape<typeof SendWhatsAppMessageSchema>[],
): Promise<string[]> {
	const neverGivesUp = new AbortController().signal;
	const given = messages.map((one) => create(SendWhatsAppMessageSchema, one));
	const results = await acceptMessages(ctx, given, neverGivesUp);
	return results.map(({ result }) => {
		if (result.case !== "accepted") throw new Error(result.value?.reason);
		return result.value.messageId;
	});
}

/** Another process takes over from this one, as if it stood still for longer than its lease. */
export async function endLease(ctx: Context, other: Context): Promise<void> {
	await ctx.sql`
		update leases
		set lease_until = renewed_at
		where token = ${ctx.lease.token()}
	`;
	await rescueDispatch(other);
	await ctx.lease.renew();
}

export async function statusOf(ctx: Context, id: string): Promise<string> {
	return (await findTracedMessage(ctx.sql, id))?.status ?? "";
}

/** Outcome events that wait in the outbox for one message. */
export async function outcomesOf(ctx: Context, id: string): Promise<number> {
	return (await ctx.sql`select from outbox where key = ${id}`).length;
}
