import { transaction } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { keyRingText } from "@airtower/platform/testing/keys";
import { silentLog } from "@airtower/platform/testing/log";
import { testRpcClient } from "@airtower/platform/testing/rpc-client";
import { ReceiptDoctorService } from "@airtower/proto/messaging/v1/receipt_doctor";
import { onTestFinished } from "vitest";
import { createCommonContext } from "../../src/context.ts";
import { createDeliveryContext } from "../../src/delivery.ts";
import {
	canonicalKeys,
	ID_SCHEMES,
	receiptKeys,
} from "../../src/domain/operator-message-id.ts";
import { numberTails } from "../../src/domain/receipts/receipt.ts";
import { retryReceipts } from "../../src/jobs/retry-receipts.ts";
import { fixedRoutes } from "../../src/routes/routes.ts";
import { openRouting } from "../../src/routes/routing.ts";
import { insertParts } from "../../src/store/parts.ts";
import { insertReceipts } from "../../src/store/receipts/receipts.ts";
import { LIMITS } from "../support/messaging.ts";
import { startTestService } from "../support/service.ts";

/** A message that an operator has taken, and what its receipt says. */
export interface Told {
	/** Id in the response. */
	readonly responded: string;
	/** Id in the receipt; undefined: none comes. */
	readonly receipted?: string;
	readonly to: string;
	/** Account of whose connection the message went out; that of the first route unless said. */
	readonly account?: string;
	/** Account that the receipt came for; that of the message unless said. */
	readonly receiptOn?: string;
	/** Numbers that the receipt names; recipient and sender unless said. */
	readonly names?: readonly string[];
	/** Text of the receipt, which has its id alone unless said. */
	readonly raw?: string;
	/** Unix time, ms; an hour ago unless said. */
	readonly submittedAt?: number;
}

const AUTO = { responseIds: "auto", receiptIds: "auto" } as const;
const SENDER = "Airtower";

/**
 * Routes `one` and `two`, each the account of its name; nothing delivers, and receipts are looked at when a test says
 * so.
 */
export async function startDoctorWorld(ids: string) {
	const service = await startTestService({
		realOperator: true,
		env: {
			MESSAGING_ROLE: "accept",
			ENCRYPTION_KEYS: keyRingText(),
			SMPP_ROUTE_URL: `smpp://test:test@127.0.0.1:9?code=one&account=one&ids=${ids}`,
		},
	});
	onTestFinished(() => service.close());
	const { sql, admin } = service;
	await admin.addRoute({
		code: "two",
		kind: "smpp",
		settings: {
			address: "smpp://test@127.0.0.1:9",
			password: "test",
			account: "two",
			ids,
		},
	});
	await admin.listRoutes({});
	const doctor = doctorClient(service.running.port);
	const delivery = await createDeliveryContext(
		createCommonContext({
			sql,
			log: silentLog,
			metrics: createMetrics("messaging"),
			limits: LIMITS,
		}),
		{
			signal: new AbortController().signal,
			wakeRelay: () => {},
			wakeDispatch: () => {},
			routes: await openRouting(sql, fixedRoutes([])),
		},
	);
	const organization = uuidv7();
	const scheme = ID_SCHEMES.get(ids) ?? AUTO;

	/** Stores messages as submitted and then their receipts as parked; returns the messages' ids. */
	async function tell(all: readonly Told[]): Promise<string[]> {
		const hourAgo = Date.now() - 3_600_000;
		const rows = all.map(({ submittedAt = hourAgo, ...one }, nth) => ({
			...one,
			id: uuidv7(submittedAt + nth),
			at: new Date(submittedAt),
			account: one.account ?? "one",
		}));
		await transaction(sql, async (sql) => {
			await sql`
				insert into messages (
					id, organization_id, recipient, body, sender_id, sender_value, segments,
					concat_reference, route, status, part_count, accepted_at, submitted_at
				)
				select
					id, ${organization}, "to", 'Hello', id, ${SENDER}, 1, 0, account, 'submitted', 1, at, at
				from ${unnest(sql, rows, { id: "uuid", to: "text", account: "text", at: "timestamptz" }, { names: { to: '"to"' } })}
			`;
			await insertParts(
				sql,
				rows.map(({ id, account, responded }) => ({
					messageId: id,
					number: 1,
					partCount: 1,
					operatorAccount: account,
					operatorMessageId: responded,
					operatorKey: canonicalKeys(responded, scheme.responseIds)[0] ?? "",
					receiptsBefore: 0,
				})),
			);
			await insertReceipts(
				sql,
				rows.flatMap(({ receipted, ...one }) => {
					if (receipted === undefined) return [];
					const named = one.names ?? [one.to, SENDER];
					return [
						{
							operatorAccount: one.receiptOn ?? one.account,
							operatorMessageId: receipted,
							matchKeys: receiptKeys(
								{
									operatorMessageId: receipted,
									isTlv: false,
									textId: receipted,
								},
								scheme,
							),
							numberTails: numberTails(named),
							addresses: named.map((name) =>
								name.replace("+", "").toLowerCase(),
							),
							state: "delivered" as const,
							operatorError: "DELIVRD",
							raw: one.raw ?? `id:${receipted} stat:DELIVRD`,
							delayMs: 900_000,
						},
					];
				}),
			);
		});
		return rows.map(({ id }) => id);
	}

	return {
		...service,
		doctor,
		tell,
		/** Applies a proposal to its end; returns what it did. */
		async apply(account: string, proposal: string) {
			const done = { routes: [] as string[], parts: 0, receipts: 0, steps: 0 };
			let cursor = "";
			do {
				const step = await doctor.applyDiagnosis({ account, proposal, cursor });
				done.routes.push(...step.routesChanged);
				done.parts += Number(step.partsRekeyed);
				done.receipts += Number(step.receiptsReplayed);
				done.steps++;
				cursor = step.cursor;
			} while (cursor !== "");
			return done;
		},
		/** Looks at the receipts that are due. */
		async replay() {
			while ((await retryReceipts(delivery)) > 0);
		},
		/** Events by message, each message once. */
		async delivered(): Promise<string[]> {
			const rows = await sql<{ id: string }[]>`
				select id
				from messages
				where status = 'delivered'
				order by id
			`;
			return rows.map(({ id }) => id);
		},
		async parked(): Promise<number> {
			const rows = await sql`select from receipts`;
			return rows.count;
		},
	};
}

/** The n-th recipient, of whom no other has the last digits. */
export const numberOf = (n: number) => `+3361${String(2_000_000 + n)}`;

export function doctorClient(rpcPort: number, organization = "*") {
	return testRpcClient({
		baseUrl: `http://127.0.0.1:${rpcPort}`,
		audience: "messaging",
		service: ReceiptDoctorService,
		organization,
	});
}
