import { recordAct } from "@airtower/platform/audit/record-act";
import { type Tx, transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { conflict, notFound } from "@airtower/platform/runtime/domain-error";
import type { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import { publishOutcomes, type RouteCosts } from "../publish-outcomes.ts";
import {
	deleteUnknown,
	resendUnknown,
} from "../store/dispatch/unknown-dispatch.ts";
import { finishMessages, recordAttempts } from "../store/message-updates.ts";
import { findTracedMessage } from "../store/shown-messages.ts";
import type { Handler } from "./handler.ts";

const FAILED = { status: "failed", reason: "operator_error" } as const;
const DELIVERED = { status: "delivered", reason: null } as const;

/** Decides what became of a message that was sent without a response. */
export const resolveMessage: Handler<
	typeof MessagingAdminService.method.resolveMessage
> = async (ctx, { messageId, outcome }, context) => {
	assertOrganization(context, "*");
	const status = await transaction(ctx.sql, async (sql) => {
		const isUnknown =
			outcome === "resend"
				? await resendUnknown(sql, messageId)
				: await end(ctx.routes, sql, messageId, outcome);
		const message = await findTracedMessage(sql, messageId);
		if (message === undefined) throw unknownMessage();
		if (!isUnknown) throw notUnknown(message.status);
		const { organizationId, status } = message;
		await recordAct(sql, context, {
			organizationId,
			subject: messageId,
			before: { status: "unknown" },
			after: { outcome, status },
		});
		return status;
	});
	if (outcome === "resend") ctx.announceWork();
	else ctx.telemetry.outcomes.inc({ status });
	return { status };
};

/** False when the message is not unknown. */
async function end(
	routes: RouteCosts,
	sql: Tx,
	id: string,
	outcome: string,
): Promise<boolean> {
	const attempts = await deleteUnknown(sql, [id]);
	await recordAttempts(sql, attempts);
	const finished = await finishMessages(
		sql,
		attempts.map(({ id }) => ({
			id,
			...(outcome === "delivered" ? DELIVERED : FAILED),
		})),
	);
	await publishOutcomes(sql, finished, routes);
	return finished.length > 0;
}

function unknownMessage() {
	return notFound("unknown_message", "There is no such message.", {
		field: "message_id",
	});
}

function notUnknown(status: string) {
	return conflict(
		"not_unknown",
		`The message is ${status}; only one that is unknown is resolved.`,
	);
}
