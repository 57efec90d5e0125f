import {
	closeInRounds,
	openBatch,
	toResults,
} from "@airtower/platform/work/batch";
import type {
	MessageAccepted,
	PreviewResultSchema,
	RouteShareSchema,
	SendMessage,
	TextPreviewSchema,
} from "@airtower/proto/messaging/v1/messaging";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Context } from "../context.ts";
import { findGroup } from "../domain/routing/choose-route.ts";
import {
	type RouteTable,
	toMicros,
	toShares,
} from "../domain/routing/route-table.ts";
import {
	describeParts,
	findForeignCharacters,
} from "../domain/text/text-preview.ts";
import { transliterate } from "../domain/text/transliteration.ts";
import type { SenderRow } from "../store/senders/sender-ids.ts";
import type { CheckedMessage, SendItem } from "./check-messages.ts";
import { decideMessages, type RoutedMessage } from "./decide-messages.ts";
import { previewQuota } from "./quota.ts";

/** What became known of a message, as far as the send would have come with it. */
interface Finding {
	readonly recipient: string;
	readonly sendAt?: Timestamp;
	readonly senderId?: string;
	readonly senderName?: string;
	readonly routes?: MessageInitShape<typeof RouteShareSchema>[];
	readonly quotaBefore?: bigint;
}

interface PreviewOptions {
	readonly describeTexts: boolean;
	/** When they would be sent, for quiet hours alone; undefined for now. */
	readonly at: Date | undefined;
}

/** Returns one result per message, in order: what the send would decide now about each of them alone. */
export async function previewMessages(
	ctx: Context,
	messages: readonly SendMessage[],
	{ describeTexts, at }: PreviewOptions,
): Promise<MessageInitShape<typeof PreviewResultSchema>[]> {
	const batch = openBatch<SendMessage, MessageAccepted>(
		messages.map(({ idempotency: _, ...message }) => message),
	);
	const findings = new Map<SendItem, Finding>();
	await closeInRounds(batch, ctx.log, (items) =>
		previewRound(ctx, items, findings, at),
	);
	return batch.flatMap((item) =>
		toResults([item]).map((result) => ({
			...findings.get(item),
			send: { result },
			text: toText(item.message.body, describeTexts),
		})),
	);
}

/** A route in trial is not asked for: whom it takes counts as given. */
async function previewRound(
	ctx: Context,
	items: readonly SendItem[],
	findings: Map<SendItem, Finding>,
	at: Date | undefined,
): Promise<void> {
	const table = ctx.routes.table();
	const routing = { table: () => table, mayTry: () => false };
	const decided = await decideMessages(ctx, items, routing, at);
	const balances = await previewQuota(ctx, decided.routed);
	for (const message of decided.checked)
		findings.set(message.item, toAddress(message));
	for (const message of decided.addressed)
		findings.set(message.item, {
			...toAddress(message),
			...toSender(message.sender),
		});
	for (const message of decided.routed) {
		const { item, sender } = message;
		const quotaBefore = balances.get(item.organizationId);
		findings.set(item, {
			...toAddress(message),
			...toSender(sender),
			routes: toRoutes(table, message),
			...(quotaBefore === undefined ? {} : { quotaBefore }),
		});
	}
}

function toAddress({ recipient, sendAt }: CheckedMessage) {
	if (sendAt === null) return { recipient };
	return { recipient, sendAt: timestampFromDate(sendAt) };
}

function toSender({ id, value }: SenderRow) {
	return { senderId: id, senderName: value };
}

function toRoutes(
	table: RouteTable,
	{ item, recipient, sender }: RoutedMessage,
): MessageInitShape<typeof RouteShareSchema>[] {
	const { organizationId } = item;
	const request = { recipient, sender: sender.value, organizationId };
	const group = findGroup(table, request);
	if (group === undefined) return [];
	return toShares(group.candidates).map((share) => {
		const cost = table.routes.get(share.route)?.cost;
		if (cost === undefined) return share;
		const { currency } = cost;
		return { ...share, segmentCostMicros: toMicros(cost), currency };
	});
}

function toText(
	body: string,
	isDescribed: boolean,
): MessageInitShape<typeof TextPreviewSchema> {
	const { encoding, partUnits } = describeParts(body);
	const parts = { encoding, partUnits: [...partUnits] };
	if (!isDescribed || encoding === "gsm7") return parts;
	const { characters, count } = findForeignCharacters(body);
	const plain = transliterate(body);
	return {
		...parts,
		foreignCharacters: characters.map(({ positions, ...character }) => ({
			...character,
			positions: [...positions],
		})),
		foreignCharacterCount: count,
		...(plain !== undefined && {
			plain: {
				body: plain,
				partUnits: [...describeParts(plain).partUnits],
			},
		}),
	};
}
