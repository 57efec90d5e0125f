import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	SendWhatsAppResult,
	WhatsAppService,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import { acceptMessages } from "../accepting/accept-messages.ts";
import type { Handler } from "./handler.ts";

export const sendWhatsAppMessages: Handler<
	typeof WhatsAppService.method.sendWhatsAppMessages
> = async (ctx, { messages }, context) => {
	for (const id of new Set(messages.map((one) => one.organizationId)))
		assertOrganization(context, id.toLowerCase());
	const results = await acceptMessages(ctx, messages, context.signal);
	const labels = results.map(toLabel);
	for (const result of labels) ctx.telemetry.sends.inc({ result });
	if (labels.includes(ACCEPTED)) ctx.wake.dispatch();
	return { results };
};

const ACCEPTED = "accepted";

function toLabel({ result }: SendWhatsAppResult): string {
	if (result.case === "accepted")
		return result.value.replayed ? "replayed" : ACCEPTED;
	return result.value?.reason ?? "none";
}
