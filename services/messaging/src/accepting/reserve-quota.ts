import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { ReservationResult } from "@airtower/proto/accounts/v1/accounts";
import type { Context } from "../context.ts";
import type { Answers } from "./answers.ts";
import type { AddressedCandidate, ReservedCandidate } from "./candidates.ts";

const CHANNEL = "sms";
/** Kept in the organization's ledger. */
const RELEASE_NOTE = "The message was not stored.";

/** Gives each message its id and pays for it, in one call; refuses what cannot be paid. */
export async function reserveQuota(
	ctx: Context,
	candidates: readonly AddressedCandidate[],
	answers: Answers,
): Promise<ReservedCandidate[]> {
	if (candidates.length === 0) return [];
	const ids = candidates.map(() => uuidv7());
	const results = await callReserve(ctx, candidates, ids);
	const reserved: ReservedCandidate[] = [];
	candidates.forEach((candidate, index) => {
		const result = results?.[index]?.result;
		const messageId = ids[index];
		if (result?.case === "granted" && messageId !== undefined)
			reserved.push({
				...candidate,
				messageId,
				remainingQuota: result.value.remaining,
			});
		else if (result?.case === "refused")
			answers.refuseWith(candidate, result.value);
		else answers.refuse(candidate, "service_unavailable");
	});
	return reserved;
}

/**
 * Undefined when no answer came. What was debited all the same is given back by the accounts
 * service, which looks for reservations without a message.
 */
async function callReserve(
	ctx: Context,
	candidates: readonly AddressedCandidate[],
	ids: readonly string[],
): Promise<ReservationResult[] | undefined> {
	try {
		const { results } = await ctx.accounts.reserveQuota({
			reservations: candidates.map((candidate, index) => ({
				organizationId: candidate.organizationId,
				messageId: ids[index] ?? "",
				channel: CHANNEL,
				campaignId: candidate.message.campaignId,
			})),
		});
		return results;
	} catch (error) {
		if (domainErrorFrom(error) === undefined) throw error;
		ctx.log.warn({ err: error }, "quota could not be reserved");
		return undefined;
	}
}

/** Gives back what was reserved for messages that are certain not to be stored; never throws. */
export async function releaseQuota(
	ctx: Context,
	candidates: readonly ReservedCandidate[],
): Promise<void> {
	if (candidates.length === 0) return;
	try {
		await ctx.accounts.releaseQuota({
			releases: candidates.map(({ organizationId, messageId }) => ({
				organizationId,
				messageId,
				note: RELEASE_NOTE,
			})),
		});
	} catch (error) {
		ctx.log.warn({ err: error }, "quota could not be released");
	}
}
