import type { Routes } from "../routes.ts";
import { getAccount } from "./account/get-account.ts";
import { listAccountAudit } from "./account/list-account-audit.ts";
import { listUsage } from "./account/list-usage.ts";
import { createApiKey } from "./api-keys/create-api-key.ts";
import { deleteApiKey } from "./api-keys/delete-api-key.ts";
import { listApiKeys } from "./api-keys/list-api-keys.ts";
import {
	cancelCampaign,
	pauseCampaign,
	resumeCampaign,
} from "./campaigns/change-campaign.ts";
import { createCampaign } from "./campaigns/create-campaign.ts";
import { getCampaign } from "./campaigns/get-campaign.ts";
import { listCampaigns } from "./campaigns/list-campaigns.ts";
import { listRecipients } from "./campaigns/list-recipients.ts";
import { previewCampaign } from "./campaigns/preview-campaign.ts";
import { createContact } from "./contacts/create-contact.ts";
import { deleteContact } from "./contacts/delete-contact.ts";
import { listContacts } from "./contacts/list-contacts.ts";
import { addOptOut } from "./opt-outs/add-opt-out.ts";
import { exportOptOuts } from "./opt-outs/export-opt-outs.ts";
import { importOptOuts } from "./opt-outs/import-opt-outs.ts";
import { listOptOuts } from "./opt-outs/list-opt-outs.ts";
import { removeOptOut } from "./opt-outs/remove-opt-out.ts";
import { clearQuietHours } from "./quiet-hours/clear-quiet-hours.ts";
import { getQuietHours } from "./quiet-hours/get-quiet-hours.ts";
import { setQuietHours } from "./quiet-hours/set-quiet-hours.ts";
import { getDeliveryReport } from "./reports/get-delivery-report.ts";
import { getUsageReport } from "./reports/get-usage-report.ts";
import { listRequests } from "./requests/list-requests.ts";
import { listSenderIds } from "./sender-ids/list-sender-ids.ts";
import { requestSenderId } from "./sender-ids/request-sender-id.ts";
import { docsRoutes } from "./service/docs.ts";
import { getHealth } from "./service/get-health.ts";
import { getOpenApi } from "./service/get-openapi.ts";
import { getRoot } from "./service/get-root.ts";
import { cancelSmsMessage } from "./sms/cancel-sms-message.ts";
import { getSmsMessage } from "./sms/get-sms-message.ts";
import { listInboundSms } from "./sms/list-inbound-sms.ts";
import { listSmsMessages } from "./sms/list-sms-messages.ts";
import { previewSms } from "./sms/preview-sms.ts";
import { sendSms } from "./sms/send-sms.ts";
import { createWebhook } from "./webhooks/create-webhook.ts";
import { deleteWebhook } from "./webhooks/delete-webhook.ts";
import { listWebhookDeliveries } from "./webhooks/list-webhook-deliveries.ts";
import { listWebhooks } from "./webhooks/list-webhooks.ts";
import { redeliverWebhook } from "./webhooks/redeliver-webhook.ts";
import { rotateWebhookSecret } from "./webhooks/rotate-webhook-secret.ts";
import { updateWebhook } from "./webhooks/update-webhook.ts";
import {
	listWhatsAppConversations,
	listWhatsAppMessages,
	listWhatsAppTemplates,
} from "./whatsapp-lists.ts";
import { sendWhatsAppMessage } from "./whatsapp-send.ts";

/** Every operation of version 1, in the order of the OpenAPI document. */
export const operationsV1: readonly Routes[] = [
	getRoot,
	getHealth,
	getOpenApi,
	docsRoutes,
	sendSms,
	previewSms,
	listSmsMessages,
	getSmsMessage,
	listInboundSms,
	cancelSmsMessage,
	listWhatsAppMessages,
	listWhatsAppTemplates,
	listWhatsAppConversations,
	sendWhatsAppMessage,
	getAccount,
	listAccountAudit,
	listUsage,
	getUsageReport,
	getDeliveryReport,
	listContacts,
	createContact,
	deleteContact,
	listOptOuts,
	addOptOut,
	importOptOuts,
	exportOptOuts,
	removeOptOut,
	getQuietHours,
	setQuietHours,
	clearQuietHours,
	listCampaigns,
	createCampaign,
	previewCampaign,
	getCampaign,
	listRecipients,
	pauseCampaign,
	resumeCampaign,
	cancelCampaign,
	listSenderIds,
	requestSenderId,
	listApiKeys,
	createApiKey,
	deleteApiKey,
	listWebhooks,
	createWebhook,
	updateWebhook,
	deleteWebhook,
	rotateWebhookSecret,
	listWebhookDeliveries,
	redeliverWebhook,
	listRequests,
];
