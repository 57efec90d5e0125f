import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { toStoredTrace } from "@airtower/platform/tracing/spans";
import { accept, refuse } from "@airtower/platform/work/batch";
import type { Storable } from "@airtower/platform/work/store-batch";
import type {
	ReservationGranted,
	ReservationResult,
} from "@airtower/proto/accounts/v1/accounts";
import {
	type MessageAccepted,
	MessageAcceptedSchema,
} from "@airtower/proto/messaging/v1/messaging";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Context } from "../context.ts";
import type { NewMessage } from "../store/messages.ts";
import type { SendItem } from "./check-messages.ts";
import type { RoutedMessage } from "./decide-messages.ts";

export interface PaidMessage extends Storable<MessageAccepted> {
	readonly row: NewMessage;
}

const CHANNEL = "sms";

/** Pays for each message, in one call; refuses what cannot be paid. */
export async function reserveQuota(
	ctx: Context,
	messages: readonly RoutedMessage[],
): Promise<PaidMessage[]> {
	if (messages.length === 0) return [];
	const rows = messages.map((message) => toRow(ctx, message));
	const results = await callReserve(ctx, rows);
	return messages.flatMap(({ item }, index) => {
		const [row, result] = [rows[index], results?.[index]?.result];
		if (row !== undefined && result?.case === "granted")
			return [{ item, row, accepted: toAccepted(row, result.value) }];
		refuseUnpaid(item, result);
		return [];
	});
}

function refuseUnpaid(
	item: SendItem,
	result: ReservationResult["result"] | undefined,
): void {
	const isRefused = result?.case === "refused";
	refuse(item, isRefused ? result.value : "service_unavailable");
}

function toAccepted(
	{ id: messageId, route, sendAt }: Pick<NewMessage, "id" | "route" | "sendAt">,
	{ remaining: remainingQuota }: ReservationGranted,
): MessageAccepted {
	return create(MessageAcceptedSchema, {
		messageId,
		route,
		remainingQuota,
		...(sendAt && { sendAt: timestampFromDate(sendAt) }),
	});
}

function toRow(ctx: Context, message: RoutedMessage): NewMessage {
	const { item, id, recipient, segments, lane, sendAt, sender } = message;
	const { route, rulesVersion } = message;
	const { body, clientReference, campaignId, messageClass } = item.message;
	return {
		id,
		organizationId: item.organizationId,
		recipient,
		body,
		senderId: sender.id,
		senderValue: sender.value,
		clientReference: clientReference === "" ? null : clientReference,
		campaignId: campaignId === "" ? null : campaignId,
		segments,
		lane,
		concatReference: nextReference(ctx.references, {
			sender: sender.value,
			recipient,
			text: body,
		}),
		route,
		rulesVersion,
		messageClass: messageClass === "" ? null : messageClass,
		sendAt,
		traceparent: toStoredTrace("accept message", item.message.traceparent),
	};
}

const REFERENCES = 256;
/** The longest text that is one part in every alphabet, UTF-16 units. */
const ALWAYS_ONE_PART = 70;

interface ReferencedText {
	readonly sender: string;
	readonly recipient: string;
	readonly text: string;
}

/**
 * The reference that ties the parts of a text together (3GPP TS 23.040, 9.2.3.24.1), 0 to 255; 0 for a text that never
 * needs one.
 * @param last the last one of each sender and recipient
 * @param firstOf where the count of a new pair begins; spread, so that replicas seldom agree
 */
export function nextReference(
	last: Context["references"],
	{ sender, recipient, text }: ReferencedText,
	firstOf: () => number = () => Math.floor(Math.random() * REFERENCES),
): number {
	if (text.length <= ALWAYS_ONE_PART) return 0;
	const pair = `${sender} ${recipient}`;
	const previous = last.get(pair);
	const reference =
		previous === undefined ? firstOf() : (previous + 1) % REFERENCES;
	last.set(pair, reference);
	return reference;
}

async function callReserve(
	ctx: Context,
	rows: readonly NewMessage[],
): Promise<ReservationResult[] | undefined> {
	const response = await callAccounts(ctx, ({ reserveQuota }) =>
		reserveQuota({
			reservations: rows.map(({ id, organizationId, campaignId }) => ({
				organizationId,
				messageId: id,
				channel: CHANNEL,
				campaignId: campaignId ?? "",
			})),
		}),
	);
	return response?.results;
}

/** Undefined when no response came: accounts gives back what it debited all the same. */
async function callAccounts<R>(
	{ accounts, log }: Context,
	call: (accounts: Context["accounts"]) => Promise<R>,
): Promise<R | undefined> {
	try {
		return await call(accounts);
	} catch (error) {
		if (domainErrorFrom(error) === undefined) throw error;
		log.warn({ err: error }, "accounts did not decide about quota");
		return undefined;
	}
}

/**
 * Tells for each message alone what a reservation would, and debits nothing; refuses what could not be paid.
 * Returns the balances before the messages, by organization; those of unknown organizations are 0.
 */
export async function previewQuota(
	ctx: Context,
	messages: readonly RoutedMessage[],
): Promise<ReadonlyMap<string, bigint>> {
	if (messages.length === 0) return new Map();
	const ids = [...new Set(messages.map(({ item }) => item.organizationId))];
	const response = await callAccounts(ctx, (accounts) =>
		accounts.previewQuota({ organizationIds: ids }),
	);
	const previews = new Map(
		response?.results.map((preview, index) => [ids[index] ?? "", preview]),
	);
	for (const { item, route, sendAt } of messages) {
		const { result } = previews.get(item.organizationId)?.reservation ?? {};
		if (result?.case === "granted")
			accept(item, toAccepted({ id: "", route, sendAt }, result.value));
		else refuseUnpaid(item, result);
	}
	return new Map(
		[...previews].map(([id, { remaining }]) => [id, remaining] as const),
	);
}

const RELEASE_NOTE = "The message was not stored.";

/** Gives back what was reserved for messages that are certain not to be stored; never throws. */
export async function releaseQuota(
	ctx: Context,
	messages: readonly PaidMessage[],
): Promise<void> {
	if (messages.length === 0) return;
	try {
		await ctx.accounts.releaseQuota({
			releases: messages.map(({ row }) => ({
				organizationId: row.organizationId,
				messageId: row.id,
				note: RELEASE_NOTE,
			})),
		});
	} catch (error) {
		ctx.log.warn({ err: error }, "quota could not be released");
	}
}
