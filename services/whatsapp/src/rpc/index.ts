import {
	type RpcRoute,
	rpcRoute,
	withContext,
} from "@airtower/platform/rpc/route";
import { WhatsAppAdminService } from "@airtower/proto/whatsapp/v1/admin";
import { WhatsAppService } from "@airtower/proto/whatsapp/v1/whatsapp";
import type { RpcContext } from "./handler.ts";
import { listAllTemplates } from "./list-all-templates.ts";
import { listConversations } from "./list-conversations.ts";
import { listMessages } from "./list-messages.ts";
import { listPhoneNumbers } from "./list-phone-numbers.ts";
import { listTemplates } from "./list-templates.ts";
import { receiveCallback } from "./receive-callback.ts";
import { registerPhoneNumber } from "./register-phone-number.ts";
import { removePhoneNumber } from "./remove-phone-number.ts";
import { sendWhatsAppMessages } from "./send-whatsapp-messages.ts";
import { setHold } from "./set-hold.ts";
import { setTemplateDisabled } from "./set-template-disabled.ts";
import { syncTemplates } from "./sync-templates.ts";
import { traceWhatsAppMessage } from "./trace-whatsapp-message.ts";
import { verifySubscription } from "./verify-subscription.ts";

/** What the gateway passes on from anybody: a flood of it leaves room for sends and lists. */
const FOR_STRANGERS = {
	methods: ["receiveCallback", "verifySubscription"],
	slots: 256,
} as const;

export function rpcRoutes(ctx: RpcContext): RpcRoute[] {
	return [
		rpcRoute(
			WhatsAppService,
			withContext(ctx, {
				sendWhatsAppMessages,
				listMessages,
				listTemplates,
				listConversations,
				receiveCallback,
				verifySubscription,
			}),
			FOR_STRANGERS,
		),
		rpcRoute(
			WhatsAppAdminService,
			withContext(ctx, {
				registerPhoneNumber,
				listPhoneNumbers,
				removePhoneNumber,
				setHold,
				syncTemplates,
				listAllTemplates,
				setTemplateDisabled,
				traceWhatsAppMessage,
			}),
		),
	];
}
