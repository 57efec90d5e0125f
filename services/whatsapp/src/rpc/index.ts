import { WhatsAppAdminService } from "@airtower/proto/whatsapp/v1/admin";
import { WhatsAppService } from "@airtower/proto/whatsapp/v1/whatsapp";
import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import type { Context } from "../context.ts";
import { withoutDatabase } from "../errors.ts";
import { handleListAllTemplates } from "./list-all-templates.ts";
import { handleListConversations } from "./list-conversations.ts";
import { handleListMessages } from "./list-messages.ts";
import { handleListPhoneNumbers } from "./list-phone-numbers.ts";
import { handleListTemplates } from "./list-templates.ts";
import { receiveCallback } from "./receive-callback.ts";
import { registerPhoneNumber } from "./register-phone-number.ts";
import { sendWhatsAppMessages } from "./send-whatsapp-messages.ts";
import { setTemplateDisabled } from "./set-template-disabled.ts";
import { handleSyncTemplates } from "./sync-templates.ts";
import { traceWhatsAppMessage } from "./trace-whatsapp-message.ts";
import { verifySubscription } from "./verify-subscription.ts";

export const services = [WhatsAppService, WhatsAppAdminService];

/** Registers every method of the service. */
export function routes(ctx: Context) {
	const using =
		<Q, A>(
			handler: (
				ctx: Context,
				request: Q,
				context: HandlerContext,
			) => Promise<A>,
		) =>
		async (request: Q, context: HandlerContext): Promise<A> => {
			try {
				return await handler(ctx, request, context);
			} catch (error) {
				throw withoutDatabase(error);
			}
		};
	return (router: ConnectRouter): void => {
		router.service(WhatsAppService, {
			sendWhatsAppMessages: using(sendWhatsAppMessages),
			listMessages: using(handleListMessages),
			listTemplates: using(handleListTemplates),
			listConversations: using(handleListConversations),
			receiveCallback: using(receiveCallback),
			verifySubscription: using(verifySubscription),
		});
		router.service(WhatsAppAdminService, {
			registerPhoneNumber: using(registerPhoneNumber),
			listPhoneNumbers: using(handleListPhoneNumbers),
			syncTemplates: using(handleSyncTemplates),
			listAllTemplates: using(handleListAllTemplates),
			setTemplateDisabled: using(setTemplateDisabled),
			traceWhatsAppMessage: using(traceWhatsAppMessage),
		});
	};
}
