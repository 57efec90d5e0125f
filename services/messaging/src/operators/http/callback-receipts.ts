import type { MessageFailureReason } from "../../domain/failure-reason.ts";
import { canonicalKeys } from "../../domain/operator-message-id.ts";
import {
	numberTails,
	plainAddresses,
	type Receipt,
} from "../../domain/receipts/receipt.ts";
import type { ReceiptState } from "../../domain/receipts/receipt-meaning.ts";
import { type Callback, readFields } from "./callback.ts";
import type { Description } from "./description.ts";
import { findOwn, findText, findValue } from "./find-value.ts";
import type { HttpRoute } from "./http-route.ts";

type CallbackSpec = Description["callback"];

/** The receipts of a callback; `unreadable` counts those that name no message or no state. */
export function readReceipts(
	callback: Callback,
	route: HttpRoute,
): { readonly receipts: Receipt[]; readonly unreadable: number } {
	const spec = route.description.callback;
	const fields = readFields(callback);
	const list = spec.receipts ? findValue(fields, spec.receipts) : [fields];
	const entries: unknown[] = Array.isArray(list) ? list : [undefined];
	const receipts = entries.flatMap((entry) => readReceipt(entry, spec, route));
	return { receipts, unreadable: entries.length - receipts.length };
}

function readReceipt(
	entry: unknown,
	spec: CallbackSpec,
	{ account }: HttpRoute,
): Receipt[] {
	const operatorMessageId = findText(entry, spec.id)?.trim();
	const status = findText(entry, spec.status)?.trim();
	if (!operatorMessageId || !status) return [];
	const code = findText(entry, spec.error);
	const operatorError = code === undefined ? status : `${status} err:${code}`;
	const addresses = [findText(entry, spec.to), findText(entry, spec.from)];
	return [
		{
			...meaningOf(status, code, spec),
			operatorAccount: account,
			operatorMessageId,
			matchKeys: canonicalKeys(operatorMessageId, "exact"),
			numberTails: numberTails(addresses),
			addresses: plainAddresses(addresses),
			operatorError,
			raw: `id:${operatorMessageId} stat:${operatorError}`,
		},
	];
}

/** A status that the description does not name is "intermediate": a later receipt may still say how it ended. */
function meaningOf(
	status: string,
	code: string | undefined,
	{ states, reasons }: CallbackSpec,
): { readonly state: ReceiptState; readonly reason?: MessageFailureReason } {
	const word = status.toLowerCase();
	const [, meaning = "intermediate"] =
		Object.entries(states).find(([one]) => one.toLowerCase() === word) ?? [];
	if (meaning === "delivered" || meaning === "intermediate")
		return { state: meaning };
	const reason = code === undefined ? undefined : findOwn(reasons, code);
	return { state: "failed", reason: reason ?? meaning };
}
