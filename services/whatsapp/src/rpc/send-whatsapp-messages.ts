import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	SendWhatsAppMessagesRequest,
	SendWhatsAppMessagesResponseSchema,
	SendWhatsAppResult,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { acceptMessages } from "../accepting/accept-messages.ts";
import type { Context } from "../context.ts";

/** Accepts messages; one result per message, in order. */
export async function sendWhatsAppMessages(
	ctx: Context,
	request: SendWhatsAppMessagesRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof SendWhatsAppMessagesResponseSchema>> {
	const { messages } = request;
	for (const id of new Set(messages.map((one) => one.organizationId)))
		assertOrganization(context, id.toLowerCase());
	const results = await acceptMessages(ctx, messages);
	for (const result of results)
		ctx.telemetry.sends.inc({ result: wordOf(result) });
	return { results };
}

function wordOf({ result }: SendWhatsAppResult): string {
	if (result.case === "accepted")
		return result.value.replayed ? "replayed" : "accepted";
	return result.value?.reason ?? "unanswered";
}
