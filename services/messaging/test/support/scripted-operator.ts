import type { UnknownPolicy } from "../../src/domain/attempt-outcome.ts";
import type { Receipt } from "../../src/domain/receipts/receipt.ts";
import type {
	PartOutcome,
	SubmitResult,
} from "../../src/domain/submit-result.ts";
import type {
	Operator,
	OperatorHandlers,
} from "../../src/operators/operator.ts";
import type { OutgoingMessage } from "../../src/operators/outgoing-message.ts";
import type { OperatorRoute } from "../../src/operators/route/operator-route.ts";

/** What the operator responds for one part of a message. */
export type Script = (
	message: OutgoingMessage,
	part: number,
) => PartOutcome | Promise<PartOutcome>;

/** An operator of another company, as the port shows it: it does what the test says. */
export interface ScriptedOperator extends Operator {
	/** Every submit, in order. */
	readonly submits: OutgoingMessage[];
	/** Parts that each message has here. */
	parts: number;
	/** How it splits texts. */
	split: number | undefined;
	script: Script;
	slots: number;
	mayAddParts: boolean;
	unknownPolicy: UnknownPolicy;
	binds: number;
	/** While it is true, what is given up is not closed yet. */
	closing: boolean;
	bound: boolean;
	/** Why it is not bound. */
	lastError: string | undefined;
	pausedUntil: Date | undefined;
	throttledSince: Date | undefined;
	nextTryAt: Date | undefined;
	/** Settings that it was given while it ran. */
	readonly changes: OperatorRoute[];
	isClosed: boolean;
	/** How often it was asked to connect. */
	reconnects: number;
	/** Id that the operator gave to the latest submit of a part. */
	idOf(messageId: string, part?: number): string;
	/** Delivers a receipt; resolves when it is stored. */
	receipt(
		operatorMessageId: string,
		state: Receipt["state"],
		more?: Partial<Receipt>,
	): Promise<void>;
}

export const ACCOUNT = "account-1";

export function createScriptedOperator(
	code = "scripted",
	account = ACCOUNT,
): ScriptedOperator {
	const ids = new Map<string, string>();
	const listeners: (() => void)[] = [];
	let handlers: OperatorHandlers | undefined;
	let next = 1;
	let outstanding = 0;
	let open: readonly number[] = [];

	const operator: ScriptedOperator = {
		code,
		account,
		submits: [],
		parts: 1,
		split: undefined,
		script: () => acceptedAs(`${code}-${next++}`),
		slots: 1_000,
		mayAddParts: false,
		unknownPolicy: "setting",
		bound: true,
		lastError: undefined,
		pausedUntil: undefined,
		throttledSince: undefined,
		nextTryAt: undefined,
		reconnects: 0,
		binds: 1,
		closing: false,
		get window() {
			return operator.slots;
		},
		capacity: () => (operator.bound ? operator.slots - outstanding : 0),
		onCapacity: (listener) => listeners.push(listener),
		async submit(message): Promise<SubmitResult> {
			operator.submits.push(message);
			const total = operator.parts;
			const all = Array.from({ length: total }, (_, index) => index + 1);
			outstanding++;
			const { split } = operator;
			const { onlyParts = all, partCount = total, split: before } = message;
			const isResplit = partCount !== total || (before ?? split) !== split;
			const parts = await Promise.all(
				(isResplit ? all : onlyParts).map(async (part) => {
					const outcome = await operator.script(message, part);
					if (outcome.kind === "accepted")
						ids.set(`${message.messageId} ${part}`, outcome.operatorMessageId);
					return { part, ...outcome };
				}),
			);
			outstanding--;
			for (const listener of listeners) setImmediate(listener);
			return { total, parts, isResplit, ...(split && { split }) };
		},
		start(given) {
			handlers = given;
		},
		changes: [],
		change: (settings) => {
			operator.changes.push(settings);
		},
		hold: (slots) => {
			const kept = operator.closing ? open : [];
			open = [...new Set([...kept, ...slots])];
		},
		open: () => open,
		status: () => ({
			bound: operator.bound,
			binds: operator.bound ? 1 : 0,
			bindsWanted: 1,
			outstanding,
			queued: 0,
			...(operator.lastError && { lastError: operator.lastError }),
			...(operator.pausedUntil && { pausedUntil: operator.pausedUntil }),
			...(operator.throttledSince && {
				throttledSince: operator.throttledSince,
			}),
			...(operator.nextTryAt && { nextTryAt: operator.nextTryAt }),
		}),
		reconnect: () => {
			operator.reconnects++;
		},
		isClosed: false,
		close: async () => {
			operator.isClosed = true;
		},
		idOf(messageId, part = 1) {
			const id = ids.get(`${messageId} ${part}`);
			if (id === undefined) throw new Error("The part was never accepted.");
			return id;
		},
		async receipt(operatorMessageId, state, more = {}) {
			await handlers?.onReceipt({
				operatorAccount: account,
				operatorMessageId,
				matchKeys: [operatorMessageId],
				numberTails: [],
				addresses: [],
				state,
				operatorError: state === "failed" ? "UNDELIV 001" : "DELIVRD 000",
				...(state === "failed" && { reason: "undeliverable" as const }),
				raw: `id:${operatorMessageId}`,
				...more,
			});
		},
	};
	return operator;
}

export function acceptedAs(id: string): PartOutcome {
	return { kind: "accepted", operatorMessageId: id, storeKey: id };
}

export const refusedForNow: PartOutcome = {
	kind: "refused",
	permanent: false,
	reason: "operator_error",
	operatorError: "0x14",
};

export const refusedForGood: PartOutcome = {
	kind: "refused",
	permanent: true,
	reason: "rejected",
	operatorError: "0x0B",
};

export const unclear: PartOutcome = {
	kind: "unclear",
	reason: "operator_error",
	operatorError: "0x45",
};

export const throttled: PartOutcome = {
	kind: "throttled",
	operatorError: "0x58",
	retryAfterMs: 60_000,
};

export const unsent: PartOutcome = { kind: "unsent", why: "not bound" };

export const noResponse: PartOutcome = { kind: "unknown", why: "no response" };
