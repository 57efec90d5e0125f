import { type Tx, transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { conflict, notFound } from "@airtower/platform/runtime/domain-error";
import { fault } from "@airtower/platform/runtime/fault";
import type { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { giveBackQuota } from "../give-back-quota.ts";
import { publishOutcomes } from "../publish-outcomes.ts";
import { deleteUnsent } from "../store/dispatch/dispatch-settles.ts";
import { cancelMessage as markCanceled } from "../store/message-updates.ts";
import { insertRelease, type QuotaRelease } from "../store/quota-releases.ts";
import { deleteScheduled } from "../store/scheduled-messages.ts";
import { findMessage } from "../store/shown-messages.ts";
import type { Handler } from "./handler.ts";
import { messageToProto } from "./message-to-proto.ts";

/** Takes a message back that no operator has been given. */
export const cancelMessage: Handler<
	typeof MessagingService.method.cancelMessage
> = async (ctx, request, context) => {
	const organizationId = request.organizationId.toLowerCase();
	assertOrganization(context, organizationId);
	const release = {
		organizationId,
		messageId: request.messageId.toLowerCase(),
	};
	const isCanceled = await transaction(ctx.sql, (sql) => cancel(sql, release));
	if (isCanceled) {
		fault("messaging.after_cancel");
		ctx.telemetry.outcomes.inc({ status: "canceled" });
		await giveBackQuota(ctx, [release]).catch((error: unknown) =>
			ctx.log.warn({ err: error }, "quota is given back later"),
		);
	}
	const message = await findMessage(ctx.sql, organizationId, release.messageId);
	if (message === undefined)
		throw notFound("unknown_message", "There is no such message.");
	if (message.status !== "canceled") throw notCancelable(message.status);
	return { message: messageToProto(message) };
};

/** False when it waits nowhere. Looks into the schedule first: what leaves it at this moment is in the queue then. */
async function cancel(sql: Tx, release: QuotaRelease): Promise<boolean> {
	const { organizationId, messageId } = release;
	const isWaiting =
		(await deleteScheduled(sql, organizationId, messageId)) ||
		(await deleteUnsent(sql, organizationId, messageId));
	if (!isWaiting) return false;
	const canceled = await markCanceled(sql, messageId);
	// Others had taken over from its process, which then told that nothing was sent.
	if (canceled === undefined) throw notCancelable("unknown");
	await publishOutcomes(sql, [canceled]);
	await insertRelease(sql, release);
	return true;
}

function notCancelable(status: string) {
	return conflict(
		"not_cancelable",
		`The message is ${status}; only one that is scheduled or accepted can be canceled.`,
	);
}
