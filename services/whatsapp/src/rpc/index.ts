import {
	type RpcRoute,
	rpcRoute,
	withContext,
} from "@airtower/platform/rpc/route";
import { WhatsAppAdminService } from "@airtower/proto/whatsapp/v1/admin";
import { WhatsAppService } from "@airtower/proto/whatsapp/v1/whatsapp";
import { listAllTemplates } from "./admin/list-all-templates.ts";
import { listPhoneNumbers } from "./admin/list-phone-numbers.ts";
import { listStoppedNumbers } from "./admin/list-stopped-numbers.ts";
import { registerPhoneNumber } from "./admin/register-phone-number.ts";
import { removePhoneNumber } from "./admin/remove-phone-number.ts";
import { setHold } from "./admin/set-hold.ts";
import { setTemplateDisabled } from "./admin/set-template-disabled.ts";
import { syncTemplates } from "./admin/sync-templates.ts";
import { traceWhatsAppMessage } from "./admin/trace-whatsapp-message.ts";
import type { RpcContext } from "./handler.ts";
import { listConversations } from "./list-conversations.ts";
import { listMessages } from "./list-messages.ts";
import { listTemplates } from "./list-templates.ts";
import { receiveCallback } from "./receive-callback.ts";
import { sendWhatsAppMessages } from "./send-whatsapp-messages.ts";
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
				listStoppedNumbers,
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
