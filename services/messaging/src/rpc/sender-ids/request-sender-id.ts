import { recordAct, recordNothing } from "@airtower/platform/audit/record-act";
import type { Tx } from "@airtower/platform/database/database";
import {
	respondOnce,
	toIdempotencyKey,
} from "@airtower/platform/database/respond-once";
import { ADMIN } from "@airtower/platform/identity/jwk";
import { assertOrganization, callerOf } from "@airtower/platform/rpc/caller";
import { conflict, invalid } from "@airtower/platform/runtime/domain-error";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	type MessagingService,
	RequestSenderIdResponseSchema,
} from "@airtower/proto/messaging/v1/messaging";
import { isSenderIdValue } from "../../domain/sender-id-value.ts";
import { lockSenderIds } from "../../store/senders/sender-decisions.ts";
import {
	findSenderIds,
	type SenderIdRow,
} from "../../store/senders/sender-ids.ts";
import {
	insertRequest,
	reopenRequest,
} from "../../store/senders/sender-requests.ts";
import type { Handler } from "../handler.ts";
import { senderIdToProto } from "./sender-id-to-proto.ts";

/** In any state: lists show all of them. */
const MAX_SENDER_IDS = 100;

export const requestSenderId: Handler<
	typeof MessagingService.method.requestSenderId
> = async (ctx, request, context) => {
	const organizationId = request.organizationId.toLowerCase();
	assertOrganization(context, organizationId);
	const { value } = request;
	if (!isSenderIdValue(value)) throw invalidSenderId();
	const { response, replayed } = await respondOnce(ctx.sql, {
		schema: RequestSenderIdResponseSchema,
		key: toIdempotencyKey(organizationId, request.idempotency),
		work: async (sql) => {
			const row = await store(sql, organizationId, value);
			const act = { organizationId, subject: row.id, after: { value } };
			if (callerOf(context).issuer === ADMIN)
				await recordAct(sql, context, act);
			return { senderId: senderIdToProto(row) };
		},
	});
	if (replayed) recordNothing(context);
	return { ...response, replayed };
};

async function store(
	sql: Tx,
	organizationId: string,
	value: string,
): Promise<SenderIdRow> {
	await lockSenderIds(sql, organizationId);
	// Read anew: what was stored while the lock was waited for.
	const known = await findSenderIds(sql, organizationId);
	const alike = known.filter(isLike(value));
	if (alike.some(({ status }) => status !== "rejected")) throw senderIdExists();
	const rejected = alike.find((row) => row.value === value) ?? alike[0];
	if (rejected === undefined && known.length >= MAX_SENDER_IDS)
		throw senderIdLimitReached();
	const row =
		rejected === undefined
			? await insertRequest(sql, organizationId, { id: uuidv7(), value })
			: await reopenRequest(sql, organizationId, { id: rejected.id, value });
	if (row === undefined) throw senderIdExists();
	return row;
}

/** Values that differ only in case are one to who reads them on a handset. Older ones may stand beside each other. */
const isLike = (value: string) => (row: SenderIdRow) =>
	row.value.toLowerCase() === value.toLowerCase();

function senderIdLimitReached() {
	return conflict(
		"sender_id_limit_reached",
		`An organization has at most ${MAX_SENDER_IDS} sender IDs.`,
		{ field: "value" },
	);
}

function invalidSenderId() {
	return invalid(
		"invalid_sender_id",
		"value",
		"A sender ID has 3-11 characters A-Z, a-z, 0-9, space, '.', '_' or '-' with at least one letter, or 3-15 digits.",
	);
}

function senderIdExists() {
	return conflict(
		"sender_id_exists",
		"This sender ID is already requested, approved or suspended.",
		{ field: "value" },
	);
}
