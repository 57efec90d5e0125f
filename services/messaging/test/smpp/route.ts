import { createLogger } from "@airtower/platform/runtime/log";
import { eventually } from "@airtower/platform/testing/eventually";
import { type Smsc, startSmsc } from "@airtower/simulators/smsc/smsc";
import type { SmscOptions } from "@airtower/simulators/smsc/smsc-options";
import { expect, onTestFinished } from "vitest";
import type { InboundPart } from "../../src/domain/inbound/inbound-part.ts";
import type { Receipt } from "../../src/domain/receipts/receipt.ts";
import type { PartResult } from "../../src/domain/submit-result.ts";
import type { Operator } from "../../src/operators/operator.ts";
import type { OutgoingMessage } from "../../src/operators/outgoing-message.ts";
import { parseSmppRoute } from "../../src/operators/route/smpp-route.ts";
import type { SmppLimits } from "../../src/operators/session/smpp-limits.ts";
import { createSmppOperator } from "../../src/operators/smpp-operator.ts";

interface RouteOptions {
	/** Options of the route URL. */
	readonly query?: string;
	/** Default "smpp". */
	readonly scheme?: "smpp" | "smpps";
	/** Default 127.0.0.1. */
	readonly host?: string;
	readonly smsc?: SmscOptions;
	readonly limits?: Partial<SmppLimits>;
	readonly onReceipt?: (receipt: Receipt) => Promise<void>;
	readonly onMessage?: (part: InboundPart) => Promise<void>;
	/** Default true: resolves once every bind is up. */
	readonly waitForBind?: boolean;
	readonly password?: string;
	/** Status with which the simulator responds to binds from the start. */
	readonly bindStatus?: number;
}

/** A route bound to a simulator of its own, both stopped after the test. */
interface Route {
	readonly operator: Operator;
	readonly smsc: Smsc;
	/** Receipts in order of arrival. */
	readonly receipts: Receipt[];
	/** Texts to us, in order of arrival. */
	readonly messages: InboundPart[];
	/** Log lines, as JSON text. */
	readonly logs: string[];
	submit(message?: Partial<OutgoingMessage>): Promise<readonly PartResult[]>;
}

/** Short enough for tests, long enough for a busy machine. */
const TEST_LIMITS: Partial<SmppLimits> = {
	reconnectMinMs: 20,
	reconnectMaxMs: 50,
	unbindTimeoutMs: 200,
	throttleMinMs: 100,
	responseTimeoutMs: 5_000,
	rateAfterMs: 0,
};

/** An ordinary recipient, delivered at once. */
const RECIPIENT = "+33612349999";

export async function startRoute(options: RouteOptions = {}): Promise<Route> {
	const smsc = await startSmsc({
		...options.smsc,
		settings: { receiptDelayMs: 0, ...options.smsc?.settings },
	});
	smsc.refuseBinds(options.bindStatus ?? 0);
	const receipts: Receipt[] = [];
	const messages: InboundPart[] = [];
	const logs: string[] = [];
	const log = createLogger({
		service: "test",
		level: "debug",
		destination: { write: (line) => logs.push(line) },
	});
	const { scheme = "smpp", host = "127.0.0.1", query = "" } = options;
	const url = `${scheme}://airtower:${options.password ?? "airtower"}@${host}:${smsc.port}?${query}`;
	const limits = { ...TEST_LIMITS, ...options.limits };
	const operator = createSmppOperator(parseSmppRoute(url), log, limits);
	onTestFinished(async () => {
		await Promise.all([operator.close(), smsc.close()]);
	});
	operator.start({
		onReceipt: async (receipt) => {
			await options.onReceipt?.(receipt);
			receipts.push(receipt);
		},
		onMessage: async (part) => {
			await options.onMessage?.(part);
			messages.push(part);
		},
	});
	holdAll(operator);
	if (options.waitForBind ?? true) await bound(operator);
	const submit = async (message: Partial<OutgoingMessage> = {}) =>
		(await operator.submit(outgoing(message))).parts;
	return { operator, smsc, receipts, messages, logs, submit };
}

/** As if no other process delivered on the route. */
export function holdAll(operator: Operator): void {
	const all = Array.from({ length: operator.binds }, (_, slot) => slot);
	operator.hold(all, () => true);
}

/** Resolves once every bind of a route is up. */
export function bound(operator: Operator): Promise<void> {
	return eventually(() => {
		const { binds, bindsWanted } = operator.status();
		expect(binds).toBe(bindsWanted);
	});
}

export function outgoing(
	message: Partial<OutgoingMessage> = {},
): OutgoingMessage {
	return {
		messageId: "0199a1b2-0000-7000-8000-000000000001",
		organizationId: "0199a1b2-0000-7000-8000-0000000000aa",
		lane: 1,
		clientReference: null,
		attempt: 1,
		to: RECIPIENT,
		sender: "Airtower",
		body: "Hello",
		validitySeconds: 86_400,
		reference: 7,
		...message,
	};
}

/** Whether a receipt reports on an accepted part, as a store would find out. */
export function matches(
	receipt: Receipt | undefined,
	part: PartResult | undefined,
): boolean {
	if (part?.kind !== "accepted" || receipt === undefined) return false;
	return receipt.matchKeys.includes(part.storeKey);
}
