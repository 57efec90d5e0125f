import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	MessagingService,
	SendResult,
} from "@airtower/proto/messaging/v1/messaging";
import {
	acceptMessages,
	replayMessages,
} from "../accepting/accept-messages.ts";
import type { Handler } from "./handler.ts";

export const sendMessages: Handler<
	typeof MessagingService.method.sendMessages
> = async (ctx, request, context) => {
	const { messages, replayOnly } = request;
	for (const id of new Set(messages.map((one) => one.organizationId)))
		assertOrganization(context, id.toLowerCase());
	const results = replayOnly
		? await replayMessages(ctx, messages)
		: await acceptMessages(ctx, messages, context.signal);
	for (const result of results)
		ctx.telemetry.sends.inc({ result: outcomeOf(result) });
	return { results };
};

function outcomeOf({ result }: SendResult): string {
	if (result.case === "accepted")
		return result.value.replayed ? "replayed" : "accepted";
	return result.value?.reason ?? "unanswered";
}
