import type { Context } from "../context.ts";
import type { PaidMessage } from "./reserve-quota.ts";

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
