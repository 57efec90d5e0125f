import type { Db } from "@airtower/platform/database/database";
import { isUuid } from "@airtower/platform/runtime/ids";
import { refuse } from "@airtower/platform/work/batch";
import type { ErrorDetail } from "@airtower/proto/common/v1/error_detail";
import { LRUCache } from "lru-cache";
import { isSenderIdValue } from "../domain/sender-id-value.ts";
import {
	findSenders,
	type SenderRow,
	type WantedSender,
} from "../store/senders/sender-ids.ts";
import {
	type CheckedMessage,
	messageRefusal,
	type SendItem,
} from "./check-messages.ts";

export interface AddressedMessage extends CheckedMessage {
	readonly sender: SenderRow;
}

/** Finds the sender of each message, by one query at most; refuses those that may not send under theirs. */
export async function resolveSenders(
	memory: SenderMemory,
	messages: readonly CheckedMessage[],
): Promise<AddressedMessage[]> {
	const wanted = messages.map(({ item }) => toWanted(item));
	const senders = await memory.find(wanted.filter(mayExist));
	return messages.flatMap((message) => {
		const { item } = message;
		const sender = senders.get(senderKey(toWanted(item)));
		const refusal = refusalOf(item, sender);
		if (refusal !== undefined) refuse(item, refusal);
		return sender === undefined || refusal !== undefined
			? []
			: [{ ...message, sender }];
	});
}

function toWanted({ organizationId, message }: SendItem): WantedSender {
	const { senderId: id, senderName: value } = message;
	return { organizationId, id, value };
}

function mayExist({ id, value }: WantedSender): boolean {
	if (id) return isUuid(id);
	return !value || isSenderIdValue(value);
}

function refusalOf(
	{ message: { senderId, senderName } }: SendItem,
	sender: SenderRow | undefined,
): ErrorDetail | undefined {
	const isNamed = senderId !== "" || senderName !== "";
	const field =
		senderId === "" && senderName !== "" ? "senderName" : "senderId";
	if (sender === undefined)
		return messageRefusal(
			isNamed ? "unknown_sender" : "sender_required",
			field,
		);
	if (senderName !== "" && sender.value !== senderName)
		return messageRefusal("unknown_sender", "senderName");
	if (sender.status !== "approved")
		return messageRefusal("sender_not_approved", field);
	return undefined;
}

/** What another process decides counts after this at the latest, ms. */
const REMEMBERED_MS = 1_000;
const MAX_REMEMBERED = 10_000;

/** Approved senders that were looked up just now; nothing else is remembered, so that an approval counts at once. */
export interface SenderMemory {
	/** By the keys of those that were found. */
	find(
		wanted: readonly WantedSender[],
	): Promise<ReadonlyMap<string, SenderRow>>;
	forget(organizationId: string): void;
}

/** @param now a clock that never goes back, ms, above 0 */
export function createSenderMemory(
	sql: Db,
	now: () => number = () => performance.now(),
): SenderMemory {
	const remembered = new LRUCache<string, SenderRow>({
		max: MAX_REMEMBERED,
		ttl: REMEMBERED_MS,
		ttlResolution: 0,
		perf: { now },
	});
	return {
		async find(wanted) {
			const found = new Map<string, SenderRow>();
			const missing = new Map<string, WantedSender>();
			for (const one of wanted) {
				const key = senderKey(one);
				const row = remembered.get(key);
				if (row === undefined) missing.set(key, one);
				else found.set(key, row);
			}
			if (missing.size === 0) return found;
			for (const row of await findSenders(sql, [...missing.values()]))
				for (const key of keysOf(row)) {
					found.set(key, row);
					if (row.status === "approved") remembered.set(key, row);
				}
			return found;
		},
		forget(organizationId) {
			for (const [key, row] of [...remembered.entries()])
				if (row.organizationId === organizationId) remembered.delete(key);
		},
	};
}

function senderKey({ organizationId, id, value }: WantedSender): string {
	if (id) return `id ${organizationId} ${id.toLowerCase()}`;
	return value ? `value ${organizationId} ${value}` : organizationId;
}

function keysOf({ organizationId, id, value, isDefault }: SenderRow): string[] {
	const names = [{ id }, { value }, ...(isDefault ? [{}] : [])];
	return names.map((name) => senderKey({ organizationId, ...name }));
}
