import { isUuid } from "@airtower/platform/runtime/ids";
import { isSenderIdValue } from "../domain/sender-id-value.ts";
import type { SenderRow } from "../store/sender-ids.ts";
import type { Answers } from "./answers.ts";
import type { AddressedCandidate, CheckedCandidate } from "./candidates.ts";
import type { SenderMemory } from "./sender-memory.ts";

export interface AddressedBatch {
	readonly addressed: readonly AddressedCandidate[];
	/** When the first of the senders was looked up, by the database's clock. */
	readonly lookedUpAt: Date;
}

/** Finds the sender of each message, by one query at most; refuses those that may not send under theirs. */
export async function resolveSenders(
	memory: SenderMemory,
	candidates: readonly CheckedCandidate[],
	answers: Answers,
): Promise<AddressedBatch> {
	const rows =
		candidates.length === 0 ? [] : await memory.find(wantedBy(candidates));
	const senders = indexSenders(rows);
	const addressed: AddressedCandidate[] = [];
	for (const candidate of candidates) {
		const sender = chooseSender(candidate, senders, answers);
		if (sender !== undefined)
			addressed.push({
				...candidate,
				senderId: sender.id,
				senderValue: sender.value,
			});
	}
	return { addressed, lookedUpAt: earliest(rows) };
}

function earliest(rows: readonly SenderRow[]): Date {
	const times = rows.map((row) => row.lookedUpAt.getTime());
	return new Date(rows.length === 0 ? 0 : Math.min(...times));
}

function wantedBy(candidates: readonly CheckedCandidate[]) {
	const byId = new Map<string, { organizationId: string; id: string }>();
	const byValue = new Map<string, { organizationId: string; value: string }>();
	const defaultsOf = new Set<string>();
	for (const { organizationId, message } of candidates) {
		const { senderId: id, senderName: value } = message;
		if (id === "" && value === "") defaultsOf.add(organizationId);
		if (isUuid(id)) byId.set(`${organizationId} ${id}`, { organizationId, id });
		if (isSenderIdValue(value))
			byValue.set(`${organizationId} ${value}`, { organizationId, value });
	}
	return {
		byId: [...byId.values()],
		byValue: [...byValue.values()],
		defaultsOf: [...defaultsOf],
	};
}

interface SenderIndex {
	readonly byId: ReadonlyMap<string, SenderRow>;
	readonly byValue: ReadonlyMap<string, SenderRow>;
	readonly defaults: ReadonlyMap<string, SenderRow>;
}

function indexSenders(rows: readonly SenderRow[]): SenderIndex {
	return {
		byId: new Map(rows.map((row) => [`${row.organizationId} ${row.id}`, row])),
		byValue: new Map(
			rows.map((row) => [`${row.organizationId} ${row.value}`, row]),
		),
		defaults: new Map(
			rows
				.filter((row) => row.isDefault)
				.map((row) => [row.organizationId, row]),
		),
	};
}

/** The approved sender that the message names, or undefined once it is refused. */
function chooseSender(
	candidate: CheckedCandidate,
	senders: SenderIndex,
	answers: Answers,
): SenderRow | undefined {
	const { senderId, senderName } = candidate.message;
	const field =
		senderId === "" && senderName !== "" ? "senderName" : "senderId";
	const sender = namedSender(candidate, senders);
	if (sender === undefined)
		answers.refuse(
			candidate,
			senderId === "" && senderName === ""
				? "sender_required"
				: "unknown_sender",
			field,
		);
	else if (senderName !== "" && sender.value !== senderName)
		answers.refuse(candidate, "unknown_sender", "senderName");
	else if (sender.status !== "approved")
		answers.refuse(candidate, "sender_not_approved", field);
	else return sender;
	return undefined;
}

function namedSender(
	{ organizationId, message }: CheckedCandidate,
	senders: SenderIndex,
): SenderRow | undefined {
	const { senderId, senderName } = message;
	if (senderId !== "")
		return senders.byId.get(`${organizationId} ${senderId.toLowerCase()}`);
	if (senderName !== "")
		return senders.byValue.get(`${organizationId} ${senderName}`);
	return senders.defaults.get(organizationId);
}
