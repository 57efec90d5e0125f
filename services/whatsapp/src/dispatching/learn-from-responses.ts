import type { Db } from "@airtower/platform/database/database";
import type { Logger } from "@airtower/platform/runtime/log";
import type { Attempt } from "../domain/progress.ts";
import { makeNumbersAccountsDue } from "../store/accounts.ts";
import { learnWaId } from "../store/conversations.ts";
import type { ClaimedMessage } from "../store/dispatch/claims.ts";

type EndedAttempt = ClaimedMessage & Attempt;

/** Until the templates are read after a refusal, ms: many refusals lead to one reading. */
const READING_DELAY_MS = 5_000;

/** What responses tell beside what became of their messages: it may be lost, and the next response tells it again. */
export async function learnFromResponses(
	{ sql, log }: { readonly sql: Db; readonly log: Logger },
	attempts: readonly EndedAttempt[],
): Promise<void> {
	try {
		for (const attempt of attempts) await learnName(sql, attempt);
		const refused = attempts.filter(isTemplateRefused);
		const numbers = new Set(refused.map((one) => one.phoneNumberId));
		await makeNumbersAccountsDue(sql, [...numbers], READING_DELAY_MS);
	} catch (error) {
		log.warn({ err: error }, "what a response told could not be kept");
	}
}

/** The provider may know a recipient by another number than the dialled one; later messages of the user bear it. */
async function learnName(
	sql: Db,
	{ outcome, ...attempt }: EndedAttempt,
): Promise<void> {
	if (outcome.kind !== "sent" || outcome.waId === undefined) return;
	const { waId } = outcome;
	if (waId === attempt.recipient.replace("+", "")) return;
	await learnWaId(sql, attempt, waId);
}

/** The template is not what we know of it: a callback about it did not come, or not yet. */
function isTemplateRefused({ outcome }: EndedAttempt): boolean {
	return outcome.kind === "failed" && outcome.isTemplateRefused === true;
}
