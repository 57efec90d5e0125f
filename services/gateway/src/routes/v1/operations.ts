import type { Routes } from "../routes.ts";
import { getAccount } from "./account/get-account.ts";
import { listUsage } from "./account/list-usage.ts";
import { createApiKey } from "./api-keys/create-api-key.ts";
import { deleteApiKey } from "./api-keys/delete-api-key.ts";
import { listApiKeys } from "./api-keys/list-api-keys.ts";
import { createCampaign } from "./campaigns/create-campaign.ts";
import { listCampaigns } from "./campaigns/list-campaigns.ts";
import { createContact } from "./contacts/create-contact.ts";
import { deleteContact } from "./contacts/delete-contact.ts";
import { listContacts } from "./contacts/list-contacts.ts";
import { listSenderIds } from "./sender-ids/list-sender-ids.ts";
import { requestSenderId } from "./sender-ids/request-sender-id.ts";
import { docsRoutes } from "./service/docs.ts";
import { getHealth } from "./service/get-health.ts";
import { getOpenApi } from "./service/get-openapi.ts";
import { getRoot } from "./service/get-root.ts";
import { sendSms } from "./sms.ts";
import { createWebhook } from "./webhooks/create-webhook.ts";
import { deleteWebhook } from "./webhooks/delete-webhook.ts";
import { listWebhooks } from "./webhooks/list-webhooks.ts";
import {
	listWhatsAppConversations,
	listWhatsAppMessages,
	listWhatsAppTemplates,
} from "./whatsapp-lists.ts";
import { sendWhatsAppMessage } from "./whatsapp-send.ts";

/** Every operation of version 1, in the order of the OpenAPI document. */
export const operationsV1: readonly Routes[] = [
	...[getRoot, getHealth, getOpenApi, docsRoutes],
	...[sendSms],
	...[listWhatsAppMessages, listWhatsAppTemplates, listWhatsAppConversations],
	...[sendWhatsAppMessage],
	...[getAccount, listUsage],
	...[listContacts, createContact, deleteContact],
	...[listCampaigns, createCampaign],
	...[listSenderIds, requestSenderId],
	...[listApiKeys, createApiKey, deleteApiKey],
	...[listWebhooks, createWebhook, deleteWebhook],
];
