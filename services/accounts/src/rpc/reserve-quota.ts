import { type Db, retryConflicts } from "@airtower/platform/database/database";
import { isUniqueViolation } from "@airtower/platform/database/sql-errors";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { fault } from "@airtower/platform/runtime/fault";
import { isUuid } from "@airtower/platform/runtime/ids";
import type {
	AccountsService,
	Reservation,
	ReservationResultSchema,
} from "@airtower/proto/accounts/v1/accounts";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Context } from "../context.ts";
import { SENDING_STATES } from "../domain/organization-state.ts";
import {
	type Decision,
	decide,
	type Refusal,
	type ReservationOutcome,
	repeated,
	reservationKey,
} from "../domain/reservation-decision.ts";
import {
	insertReservations,
	type NewReservation,
} from "../store/reservations.ts";
import type { Handler } from "./handler.ts";

/** Debits one unit per reservation; a malformed item is refused alone, the others go on. */
export const reserveQuota: Handler<
	typeof AccountsService.method.reserveQuota
> = async (ctx, request, context) => {
	for (const { organizationId } of request.reservations)
		assertOrganization(context, organizationId);
	const items = request.reservations.map(readReservation);
	const units = items.filter((item) => "messageId" in item);
	const decisions = await reserveUnits(ctx.sql, units);
	count(ctx, decisions);
	const decided = decisions.values();
	return {
		results: items.map((item) =>
			"messageId" in item ? decisionToProto(nextOf(decided)) : item,
		),
	};
};

function nextOf(decided: Iterator<Decision>): Decision {
	const { done, value } = decided.next();
	if (done) throw new Error("A unit was left undecided.");
	return value;
}

function readReservation(
	item: Reservation,
): NewReservation | ReservationResultInit {
	const { organizationId, messageId, channel, campaignId } = item;
	if (!isUuid(organizationId)) return refusalToProto("unknown_organization");
	if (!isUuid(messageId)) return malformed("message_id", "must be a UUID");
	if (channel !== "sms" && channel !== "whatsapp")
		return malformed("channel", 'must be "sms" or "whatsapp"');
	if (campaignId !== "" && !isUuid(campaignId))
		return malformed("campaign_id", "must be a UUID or empty");
	return {
		organizationId: organizationId.toLowerCase(),
		messageId: messageId.toLowerCase(),
		channel,
		campaignId: campaignId === "" ? null : campaignId,
	};
}

function malformed(field: string, rule: string): ReservationResultInit {
	const message = `Field ${field}: ${rule}.`;
	const value = { reason: "validation_failed", field, message };
	return { result: { case: "refused", value } };
}

function count(ctx: Context, decisions: readonly Decision[]): void {
	for (const decision of decisions) {
		const result =
			decision.kind === "refused" ? decision.reason : decision.kind;
		ctx.telemetry.reservations.inc({ result });
	}
}

/** More concurrent calls never reserve one message. */
const MAX_TRIES = 3;

/** One decision per unit, in order. Identifiers are UUIDs in lower case; a message named twice is decided once. */
export async function reserveUnits(
	sql: Db,
	units: readonly NewReservation[],
): Promise<Decision[]> {
	if (units.length === 0) return [];
	const outcomes = (await reserve(sql, firstMentions(units))).values();
	fault("accounts.after_reserve_commit");
	const decided = new Map<string, Decision>();
	return units.map((unit) => {
		const key = reservationKey(unit);
		const earlier = decided.get(key);
		if (earlier !== undefined) return repeated(earlier);
		const outcome = outcomes.next().value;
		if (outcome === undefined) throw new Error("A unit was left undecided.");
		const decision = decide(outcome);
		decided.set(key, decision);
		return decision;
	});
}

function firstMentions(units: readonly NewReservation[]): NewReservation[] {
	const mentions = [...Map.groupBy(units, reservationKey).values()];
	return mentions.flatMap((same) => same.slice(0, 1));
}

async function reserve(
	sql: Db,
	units: readonly NewReservation[],
): Promise<ReservationOutcome[]> {
	for (let tries = 1; ; tries++) {
		try {
			return await retryConflicts(() =>
				insertReservations(sql, units, SENDING_STATES),
			);
		} catch (error) {
			const isConcurrent = isUniqueViolation(
				error,
				"ledger_entries_message_unique",
			);
			if (tries >= MAX_TRIES || !isConcurrent) throw error;
		}
	}
}

type ReservationResultInit = MessageInitShape<typeof ReservationResultSchema>;

const REFUSALS: Record<Refusal, string> = {
	quota_exhausted: "The organization's quota is used up; add quota first.",
	organization_suspended:
		"The organization is suspended or closed and may not send.",
	unknown_organization: "There is no such organization.",
	reservation_released:
		"This reservation was given back; send the message anew under another id.",
};

export function decisionToProto(decision: Decision): ReservationResultInit {
	if (decision.kind === "refused") return refusalToProto(decision.reason);
	const remaining = BigInt(decision.balanceAfter);
	return { result: { case: "granted", value: { remaining } } };
}

function refusalToProto(reason: Refusal): ReservationResultInit {
	const value = { reason, message: REFUSALS[reason] };
	return { result: { case: "refused", value } };
}
