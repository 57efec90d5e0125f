import { recordAct, recordNothing } from "@airtower/platform/audit/record-act";
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
import type { Handler } from "../handler.ts";
import { optOutToProto } from "./opt-out-to-proto.ts";

/** Refused entries that a response names. */
const MAX_NAMED = 100;

export const addOptOuts: Handler<
	typeof OptOutService.method.addOptOuts
> = async (ctx, request, context) => {
	const organizationId = request.organizationId.toLowerCase();
	assertOrganization(context, organizationId);
	const { wanted, given, refused } = readEntries(request);
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
			const added = await add(sql, organizationId, source, wanted);
			const [one] = wanted;
			const optOut =
				given === 1 && one !== undefined
					? await findOptOut(sql, organizationId, one)
					: undefined;
			if (callerOf(context).issuer === ADMIN)
				await recordAct(sql, context, {
					organizationId,
					after: { added: added.length },
				});
			return {
				added: added.length,
				known: given - added.length,
				...named,
				...(optOut && { optOut: optOutToProto(optOut) }),
			};
		},
	});
	if (replayed) recordNothing(context);
	return { ...response, replayed };
};

type Wanted = Pick<OptOutRow, "recipient" | "sender">;

/** An entry that is there twice is known the second time. */
function readEntries({ optOuts, defaultCountry }: AddOptOutsRequest) {
	const wanted = new Map<string, Wanted>();
	const refused: { index: number; reason: string }[] = [];
	for (const [index, entry] of optOuts.entries()) {
		const read = readEntry(entry, defaultCountry);
		if (typeof read === "string") refused.push({ index, reason: read });
		else wanted.set(`${read.recipient} ${read.sender}`, read);
	}
	const given = optOuts.length - refused.length;
	return { wanted: [...wanted.values()], given, refused };
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
