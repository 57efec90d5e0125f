import { recordAct, recordNothing } from "@airtower/platform/audit/record-act";
import { type Tx, transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import {
	conflict,
	invalid,
	notFound,
} from "@airtower/platform/runtime/domain-error";
import type {
	DecideSenderIdRequest,
	MessagingAdminService,
} from "@airtower/proto/messaging/v1/admin";
import {
	NEXT_SENDER_ID_STATES,
	type SenderIdState,
} from "../../domain/sender-id-state.ts";
import {
	claimDefault,
	lockSenderIds,
	updateDecision,
} from "../../store/senders/sender-decisions.ts";
import type { SenderIdRow } from "../../store/senders/sender-ids.ts";
import type { Handler } from "../handler.ts";
import { senderIdToProto } from "./sender-id-to-proto.ts";

interface Decision {
	readonly id: string;
	readonly status: SenderIdState;
	readonly reason: string | null;
}

/** The same decision again changes its reason at most. */
export const decideSenderId: Handler<
	typeof MessagingAdminService.method.decideSenderId
> = async (ctx, request, context) => {
	const organizationId = request.organizationId.toLowerCase();
	assertOrganization(context, organizationId);
	const decision = readDecision(request);
	const row = await transaction(ctx.sql, async (sql) => {
		const before = await lockOne(sql, organizationId, decision.id);
		const row = await decide(sql, organizationId, before, decision);
		const facts = { before: toFacts(before), after: toFacts(row) };
		const subject = decision.id;
		if (row === before) recordNothing(context);
		else await recordAct(sql, context, { organizationId, subject, ...facts });
		return row;
	});
	ctx.senders.forget(organizationId);
	return { senderId: senderIdToProto(row) };
};

function readDecision(request: DecideSenderIdRequest): Decision {
	const { status } = request;
	const id = request.senderId.toLowerCase();
	const reason = request.reason.replace(/\p{Cc}+/gu, " ").trim();
	if (status === "approved") return { id, status, reason: null };
	if (status !== "rejected" && status !== "suspended")
		throw invalid(
			"validation_failed",
			"status",
			"A decision is approved, rejected or suspended.",
		);
	if (reason === "")
		throw invalid(
			"reason_required",
			"reason",
			"A rejection or suspension needs a reason.",
		);
	return { id, status, reason };
}

async function decide(
	sql: Tx,
	organizationId: string,
	before: SenderIdRow,
	decision: Decision,
): Promise<SenderIdRow> {
	const { status, reason } = decision;
	if (before.status === status && before.rejectionReason === reason)
		return before;
	assertTransition(before.status, status);
	await updateDecision(sql, organizationId, decision);
	if (decision.status === "approved")
		await claimDefault(sql, organizationId, decision.id);
	return lockOne(sql, organizationId, decision.id);
}

function assertTransition(before: SenderIdState, next: SenderIdState): void {
	if (before === next || NEXT_SENDER_ID_STATES[before].includes(next)) return;
	throw conflict(
		"invalid_transition",
		`A sender ID that is ${before} cannot become ${next}.`,
		{ field: "status" },
	);
}

function toFacts({ value, status, rejectionReason, isDefault }: SenderIdRow) {
	return { value, status, reason: rejectionReason, is_default: isDefault };
}

/** All of the organization's are locked: which one is the default is decided among them. */
async function lockOne(
	sql: Tx,
	organizationId: string,
	id: string,
): Promise<SenderIdRow> {
	const rows = await lockSenderIds(sql, organizationId);
	const row = rows.find((row) => row.id === id);
	if (row === undefined)
		throw notFound("unknown_sender", "There is no such sender ID.", {
			field: "sender_id",
		});
	return row;
}
