import { setImmediate } from "node:timers/promises";
import { recordAct, recordNothing } from "@airtower/platform/audit/record-act";
import type { Tx } from "@airtower/platform/database/database";
import {
	respondOnce,
	toIdempotencyKey,
} from "@airtower/platform/database/respond-once";
import { ADMIN } from "@airtower/platform/identity/jwk";
import { assertOrganization, callerOf } from "@airtower/platform/rpc/caller";
import {
	type AddOptOutsRequest,
	AddOptOutsResponseSchema,
	type NewOptOut,
	type OptOutService,
} from "@airtower/proto/messaging/v1/opt_outs";
import { normalizePhoneNumber } from "@airtower/proto/rules/phone-number";
import { isSenderIdValue } from "../../domain/sender-id-value.ts";
import { addOptOuts as add } from "../../opt-outs/add-opt-outs.ts";
import { findOptOut, type OptOutRow } from "../../store/opt-outs/opt-outs.ts";
import { findSenderIds } from "../../store/senders/sender-ids.ts";
import type { Handler } from "../handler.ts";
import { optOutToProto } from "./opt-out-to-proto.ts";

/** Refused entries that a response names. */
const MAX_NAMED = 100;
/** Others, who send messages, have their turn in between. */
const NUMBERS_PER_STEP = 200;

export const addOptOuts: Handler<
	typeof OptOutService.method.addOptOuts
> = async (ctx, request, context) => {
	const organizationId = request.organizationId.toLowerCase();
	assertOrganization(context, organizationId);
	const { read, refused } = await readEntries(request);
	const named = {
		refused: refused.slice(0, MAX_NAMED),
		refusedCount: refused.length,
	};
	if (request.allOrNothing && refused.length > 0) {
		recordNothing(context);
		return named;
	}
	const source = request.source === "import" ? "import" : "api";
	const { response, replayed } = await respondOnce(ctx.sql, {
		schema: AddOptOutsResponseSchema,
		key: toIdempotencyKey(organizationId, request.idempotency),
		work: async (sql) => {
			const wanted = onceEach(await spellSenders(sql, organizationId, read));
			const inserted = await add(sql, organizationId, source, wanted);
			const added = inserted.filter(({ isNew }) => isNew).length;
			const [one] = wanted;
			const optOut =
				read.length === 1 && one !== undefined
					? await findOptOut(sql, organizationId, one)
					: undefined;
			if (callerOf(context).issuer === ADMIN)
				await recordAct(sql, context, {
					organizationId,
					after: { added },
				});
			return {
				added,
				known: read.length - added,
				...named,
				...(optOut && { optOut: optOutToProto(optOut) }),
			};
		},
	});
	if (replayed) recordNothing(context);
	return { ...response, replayed };
};

type Wanted = Pick<OptOutRow, "recipient" | "sender">;

async function readEntries({ optOuts, defaultCountry }: AddOptOutsRequest) {
	const read: Wanted[] = [];
	const refused: { index: number; reason: string }[] = [];
	for (const [index, entry] of optOuts.entries()) {
		if (index % NUMBERS_PER_STEP === NUMBERS_PER_STEP - 1) await setImmediate();
		const one = readEntry(entry, defaultCountry);
		if (typeof one === "string") refused.push({ index, reason: one });
		else read.push(one);
	}
	return { read, refused };
}

/** Sender IDs that differ only in case are one: a sender is listed as the organization's own sender ID is written. */
async function spellSenders(
	sql: Tx,
	organizationId: string,
	entries: readonly Wanted[],
): Promise<Wanted[]> {
	if (entries.every(({ sender }) => sender === "")) return [...entries];
	const own = await findSenderIds(sql, organizationId);
	const values = own.map(({ value }) => value);
	const exact = new Set(values);
	// Of several that are alike the newest, which the list begins with.
	const alike = new Map(
		values.toReversed().map((value) => [value.toLowerCase(), value]),
	);
	return entries.map(({ recipient, sender }) => ({
		recipient,
		sender: exact.has(sender)
			? sender
			: (alike.get(sender.toLowerCase()) ?? sender),
	}));
}

/** An entry that is there twice is known the second time. */
function onceEach(entries: readonly Wanted[]): Wanted[] {
	const byKey = new Map(
		entries.map((one) => [`${one.recipient} ${one.sender}`, one]),
	);
	return [...byKey.values()];
}

function readEntry(
	{ recipient: given, sender }: NewOptOut,
	defaultCountry: string,
): Wanted | "invalid_phone_number" | "invalid_sender_id" {
	const recipient = normalizePhoneNumber(given, defaultCountry);
	if (recipient === undefined) return "invalid_phone_number";
	if (sender !== "" && !isSenderIdValue(sender)) return "invalid_sender_id";
	return { recipient, sender };
}
