export interface paths {
    readonly "/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show the version and where the documentation is
         * @description The place to begin.
         */
        readonly get: operations["getRoot"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/health": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show the health of the service
         * @description Always 200: the body tells whether messages are accepted, which part is not ok, and how late deliveries are. It is at most three seconds old, its ages at most ten.
         */
        readonly get: operations["getHealth"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openapi.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the OpenAPI 3.1 document
         * @description This document. Compressed for who takes `gzip`; 304 for who names its `ETag`.
         */
        readonly get: operations["getOpenApi"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/sms/send": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send an SMS
         * @description Accepts one message for one recipient. 202 means that the message is stored, queued and paid for with one unit of quota; the outcome follows by webhook. Send an Idempotency-Key and repeat the request with it whenever no response came: it is never accepted or charged twice.
         *
         *     Needs the scope `sms:send`.
         */
        readonly post: operations["sendSms"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/sms/preview": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Preview an SMS
         * @description Tells what POST /sms/send would do with the same body now, by the same steps: whether it would accept it, the parts, the sender, the route, the cost where it is known, and the quota. Nothing is stored or paid for, and an Idempotency-Key is not looked at. What the send would refuse is a 200 here, with the same error in `error`; a body that does not have the form of a send is a 400 as there. It counts as one request, as a send does.
         *
         *     Needs the scope `sms:send`.
         */
        readonly post: operations["previewSms"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/sms/messages": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List SMS
         * @description Newest first, those of campaigns too, without their texts. Go on as long as there is a `nextCursor`: with filters a page may be short, even empty.
         *
         *     Needs the scope `sms:read`.
         */
        readonly get: operations["listSmsMessages"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/sms/messages/{messageId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show an SMS
         * @description How far it is, its outcome, and the callbacks about it.
         *
         *     Needs the scope `sms:read`.
         */
        readonly get: operations["getSmsMessage"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Cancel an SMS
         * @description Takes back a message that is `scheduled` or `accepted`: it is not sent, and its unit of quota is given back within seconds. The event is `message.canceled`. A campaign counts the recipient as failed, with the reason `canceled`. To cancel it again changes nothing and gets the same response.
         *
         *     Needs the scope `sms:send`.
         */
        readonly delete: operations["cancelSmsMessage"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/sms/inbound": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List texts that came in
         * @description What phones sent to the organization's numbers, newest first. Go on as long as there is a `nextCursor`: with filters a page may be short, even empty. The event `message.received` tells of each as it comes.
         *
         *     Needs the scope `sms:read`.
         */
        readonly get: operations["listInboundSms"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/whatsapp/messages": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List WhatsApp messages
         * @description Sent and received ones, newest first, without texts.
         *
         *     Needs the scope `whatsapp:read`.
         */
        readonly get: operations["listWhatsAppMessages"];
        readonly put?: never;
        /**
         * Send a WhatsApp message
         * @description An approved utility or authentication template, or a text within 24 hours of the user's last message. 202 means that the message is stored and queued; the outcome follows by webhook.
         *
         *     Needs the scope `whatsapp:send`.
         */
        readonly post: operations["sendWhatsAppMessage"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/whatsapp/templates": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List WhatsApp templates
         * @description Newest first. Locally disabled ones are not listed.
         *
         *     Needs the scope `whatsapp:read`.
         */
        readonly get: operations["listWhatsAppTemplates"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/whatsapp/conversations": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List WhatsApp conversations
         * @description Newest first. A conversation is open while a text may be sent: for 24 hours after the user's last message.
         *
         *     Needs the scope `whatsapp:read`.
         */
        readonly get: operations["listWhatsAppConversations"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/account": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the account
         * @description Commercial state, subscription, quota and disabled webhook endpoints. Open to a suspended or closed organization too.
         *
         *     Needs the scope `account:read`.
         */
        readonly get: operations["getAccount"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/account/audit": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List what was done to the account
         * @description Keys that were made or removed, quiet hours, and what the platform changed in any part of the service, newest first. Entries are never changed or deleted.
         *
         *     Needs the scope `account:read`.
         */
        readonly get: operations["listAccountAudit"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/usage": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the usage ledger
         * @description Newest first. The sum of all entries is the balance, always.
         *
         *     Needs the scope `account:read`.
         */
        readonly get: operations["listUsage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/reports/usage": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Sum the usage ledger by day
         * @description By day of UTC, kind and channel, newest day first; days without an entry are left out. Exact at the moment of the request: the sums of all days are the balance. What is given back counts on the day on which it was given back.
         *
         *     Needs the scope `account:read`.
         */
        readonly get: operations["getUsageReport"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/reports/delivery": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Count messages and what became of them
         * @description Of the messages that were accepted in these days of UTC, 31 at most; a message that ends later changes the line of the day on which it was accepted. Each message counts once, seconds after it was accepted or has ended. Hours and days come newest first, other values with most messages first. A message that was moved counts under its last route. A report that would have more than 5,000 lines is refused: ask for fewer days.
         *
         *     Needs the scope `account:read`.
         */
        readonly get: operations["getDeliveryReport"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/contacts": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List contacts
         * @description Newest first, of one tag when one is given.
         *
         *     Needs the scope `contacts:read`.
         */
        readonly get: operations["listContacts"];
        readonly put?: never;
        /**
         * Create a contact
         * @description A phone number is unique within the organization.
         *
         *     Needs the scope `contacts:write`.
         */
        readonly post: operations["createContact"];
        /**
         * Delete a contact
         * @description Campaigns that have begun keep the recipients they began with.
         *
         *     Needs the scope `contacts:write`.
         */
        readonly delete: operations["deleteContact"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/opt-outs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List opt-outs
         * @description Newest first. With `recipient` also entries whose number was erased are found.
         *
         *     Needs the scope `contacts:read`.
         */
        readonly get: operations["listOptOuts"];
        readonly put?: never;
        /**
         * List a number as opted out
         * @description SMS to it are refused from now on, and those that wait fail, both as `recipient_opted_out`; campaigns skip it. The number is told nothing. One that is listed already stays as it is.
         *
         *     Needs the scope `contacts:write`.
         */
        readonly post: operations["addOptOut"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/opt-outs/import": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Import opt-outs as CSV
         * @description Lists all numbers of a table, up to 10,000 entries and 1 MiB at a time, or none of them: where a line is refused the error names it, as `csv.<line>.<column>`. A body of the type `text/csv` is the table itself. An export of another organization is taken as it is; a second import of the same table adds nothing. Each number that is new on the list is a `recipient.opted_out` event. Nobody is told by SMS.
         *
         *     Needs the scope `contacts:write`.
         */
        readonly post: operations["importOptOuts"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/opt-outs/export": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Export opt-outs as CSV
         * @description All of the organization's, newest first, as they are while the table is read. Those whose number was erased are left out. `POST /opt-outs/import` takes the table, 10,000 lines at a time. Two exports run at a time; one more is 429.
         *
         *     Needs the scope `contacts:read`.
         */
        readonly get: operations["exportOptOuts"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/opt-outs/{optOutId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Remove an opt-out
         * @description The number may be sent to again. Do so only where its owner asked for it; who writes START does it alone.
         *
         *     Needs the scope `contacts:write`.
         */
        readonly delete: operations["removeOptOut"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/quiet-hours": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show the quiet hours
         * @description Null where there are none, which is the default.
         *
         *     Needs the scope `campaigns:read`.
         */
        readonly get: operations["getQuietHours"];
        /**
         * Set the quiet hours
         * @description From now on campaigns and messages of the priority `bulk` that would go in these hours are accepted and paid for at once, and go at their end: at the first quarter hour that is not quiet in any time zone in which the recipient's number may be. Where these zones have no open time in common, it is the first that is quiet in the fewest. A number of no country, such as +800, has the zones of the organization's default country, or UTC. The `send_at` of a message tells when it goes. The priorities `normal` and `otp` never wait, and what was accepted before keeps its time. It is in GET /account/audit.
         *
         *     Needs the scope `campaigns:write`.
         */
        readonly put: operations["setQuietHours"];
        readonly post?: never;
        /**
         * End the quiet hours
         * @description Bulk messages go at any time from now on; what was accepted before keeps its time. Where there are none it changes nothing and gets the same response.
         *
         *     Needs the scope `campaigns:write`.
         */
        readonly delete: operations["clearQuietHours"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/campaigns": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List campaigns
         * @description Newest first, each with its progress.
         *
         *     Needs the scope `campaigns:read`.
         */
        readonly get: operations["listCampaigns"];
        readonly put?: never;
        /**
         * Create a campaign
         * @description Sends one message to each recipient: at once, or at its time. The body has one of two forms: an audience of contacts chosen by tags, or a list of phone numbers. Fields of the two are not mixed. A campaign that runs out of quota pauses, and goes on by itself after a top-up.
         *
         *     Needs the scope `campaigns:write`.
         */
        readonly post: operations["createCampaign"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/campaigns/preview": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Preview a campaign
         * @description Tells what would become of a campaign with the same body that began now, also of one for later: who would be skipped and why, the first messages, the parts and their cost where it is known, the quota, and how many messages quiet hours put off. Each recipient is decided by the steps of the send, so the counts are exact, if nothing else uses the quota meanwhile. Nothing is stored or paid for, and an Idempotency-Key is not looked at. What POST /campaigns would refuse is a 200 here, with the same error in `error`; a body that does not have the form of a campaign is a 400 as there.
         *
         *     A preview looks at 100,000 recipients at most, which takes seconds; with more contacts it is a 400 (`audience_too_large`), and where they cannot be looked at within 25 seconds a 503. Of an organization two previews run at a time on a server, and eight wait for them; one more is a 503.
         *
         *     Needs the scope `campaigns:write`.
         */
        readonly post: operations["previewCampaign"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/campaigns/{campaignId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show a campaign
         * @description The campaign with its progress.
         *
         *     Needs the scope `campaigns:read`.
         */
        readonly get: operations["getCampaign"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/campaigns/{campaignId}/recipients": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the recipients of a campaign
         * @description By phone number. A number that was given again follows the recipient that it repeats, `skipped` as a `duplicate`, with the same `message_id`: whoever is counted in the campaign's `stats` is listed. Go on as long as there is a `nextCursor`: with a status, a page may be short, even empty.
         *
         *     Needs the scope `campaigns:read`.
         */
        readonly get: operations["listCampaignRecipients"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/campaigns/{campaignId}/pause": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Pause a campaign
         * @description Nobody else is sent to until it is resumed. Messages that were accepted before are delivered, and so are those that are being accepted at this moment, 2,000 at most. A paused campaign stays paused.
         *
         *     Needs the scope `campaigns:write`.
         */
        readonly post: operations["pauseCampaign"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/campaigns/{campaignId}/resume": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Resume a campaign
         * @description A campaign that was paused goes on, or waits for its time again. One that waits for quota or for its sender stays paused, asks again at once, and may use all the quota there is.
         *
         *     Needs the scope `campaigns:write`.
         */
        readonly post: operations["resumeCampaign"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/campaigns/{campaignId}/cancel": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Cancel a campaign
         * @description Everybody who was not sent to is skipped, with the reason `cancelled`. No message is recalled: those that were accepted before, also if they still wait for an operator or for the end of quiet hours, are delivered and count, and so are those that are being accepted at this moment, 2,000 at most. `DELETE /sms/messages/{messageId}` takes one that waits back. A cancelled campaign stays cancelled.
         *
         *     Needs the scope `campaigns:write`.
         */
        readonly post: operations["cancelCampaign"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/sender-ids": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List sender IDs
         * @description All sender IDs of the organization, newest first, with approval status and default flag.
         *
         *     Needs the scope `sender_ids:read`.
         */
        readonly get: operations["listSenderIds"];
        readonly put?: never;
        /**
         * Request a sender ID
         * @description An admin of the platform decides the request. A rejected value is reopened: pending again. An organization has at most 100 sender IDs.
         *
         *     Needs the scope `sender_ids:write`.
         */
        readonly post: operations["requestSenderId"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api-keys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List API keys
         * @description Newest first, masked. Revoked keys are not listed.
         *
         *     Needs the scope `api_keys:read`.
         */
        readonly get: operations["listApiKeys"];
        readonly put?: never;
        /**
         * Create an API key
         * @description The key itself is in this response only, and in those to repetitions with the same Idempotency-Key. An Idempotency-Key belongs to the calling API key: another one that repeats the request gets 409 `idempotency_key_reused`. The new key has no scope that the calling key has not, and ends no later than the key that made it. An organization has at most 100 active keys.
         *
         *     Needs the scope `api_keys:write`.
         */
        readonly post: operations["createApiKey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api-keys/{apiKeyId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Revoke an API key
         * @description A key may revoke only keys whose scopes it has, itself included. It is refused everywhere within seconds, by the gateway that took this request at once.
         *
         *     Needs the scope `api_keys:write`.
         */
        readonly delete: operations["deleteApiKey"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/webhooks": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description Newest first. Signing secrets are never listed.
         *
         *     Needs the scope `webhooks:read`.
         */
        readonly get: operations["listWebhooks"];
        readonly put?: never;
        /**
         * Register a webhook endpoint
         * @description The signing secret is in this response only, and in those to repetitions with the same Idempotency-Key. An organization has at most 10 endpoints.
         *
         *     Needs the scope `webhooks:write`.
         */
        readonly post: operations["createWebhook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/webhooks/{webhookEndpointId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Remove a webhook endpoint
         * @description Nothing more is sent to it.
         *
         *     Needs the scope `webhooks:write`.
         */
        readonly delete: operations["deleteWebhook"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a webhook endpoint
         * @description What is not named stays as it is. `status: active` makes a disabled endpoint active again; events from while it was disabled are not sent to it.
         *
         *     Needs the scope `webhooks:write`.
         */
        readonly patch: operations["updateWebhook"];
        readonly trace?: never;
    };
    readonly "/webhooks/{webhookEndpointId}/rotate-secret": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Replace the signing secret of a webhook endpoint
         * @description The new secret is in this response only, and in those to repetitions with the same Idempotency-Key. For 24 hours the previous secret signs too: `webhook-signature` has a signature for each, `x-service-signature` stays that of the old secret and `x-service-signature-next` is that of the new one.
         *
         *     Needs the scope `webhooks:write`.
         */
        readonly post: operations["rotateWebhookSecret"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/webhooks/{webhookEndpointId}/deliveries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the deliveries to a webhook endpoint
         * @description Newest first, of the last 30 days. A page can be short, and even empty, before the last one: go on until nextCursor is null.
         *
         *     Needs the scope `webhooks:read`.
         */
        readonly get: operations["listWebhookDeliveries"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/webhooks/deliveries/{webhookDeliveryId}/redeliver": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send an event to a webhook endpoint again
         * @description Whatever became of it: a delivered or failed event is queued with a fresh schedule, one that waits for its next attempt is sent at once. The event keeps its id.
         *
         *     Needs the scope `webhooks:write`.
         */
        readonly post: operations["redeliverWebhook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/requests": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List requests
         * @description The requests of the last 7 days with a key of the organization, newest first, about a second after their responses: of those with a status of 400 and above the newest 100,000, and as many others. Of more than 250 of either kind within a second the rest is left out, and `omitted` counts them. Texts, secrets and whole phone numbers are not in the log. Go on as long as there is a `nextCursor`: with filters a page may be short, even empty.
         *
         *     Needs the scope `requests:read`.
         */
        readonly get: operations["listRequests"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export interface webhooks {
    readonly "message.delivered": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * A message was delivered
         * @description Respond with any 2xx within 10 seconds. Anything else, a redirect included, is repeated after 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h. An event may come more than once: its id stays the same. Verify the signature over the raw body before you trust it, with either family of headers, and refuse timestamps more than five minutes away.
         */
        readonly post: operations["onDelivered"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "message.failed": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * A message was not delivered
         * @description Respond with any 2xx within 10 seconds. Anything else, a redirect included, is repeated after 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h. An event may come more than once: its id stays the same. Verify the signature over the raw body before you trust it, with either family of headers, and refuse timestamps more than five minutes away.
         */
        readonly post: operations["onFailed"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "message.canceled": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * A message was taken back before it was sent
         * @description Respond with any 2xx within 10 seconds. Anything else, a redirect included, is repeated after 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h. An event may come more than once: its id stays the same. Verify the signature over the raw body before you trust it, with either family of headers, and refuse timestamps more than five minutes away.
         */
        readonly post: operations["onCanceled"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "message.received": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * A text came in
         * @description Respond with any 2xx within 10 seconds. Anything else, a redirect included, is repeated after 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h. An event may come more than once: its id stays the same. Verify the signature over the raw body before you trust it, with either family of headers, and refuse timestamps more than five minutes away.
         */
        readonly post: operations["onReceived"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "recipient.opted_out": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * A number wants no more messages
         * @description Respond with any 2xx within 10 seconds. Anything else, a redirect included, is repeated after 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h. An event may come more than once: its id stays the same. Verify the signature over the raw body before you trust it, with either family of headers, and refuse timestamps more than five minutes away.
         */
        readonly post: operations["onOptedOut"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "report.daily": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * A day of UTC is over: what became of its messages
         * @description Once for each day that has messages, after 01:00 UTC of the next one; each day of the last seven after an interruption, none older. What is known later is in `GET /reports/delivery`. Respond with any 2xx within 10 seconds. Anything else, a redirect included, is repeated after 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h. An event may come more than once: its id stays the same. Verify the signature over the raw body before you trust it, with either family of headers, and refuse timestamps more than five minutes away.
         */
        readonly post: operations["onDailyReport"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "webhook.disabled": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Another webhook endpoint of the organization was disabled
         * @description Respond with any 2xx within 10 seconds. Anything else, a redirect included, is repeated after 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h. An event may come more than once: its id stays the same. Verify the signature over the raw body before you trust it, with either family of headers, and refuse timestamps more than five minutes away.
         */
        readonly post: operations["onWebhookDisabled"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description What every error looks like. */
        readonly Error: {
            /** @constant */
            readonly success: false;
            readonly error: {
                /** @description Stable reason, snake_case. */
                readonly code: string;
                /** @description One sentence for people. */
                readonly message: string;
                /** @description Every field at fault, empty when none is. */
                readonly details: readonly {
                    /** @description Field or parameter at fault; dots lead into objects and lists. */
                    readonly field: string;
                    readonly code: string;
                    readonly message: string;
                }[];
            };
            /** @description The same as x-request-id. */
            readonly requestId: string;
        };
        /** @description A text that a phone sent to the organization. */
        readonly InboundSms: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            readonly id: string;
            /** @description Who wrote it: E.164, a short code or a name; empty once the number was erased. */
            readonly from: string;
            /** @description Number that it was sent to: E.164, a short code or a name. */
            readonly to: string;
            /** @description Of binary content its octets in base64. Empty once it was erased or its retention ended. */
            readonly text: string;
            /** @description Alphabet that it came in: `gsm7`, `ucs2` or `binary`. */
            readonly encoding: string;
            /** @description Parts that it consists of. */
            readonly parts: number;
            /** @description False where parts did not come in time: in the text `[…]` stands for each gap. */
            readonly is_complete: boolean;
            /** @description Keyword by which a shared number found the organization. */
            readonly keyword: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            readonly received_at: string;
        };
        /** @description A new webhook endpoint. */
        readonly CreateWebhookRequest: {
            /**
             * Format: uri
             * @description Receiving address: https, public, without user name or password.
             */
            readonly url: string;
            /** @description Event kinds to deliver. */
            readonly subscribed_events: readonly ("message.delivered" | "message.failed" | "message.canceled" | "message.received" | "recipient.opted_out" | "report.daily" | "webhook.disabled")[];
        };
        /** @description What to change of a webhook endpoint; the rest stays. */
        readonly UpdateWebhookRequest: {
            /**
             * Format: uri
             * @description Receiving address: https, public, without user name or password.
             */
            readonly url?: string;
            /** @description Event kinds to deliver. */
            readonly subscribed_events?: readonly ("message.delivered" | "message.failed" | "message.canceled" | "message.received" | "recipient.opted_out" | "report.daily" | "webhook.disabled")[];
            /** @constant */
            readonly status?: "active";
        };
        /** @description An address that receives events. */
        readonly WebhookEndpoint: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            readonly id: string;
            readonly url: string;
            readonly subscribed_events: readonly ("message.delivered" | "message.failed" | "message.canceled" | "message.received" | "recipient.opted_out" | "report.daily" | "webhook.disabled")[];
            /** @enum {string} */
            readonly status: "active" | "disabled";
            /** @description `gone`: it responded with 410. `failing`: nothing but failures for five days. */
            readonly disabled_reason: string | null;
            readonly disabled_at: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            readonly created_at: string;
        };
        /** @description The outcome of a message. */
        readonly WebhookEvent: {
            /** @description Id of the event, the same on every repetition. */
            readonly id: string;
            /** @enum {string} */
            readonly type: "message.delivered" | "message.failed" | "message.canceled";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            readonly created_at: string;
            readonly data: {
                /**
                 * Format: uuid
                 * @description UUIDv7.
                 */
                readonly message_id: string;
                /** @enum {string} */
                readonly channel: "sms" | "whatsapp";
                /** @enum {string} */
                readonly status: "delivered" | "failed" | "canceled";
                /** @description Recipient in E.164 form; empty once the number was erased. */
                readonly to: string;
                readonly client_reference: string | null;
                readonly campaign_id: string | null;
                readonly error: {
                    /** @description `rejected`, `undeliverable`, `expired`, `operator_error`, `blocked` or, for an SMS, `unknown_subscriber`, `no_receipt` or `recipient_opted_out`. */
                    readonly code: string;
                    readonly message: string;
                } | null;
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC, with milliseconds.
                 */
                readonly occurred_at: string;
            };
        };
        /** @description A text came in to a number of the organization. */
        readonly MessageReceivedEvent: {
            /** @description Id of the event, the same on every repetition. */
            readonly id: string;
            /** @constant */
            readonly type: "message.received";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            readonly created_at: string;
            readonly data: {
                /**
                 * Format: uuid
                 * @description UUIDv7.
                 */
                readonly message_id: string;
                /** @constant */
                readonly channel: "sms";
                /** @description Who wrote it: E.164, a short code or a name; empty once the number was erased. */
                readonly from: string;
                /** @description Number that it was sent to: E.164, a short code or a name. */
                readonly to: string;
                /** @description Of binary content its octets in base64. Empty once it was erased or its retention ended. */
                readonly text: string;
                /** @description Alphabet that it came in: `gsm7`, `ucs2` or `binary`. */
                readonly encoding: string;
                /** @description Parts that it consists of. */
                readonly parts: number;
                /** @description False where parts did not come in time: in the text `[…]` stands for each gap. */
                readonly is_complete: boolean;
                /** @description Keyword by which a shared number found the organization. */
                readonly keyword: string | null;
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC, with milliseconds.
                 */
                readonly received_at: string;
            };
        };
        /** @description A number wants no more messages. */
        readonly RecipientOptedOutEvent: {
            /** @description Id of the event, the same on every repetition. */
            readonly id: string;
            /** @constant */
            readonly type: "recipient.opted_out";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            readonly created_at: string;
            readonly data: {
                /** @description The number in E.164 form; empty once the number was erased. */
                readonly recipient: string;
                /** @description Sender whose messages it does not want; null for all senders of the organization. */
                readonly sender: string | null;
                /** @description `keyword`: it wrote so; `api`, `import`: the organization said so; `whatsapp`: it told WhatsApp. */
                readonly source: string;
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC, with milliseconds.
                 */
                readonly occurred_at: string;
            };
        };
        /** @description A webhook endpoint was disabled: it gets no more events. */
        readonly WebhookDisabledEvent: {
            /** @description Id of the event, the same on every repetition. */
            readonly id: string;
            /** @constant */
            readonly type: "webhook.disabled";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            readonly created_at: string;
            readonly data: {
                /**
                 * Format: uuid
                 * @description UUIDv7.
                 */
                readonly webhook_endpoint_id: string;
                readonly url: string;
                /** @enum {string} */
                readonly disabled_reason: "gone" | "failing";
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC, with milliseconds.
                 */
                readonly disabled_at: string;
            };
        };
        /** @description The organization with its plan, period and quota. */
        readonly Account: {
            readonly organization: {
                /**
                 * Format: uuid
                 * @description UUIDv7.
                 */
                readonly id: string;
                readonly name: string;
                readonly email: string;
            };
            /** @enum {string} */
            readonly commercial_state: "trial" | "active" | "past_due" | "suspended" | "closed";
            readonly subscription: {
                readonly plan: string;
                /** @enum {string} */
                readonly status: "active" | "past_due" | "canceled";
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC, with milliseconds.
                 */
                readonly current_period_start: string;
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC, with milliseconds.
                 */
                readonly current_period_end: string;
            };
            readonly quota: {
                readonly sms: {
                    /** @description Messages left. */
                    readonly remaining: number;
                    readonly used_this_period: number;
                };
            };
            /** @description Webhook endpoints that are sent nothing any more, until they are made active again; null while it cannot be told. */
            readonly disabled_webhooks: readonly {
                /**
                 * Format: uuid
                 * @description UUIDv7.
                 */
                readonly id: string;
                readonly url: string;
                /** @description `gone`: it responded with 410. `failing`: nothing but failures for five days. */
                readonly disabled_reason: string | null;
                readonly disabled_at: string | null;
            }[] | null;
        };
        /** @description One entry of the quota's ledger. */
        readonly UsageEntry: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            readonly id: string;
            /** @enum {string} */
            readonly kind: "usage" | "adjustment" | "release" | "grant";
            readonly channel: ("sms" | "whatsapp") | null;
            /** @description Negative for usage. */
            readonly units: number;
            readonly balance_after: number;
            readonly message_id: string | null;
            readonly campaign_id: string | null;
            readonly note: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            readonly created_at: string;
        };
        /** @description One act that changed the organization. */
        readonly AuditEntry: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            readonly id: string;
            /** @description An API key of the organization, or the platform. */
            readonly actor: {
                /** @enum {string} */
                readonly type: "api_key" | "platform";
                readonly api_key_id: string | null;
            };
            /** @description Network address from which an API key was used. */
            readonly address: string | null;
            /** @description What was done, for example `create_api_key`, `delete_api_key`, `grant_quota` or `set_organization_state`. New ones may be added. */
            readonly action: string;
            /** @description What it was done to; null: the organization. */
            readonly subject: string | null;
            readonly before: {
                readonly [key: string]: string | number | boolean | readonly string[] | null;
            } | null;
            readonly after: {
                readonly [key: string]: string | number | boolean | readonly string[] | null;
            } | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            readonly created_at: string;
        };
        /** @description A new API key. */
        readonly CreateApiKeyRequest: {
            /** @description Unique among the organization's active keys. */
            readonly name: string;
            /** @description What the key may do, nothing that the key of this request may not. The same as that key when absent. */
            readonly scopes?: readonly ("sms:send" | "sms:read" | "whatsapp:send" | "whatsapp:read" | "account:read" | "contacts:read" | "contacts:write" | "campaigns:read" | "campaigns:write" | "sender_ids:read" | "sender_ids:write" | "api_keys:read" | "api_keys:write" | "webhooks:read" | "webhooks:write" | "requests:read")[];
            /**
             * Format: date-time
             * @description RFC 3339, in the future, not after the end of the calling key. With that key when absent, never if that never ends.
             */
            readonly expires_at?: string;
        };
        /** @description An API key, without its secret. */
        readonly ApiKey: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            readonly id: string;
            readonly name: string;
            /** @description The key, masked. */
            readonly prefix: string;
            readonly scopes: readonly string[];
            /** @enum {string} */
            readonly status: "active" | "expired" | "revoked";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            readonly created_at: string;
            readonly expires_at: string | null;
            readonly last_used_at: string | null;
        };
        /** @description To the contacts that carry tags. */
        readonly CreateTagCampaignRequest: {
            readonly name: string;
            /** @description Text of the messages, of at most 10 parts without the names. `{{name}}` stands for the contact's name, `{{name|there}}` falls back to `there`. */
            readonly message_template: string;
            /**
             * Format: date-time
             * @description When to send, RFC 3339, in the future and within one year. At once when absent.
             */
            readonly scheduled_at?: string;
            /**
             * Format: uuid
             * @description Approved sender ID; the default one when absent.
             */
            readonly sender_id?: string;
            /** @description Tags, of which at least one is not blank. */
            readonly audience_tags: readonly string[];
            /**
             * @description `all` (the default) or `any` of the tags.
             * @enum {string}
             */
            readonly audience_tag_match_mode?: "all" | "any";
        };
        /** @description To a list of phone numbers. */
        readonly CreateListCampaignRequest: {
            readonly name: string;
            /** @description Text of the messages, of at most 10 parts without the names. `{{name}}` stands for the contact's name, `{{name|there}}` falls back to `there`. */
            readonly content: string;
            /**
             * Format: date-time
             * @description When to send, RFC 3339, in the future and within one year. At once when absent.
             */
            readonly scheduledAt?: string;
            /** @description Name of an approved sender; the default one when absent. */
            readonly senderName?: string;
            /** @description Phone numbers. An invalid one, or one given twice, is counted as skipped. */
            readonly recipients: readonly string[];
        };
        /** @description A campaign to contacts by tags, or to a list of phone numbers. */
        readonly CreateCampaignRequest: components["schemas"]["CreateTagCampaignRequest"] | components["schemas"]["CreateListCampaignRequest"];
        /** @description A campaign and how far it is. */
        readonly Campaign: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            readonly id: string;
            readonly name: string;
            /** @enum {string} */
            readonly status: "scheduled" | "sending" | "paused" | "completed" | "completed_with_errors" | "failed" | "cancelled";
            /** @description Why it is paused (`requested`, `quota_exhausted`, `quota_share_used`: campaigns have used their share of what was granted and leave the rest to single sends, `organization_suspended`, `sender_not_approved`, `unknown_sender`) or failed (`no_audience`: nobody was sent to). */
            readonly status_reason: string | null;
            /** @description Empty once the campaign has ended and the time for which texts are kept is over. */
            readonly message_template: string;
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            readonly sender_id: string;
            readonly sender_name: string;
            readonly audience_tags: readonly string[];
            /** @enum {string} */
            readonly audience_tag_match_mode: "all" | "any";
            readonly scheduled_at: string | null;
            readonly started_at: string | null;
            readonly completed_at: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            readonly created_at: string;
            readonly stats: {
                /** @description Recipients in all. */
                readonly audience: number;
                /** @description Left out, among them those that were given twice. */
                readonly skipped: number;
                /** @description Given twice: they get their message once, and are no error. */
                readonly duplicates: number;
                /** @description Messages accepted. */
                readonly accepted: number;
                readonly delivered: number;
                readonly failed: number;
                /** @description Recipients and messages without an outcome yet. */
                readonly pending: number;
            };
        };
        /** @description One recipient of a campaign. */
        readonly CampaignRecipient: {
            /** @description E.164, or the text as it was given when it is no number; begins with `erased-` once it was erased. */
            readonly phone: string;
            /** @description The contact's name as the campaign began. */
            readonly name: string | null;
            /** @enum {string} */
            readonly status: "pending" | "skipped" | "accepted" | "delivered" | "failed";
            /** @description Why it was skipped (`invalid_phone_number`, `no_route`, `duplicate`, `message_too_long`, `cancelled`, `organization_closed`, `erased`, or what else refuses a single SMS) or failed (as in webhooks). */
            readonly reason: string | null;
            /** @description Its message; of a duplicate that of the recipient that it repeats. */
            readonly message_id: string | null;
        };
        /** @description What would become of the campaign now. */
        readonly PreviewCampaignReply: {
            /** @constant */
            readonly success: true;
            /** @description Whether POST /campaigns would create the campaign now. */
            readonly accepted: boolean;
            /** @description The status with which it would respond. */
            readonly httpStatus: number;
            /** @description The error with which it would refuse; null when none. */
            readonly error: {
                /** @description Stable reason, snake_case. */
                readonly code: string;
                /** @description One sentence for people. */
                readonly message: string;
                /** @description Every field at fault, empty when none is. */
                readonly details: readonly {
                    /** @description Field or parameter at fault; dots lead into objects and lists. */
                    readonly field: string;
                    readonly code: string;
                    readonly message: string;
                }[];
            } | null;
            /** @description Null when the campaign is refused. */
            readonly sender: {
                /**
                 * Format: uuid
                 * @description UUIDv7.
                 */
                readonly id: string;
                readonly value: string;
            } | null;
            /** @description Of the campaign once it has sent to all whom it may send to now: `sending` waits for outcomes only, or for an operator route. Null when it is refused. */
            readonly status: ("sending" | "paused" | "failed") | null;
            /** @description Why it would be paused (`quota_exhausted`, `quota_share_used`, `organization_suspended`) or failed (`no_audience`). */
            readonly statusReason: string | null;
            /** @description Null when the campaign is refused. */
            readonly stats: {
                /** @description Recipients in all. */
                readonly audience: number;
                /** @description Left out, among them those that were given twice. */
                readonly skipped: number;
                /** @description Given twice: they would get their message once. */
                readonly duplicates: number;
                /** @description Messages that would be accepted and paid for now. */
                readonly accepted: number;
                /** @description Messages that would wait for quota or for an operator route. */
                readonly pending: number;
            } | null;
            /** @description The most frequent reason first: what the campaign would have recorded once it has looked at all recipients. */
            readonly skippedByReason: readonly {
                /** @description As in the list of the recipients of a campaign. */
                readonly reason: string;
                readonly count: number;
            }[];
            /** @description The first three messages; fewer when there are fewer. */
            readonly examples: readonly {
                /** @description E.164. */
                readonly phone: string;
                /** @description The contact's name. */
                readonly name: string | null;
                readonly message: string;
                /** @enum {string} */
                readonly encoding: "gsm7" | "ucs2";
                readonly segments: number;
            }[];
            /** @description Parts of all messages, accepted and pending. */
            readonly segments: number;
            /** @description What the operators charge for these parts, by currency. */
            readonly costs: readonly {
                /** @description ISO 4217. */
                readonly currency: string;
                readonly amount: number;
                readonly segments: number;
            }[];
            /** @description Parts of which it is not known: nobody said what the route charges, or routes that share such messages differ. */
            readonly segmentsWithoutCost: number;
            /** @description Messages, accepted and pending, that would wait for the end of quiet hours: at the campaign's time, or now where it has none. */
            readonly delayedByQuietHours: number;
            /** @description SMS quota left now; null when the campaign is refused, or has no message. */
            readonly quotaBefore: number | null;
            /** @description SMS quota left after the accepted messages. */
            readonly remainingQuota: number | null;
        };
        /** @description A new contact. */
        readonly CreateContactRequest: {
            readonly name: string;
            /** @description '+' and the international number, or digits alone (international; national, also with spaces, dots or dashes, when the organization has a default country). */
            readonly phone: string;
            readonly email?: string;
            /** @description Tags as a list, or as one text with commas. They are trimmed, lower-cased, sorted and made distinct; then there are at most 50 of at most 64 characters. */
            readonly tags?: readonly string[] | string;
        };
        /** @description Somebody whom campaigns are sent to. */
        readonly Contact: {
            readonly id: number;
            readonly name: string;
            /** @description E.164. */
            readonly phone: string;
            readonly email: string | null;
            readonly tags: readonly string[];
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            readonly created_at: string;
        };
        /** @description A wanted sender ID. */
        readonly RequestSenderIdRequest: {
            /** @description The wanted sender: 3-11 characters `[A-Za-z0-9 ._-]` with a letter, or 3-15 digits. */
            readonly value: string;
        };
        /** @description A sender ID and whether it may be used. */
        readonly SenderId: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            readonly id: string;
            readonly value: string;
            /** @enum {string} */
            readonly status: "pending" | "approved" | "rejected" | "suspended";
            /** @description True for the sender of messages that name none. */
            readonly is_default: boolean;
            /** @description Why it was rejected or suspended, when a reason was given. */
            readonly rejection_reason: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            readonly created_at: string;
            readonly decided_at: string | null;
        };
        /** @description A number to list. */
        readonly AddOptOutRequest: {
            /** @description Number that is sent nothing more: '+' and the international number, or digits alone (international; national, also with spaces, dots or dashes, when the organization has a default country). */
            readonly recipient: string;
            /** @description Sender whose messages it does not get, written in any case. Without it: those of all senders. */
            readonly sender?: string;
        };
        /** @description A number that is sent nothing. */
        readonly OptOut: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            readonly id: string;
            /** @description E.164; null once the person's data was erased. The number is sent nothing all the same. */
            readonly recipient: string | null;
            /** @description Sender whose messages the number does not get; null for all senders. */
            readonly sender: string | null;
            /**
             * @description `keyword`: the recipient wrote a word such as STOP. `api`, `import`: you or an admin listed the number. `whatsapp`: the user stopped marketing messages there; ends when the user resumes them.
             * @enum {string}
             */
            readonly source: "keyword" | "api" | "import" | "whatsapp";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            readonly created_at: string;
        };
        /** @description A list of numbers. */
        readonly ImportOptOutsRequest: {
            /** @description A table as RFC 4180 says, with commas. Its first line names the columns: `recipient`, and where an opt-out is of one sender `sender`; those of an export may be there too, and are not read. */
            readonly csv: string;
        };
        /** @description Quiet hours to set. */
        readonly SetQuietHoursRequest: {
            /** @description Local time from which nothing goes, for example 21:00. */
            readonly start: string;
            /** @description Local time from which messages go again. Before `start`: that of the next day. An hour of each day at least stays open. */
            readonly end: string;
        };
        /** @description When no bulk messages go, by the recipient's clock. */
        readonly QuietHours: {
            /** @description Local time from which nothing goes, for example 21:00. */
            readonly start: string;
            /** @description Local time from which messages go again. Before `start`: that of the next day. An hour of each day at least stays open. */
            readonly end: string;
        };
        /** @description The quiet hours of the organization. */
        readonly GetQuietHoursReply: {
            /** @constant */
            readonly success: true;
            /** @description Null when none are set. */
            readonly quietHours: components["schemas"]["QuietHours"] | null;
        };
        /** @description What would become of the SMS now. */
        readonly PreviewSmsReply: {
            /** @constant */
            readonly success: true;
            /** @description Whether POST /sms/send would accept the message now. */
            readonly accepted: boolean;
            /** @description The status with which it would respond. */
            readonly httpStatus: number;
            /** @description The error with which it would refuse; null when none. */
            readonly error: {
                /** @description Stable reason, snake_case. */
                readonly code: string;
                /** @description One sentence for people. */
                readonly message: string;
                /** @description Every field at fault, empty when none is. */
                readonly details: readonly {
                    /** @description Field or parameter at fault; dots lead into objects and lists. */
                    readonly field: string;
                    readonly code: string;
                    readonly message: string;
                }[];
            } | null;
            /** @description In E.164 form; null for an invalid number. */
            readonly recipient: string | null;
            /** @description Null when the send would not get that far. */
            readonly sender: {
                /**
                 * Format: uuid
                 * @description UUIDv7.
                 */
                readonly id: string;
                readonly value: string;
            } | null;
            /**
             * @description One character outside of the GSM alphabet makes it ucs2.
             * @enum {string}
             */
            readonly encoding: "gsm7" | "ucs2";
            /** @description Number of parts. */
            readonly segments: number;
            /** @description The parts in which the text goes out. */
            readonly parts: readonly {
                /** @description Septets of GSM-7, where characters such as € and [ take two, or UTF-16 units of UCS-2. */
                readonly length: number;
            }[];
            /** @description What makes the text ucs2. */
            readonly foreignCharacters: {
                /** @description How many different ones. */
                readonly count: number;
                /** @description The first 20 of them. */
                readonly characters: readonly {
                    readonly character: string;
                    readonly count: number;
                    /** @description The first 10 places: UTF-16 units before the character. */
                    readonly positions: readonly number[];
                    /** @description Its common form in the GSM alphabet, which may be empty; null when it has none. */
                    readonly plain: string | null;
                }[];
            };
            /** @description The text in plain forms, in the GSM alphabet; null when it is there already, or has a character without one. */
            readonly plainText: {
                readonly message: string;
                /** @description The parts in which the text goes out. */
                readonly parts: readonly {
                    /** @description Septets of GSM-7, where characters such as € and [ take two, or UTF-16 units of UCS-2. */
                    readonly length: number;
                }[];
            } | null;
            /** @description The operator route, as in the reply of the send; null when it is not known, or several share such messages. */
            readonly provider: {
                readonly code: string;
            } | null;
            /** @description Routes that such messages take. A route that was down and is tried may take one now and then beside them. */
            readonly routes: readonly {
                /** @description Operator route. */
                readonly code: string;
                /** @description Its part of such messages, above 0 to 1. */
                readonly share: number;
                /** @description What the operator charges for a part; null when not known. */
                readonly segmentCost: {
                    readonly amount: number;
                    /** @description ISO 4217. */
                    readonly currency: string;
                } | null;
            }[];
            /** @description What the operator charges for all parts; null when not known, or when routes that share such messages differ. */
            readonly cost: {
                readonly amount: number;
                /** @description ISO 4217. */
                readonly currency: string;
            } | null;
            /** @description When it would go; null: at once, or it is refused. Later than was asked for where that lies in quiet hours. */
            readonly send_at: string | null;
            /** @description SMS quota left now; null when the send would not get that far. */
            readonly quotaBefore: number | null;
            /** @description SMS quota left after this message; null when it is refused. */
            readonly remainingQuota: number | null;
        };
        /** @description The ledger's entries of one day and kind. */
        readonly UsageSum: {
            /**
             * Format: date
             * @description Of UTC.
             */
            readonly day: string;
            /** @enum {string} */
            readonly kind: "usage" | "adjustment" | "release" | "grant";
            /** @enum {string} */
            readonly channel: "sms" | "whatsapp";
            /** @description Null for entries of no campaign, and when grouped by day. */
            readonly campaign_id: string | null;
            /** @description Negative for usage. */
            readonly units: number;
            /** @description Entries of the ledger. */
            readonly entries: number;
        };
        /** @description Messages and what became of them. */
        readonly DeliverySum: {
            /** @description The hour (`2026-03-01T13:00:00Z`) or day of UTC, the country (ISO 3166-1), prefix, route, SMS sender or id of the WhatsApp number, id of the campaign, or name of the template; null for messages without one. */
            readonly value: string | null;
            /** @enum {string} */
            readonly channel: "sms" | "whatsapp";
            /** @description Messages that were accepted in these days. */
            readonly accepted: number;
            /** @description Those of them that were delivered since. */
            readonly delivered: number;
            /** @description Those that failed. */
            readonly failed: number;
            readonly failures: readonly {
                /** @description As in `message.failed`. */
                readonly reason: string;
                /** @description Messages that failed for it. */
                readonly messages: number;
            }[];
            /** @description Those that were taken back. */
            readonly canceled: number;
            /** @description Those of which no outcome is known yet. */
            readonly unknown: number;
            /** @description Time from submission to receipt within which half of the delivered messages were, at most 13 % off; null where none was. */
            readonly median_seconds: number | null;
            /** @description Time from submission to receipt within which 95 of 100 of the delivered messages were, at most 13 % off; null where none was. */
            readonly p95_seconds: number | null;
            /** @description Segments of the accepted messages; 0 for WhatsApp. */
            readonly segments: number;
            /** @description What the messages cost that operators took and whose outcome is known, where costs are set. */
            readonly costs: readonly {
                readonly amount: number;
                /** @description ISO 4217. */
                readonly currency: string;
            }[];
        };
        /** @description What became of the messages of a day. */
        readonly DailyReportEvent: {
            /** @description Id of the event, the same on every repetition. */
            readonly id: string;
            /** @constant */
            readonly type: "report.daily";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            readonly created_at: string;
            readonly data: {
                /**
                 * Format: date
                 * @description Of UTC.
                 */
                readonly day: string;
                /** @description A line for each channel with messages, as `GET /reports/delivery` had it for the day when the event was made. */
                readonly sums: readonly components["schemas"]["DeliverySum"][];
            };
        };
        /** @description One request to this API. */
        readonly LoggedRequest: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            readonly id: string;
            /** @description `x-request-id`; what may be a phone number in it is masked. */
            readonly request_id: string;
            readonly method: string;
            /** @description Path as this document writes it; null for one that it does not have. */
            readonly route: string | null;
            /** @description Path as requested, without the query. */
            readonly path: string;
            /** @description 499: the client did not wait for the response. */
            readonly status: number;
            readonly duration_ms: number;
            readonly api_key: {
                /**
                 * Format: uuid
                 * @description UUIDv7.
                 */
                readonly id: string;
                readonly prefix: string;
            };
            readonly error: {
                readonly code: string;
                readonly details: readonly {
                    readonly field: string;
                    readonly code: string;
                }[];
            } | null;
            /** @description Of a refused request the fields of its query and body: ids, words and times as they were sent, phone numbers with all but their last four digits masked, of other texts the length alone. `body` is null where none was read. */
            readonly request: {
                readonly query: unknown;
                readonly body: unknown;
            } | null;
            /** @description Requests of the organization before this one that are not in the log: too many came within a second. */
            readonly omitted: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            readonly created_at: string;
        };
        /** @description One event on its way to one webhook endpoint. */
        readonly WebhookDelivery: {
            readonly id: string;
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            readonly event_id: string;
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            readonly webhook_endpoint_id: string;
            /** @enum {string} */
            readonly type: "message.delivered" | "message.failed" | "message.canceled" | "message.received" | "recipient.opted_out" | "report.daily" | "webhook.disabled";
            readonly message_id: string | null;
            /**
             * @description `pending`: waits for its next attempt or is being sent. `failed`: given up.
             * @enum {string}
             */
            readonly status: "pending" | "delivered" | "failed";
            /** @description Attempts since the event was queued or queued again. */
            readonly attempts: number;
            readonly last_http_status: number | null;
            /** @description `http_status`, `redirect`, `gone`, `timeout`, `dns_failed`, `address_not_allowed`, `connection_refused`, `connection_lost`, `connection_failed`, `tls_failed`, `invalid_response`, `endpoint_inactive`, or `not_sent` for a failure of ours. */
            readonly last_error: string | null;
            readonly next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            readonly created_at: string;
        };
        /** @description An SMS and how far it is. */
        readonly SmsMessage: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            readonly id: string;
            /** @description E.164; empty once the number was erased. */
            readonly recipient: string;
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            readonly sender_id: string;
            readonly sender_name: string;
            /**
             * @description `scheduled`: its time has not come; `accepted`: waits; `submitting`: is being sent; `submitted`: the operator has it; `unknown`: sent, and the operator did not respond; then `delivered` or `failed`. `canceled`: it was taken back before it was sent.
             * @enum {string}
             */
            readonly status: "scheduled" | "accepted" | "submitting" | "submitted" | "unknown" | "delivered" | "failed" | "canceled";
            readonly error: {
                /** @description Why it failed, as in the callback of its outcome. */
                readonly code: string;
            } | null;
            /** @description Operator route. */
            readonly route: string;
            /** @description Parts of the message. */
            readonly segments: number;
            /** @description Times it was begun to be sent. */
            readonly attempts: number;
            /** @description True when the recipient may have got it twice. */
            readonly possible_duplicate: boolean;
            readonly client_reference: string | null;
            readonly campaign_id: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            readonly created_at: string;
            /** @description When it is to be sent; null: at once. That of a bulk message may be the end of quiet hours. */
            readonly send_at: string | null;
            readonly submitted_at: string | null;
            readonly finished_at: string | null;
        };
        /** @description An SMS, how far it is, and what its webhook endpoints heard of it. */
        readonly SmsMessageDetails: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            readonly id: string;
            /** @description E.164; empty once the number was erased. */
            readonly recipient: string;
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            readonly sender_id: string;
            readonly sender_name: string;
            /**
             * @description `scheduled`: its time has not come; `accepted`: waits; `submitting`: is being sent; `submitted`: the operator has it; `unknown`: sent, and the operator did not respond; then `delivered` or `failed`. `canceled`: it was taken back before it was sent.
             * @enum {string}
             */
            readonly status: "scheduled" | "accepted" | "submitting" | "submitted" | "unknown" | "delivered" | "failed" | "canceled";
            readonly error: {
                /** @description Why it failed, as in the callback of its outcome. */
                readonly code: string;
            } | null;
            /** @description Operator route. */
            readonly route: string;
            /** @description Parts of the message. */
            readonly segments: number;
            /** @description Times it was begun to be sent. */
            readonly attempts: number;
            /** @description True when the recipient may have got it twice. */
            readonly possible_duplicate: boolean;
            readonly client_reference: string | null;
            readonly campaign_id: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            readonly created_at: string;
            /** @description When it is to be sent; null: at once. That of a bulk message may be the end of quiet hours. */
            readonly send_at: string | null;
            readonly submitted_at: string | null;
            readonly finished_at: string | null;
            /** @description To each webhook endpoint, in the order of the events; none before the outcome, and of the last 30 days. Null while they cannot be told. */
            readonly callbacks: readonly components["schemas"]["WebhookDelivery"][] | null;
        };
        /** @description An SMS to send. */
        readonly SendSmsRequest: {
            /** @description Recipient: '+' and the international number, or digits alone (international; national, also with spaces, dots or dashes, when the organization has a default country). */
            readonly to: string;
            /** @description Text, 1 to 1,600 characters and at most 10 parts (160 or 153 characters each in the GSM alphabet, 70 or 67 in any other). */
            readonly message: string;
            /**
             * Format: uuid
             * @description Approved sender ID. Without senderId and senderName: the default one.
             */
            readonly senderId?: string;
            /** @description Name of an approved sender, in place of senderId. Both must mean the same sender. */
            readonly senderName?: string;
            /** @description Your own reference; comes back in webhooks. */
            readonly clientReference?: string;
            /**
             * @description `one_time_password`: goes also to numbers that have opted out, where an admin has allowed your organization that.
             * @enum {string}
             */
            readonly messageClass?: "one_time_password";
            /**
             * @description How soon it must go when more waits than the operator takes: one-time passwords are sent before all else, and none of the three ever waits for the whole of another. Default: normal; campaigns are bulk.
             * @enum {string}
             */
            readonly priority?: "otp" | "normal" | "bulk";
            /**
             * Format: date-time
             * @description When to send, RFC 3339, in the future and within 30 days. At once when absent. It is paid for when it is accepted; until it is sent it can be canceled. Of the priority `bulk`, and in the organization's quiet hours: at their end.
             */
            readonly send_at?: string;
        };
        /** @description The SMS is stored and will be sent. */
        readonly SendSmsReply: {
            /** @constant */
            readonly success: true;
            /** @constant */
            readonly queued: true;
            /** @constant */
            readonly status: "accepted";
            /** @constant */
            readonly count: 1;
            /** @description SMS quota left after this message. */
            readonly remainingQuota: number;
            /**
             * Format: date-time
             * @description When it goes; absent: at once. Later than was asked for where that lies in quiet hours.
             */
            readonly send_at?: string;
            readonly provider: {
                /** @description Operator route chosen. */
                readonly code: string;
                /**
                 * Format: uuid
                 * @description Our id of the message.
                 */
                readonly messageId: string;
                /** @constant */
                readonly httpStatus: 202;
            };
        };
        /** @description A WhatsApp message, sent or received. */
        readonly WhatsAppMessage: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            readonly id: string;
            /** @enum {string} */
            readonly direction: "outbound" | "inbound";
            readonly type: string;
            /** @description The user's number in E.164; null when the user hides it, or once it was erased. */
            readonly recipient: string | null;
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            readonly phone_number_id: string;
            /** @enum {string} */
            readonly status: "accepted" | "submitting" | "sent" | "delivered" | "read" | "failed" | "unknown" | "received";
            readonly billing_category: ("utility" | "authentication" | "service") | null;
            readonly template_name: string | null;
            readonly template_language: string | null;
            readonly error: {
                /** @description `rejected`, `undeliverable`, `expired`, `operator_error` or `blocked`. */
                readonly code: string;
            } | null;
            readonly client_reference: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            readonly created_at: string;
            readonly sent_at: string | null;
            readonly delivered_at: string | null;
            readonly read_at: string | null;
        };
        /** @description A template of the organization at the provider. */
        readonly WhatsAppTemplate: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            readonly id: string;
            readonly name: string;
            readonly language: string;
            /** @enum {string} */
            readonly category: "utility" | "authentication" | "marketing";
            /** @enum {string} */
            readonly status: "pending" | "approved" | "rejected" | "paused" | "disabled";
            readonly body: string;
            readonly parameter_count: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            readonly updated_at: string;
        };
        /** @description The messages with one user, and the window for replies. */
        readonly WhatsAppConversation: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            readonly id: string;
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            readonly phone_number_id: string;
            /** @description The user's number in E.164; null when the user hides it, or once it was erased. */
            readonly recipient: string | null;
            /** @enum {string} */
            readonly status: "open" | "closed";
            readonly window_opened_at: string | null;
            readonly window_expires_at: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            readonly created_at: string;
            readonly last_message_at: string | null;
        };
        /** @description An approved template with its parameters. */
        readonly SendWhatsAppTemplateRequest: {
            /** @constant */
            readonly type: "template";
            /** @description Recipient: '+' and the international number, or digits alone (international; national, also with spaces, dots or dashes, when the organization has a default country). */
            readonly to: string;
            /**
             * Format: uuid
             * @description WhatsApp number of the organization to send from: an id of this deployment's own.
             */
            readonly phoneNumberId: string;
            /** @description Your own reference; comes back in webhooks. */
            readonly clientReference?: string;
            readonly template: {
                readonly name: string;
                readonly language: string;
                /** @enum {string} */
                readonly category: "utility" | "authentication";
                readonly parameters?: readonly string[];
            };
        };
        /** @description A text, within 24 hours of what the user wrote last. */
        readonly SendWhatsAppTextRequest: {
            /** @constant */
            readonly type: "text";
            /** @description Recipient: '+' and the international number, or digits alone (international; national, also with spaces, dots or dashes, when the organization has a default country). */
            readonly to: string;
            /**
             * Format: uuid
             * @description WhatsApp number of the organization to send from: an id of this deployment's own.
             */
            readonly phoneNumberId: string;
            /** @description Your own reference; comes back in webhooks. */
            readonly clientReference?: string;
            readonly text: {
                readonly body: string;
            };
        };
        /** @description A template or a text, as `type` says. */
        readonly SendWhatsAppRequest: components["schemas"]["SendWhatsAppTemplateRequest"] | components["schemas"]["SendWhatsAppTextRequest"];
        /** @description The message is stored and will be sent. */
        readonly SendWhatsAppReply: {
            /** @constant */
            readonly success: true;
            /** @constant */
            readonly queued: true;
            /** @constant */
            readonly status: "accepted";
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            readonly messageId: string;
            readonly clientReference: string | null;
        };
    };
    responses: never;
    parameters: {
        /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
        readonly RequestId: string;
        /** @description Any text of your own that names this request, for example a UUID. Repeats of the request with it have no second effect for 24 hours. */
        readonly IdempotencyKey: string;
        /** @description ETag of the version that the client has. */
        readonly IfNoneMatch: string;
        /** @description Unix seconds of this attempt. */
        readonly ServiceTimestamp: string;
        /** @description Lower-case hex HMAC-SHA256 of `<timestamp>.<raw body>` under the endpoint's signing secret. */
        readonly ServiceSignature: string;
        /** @description For 24 hours after the secret was replaced: the same under the new secret. `x-service-signature` is then under the old one. */
        readonly ServiceSignatureNext: string;
        /** @description Id of the event, the same on every repetition. */
        readonly ServiceEventId: string;
        /** @description Standard Webhooks: id of the event. */
        readonly WebhookId: string;
        /** @description Standard Webhooks: Unix seconds of this attempt. */
        readonly WebhookTimestamp: string;
        /** @description Standard Webhooks: `v1,<base64>`, after a replacement of the secret one for each that signs, with spaces between. Verify with `new Webhook(standardWebhooksSecret)`; the key is the whole signing secret, `at_whsec_...`, as text. */
        readonly WebhookSignature: string;
    };
    requestBodies: never;
    headers: {
        /** @description Id of the request: the caller's X-Request-Id, or a new one. Quote it when you ask for help. */
        readonly RequestId: string;
        /** @description Requests that the key, or all keys of the organization, may make in each 60-second window: of the two that with less left. */
        readonly RateLimitLimit: number;
        /** @description Requests left in this window. */
        readonly RateLimitRemaining: number;
        /** @description End of this window, seconds since the epoch. */
        readonly RateLimitReset: number;
        /** @description Tag of this version, for If-None-Match. */
        readonly ETag: string;
        /** @description Seconds to wait before the request is repeated. */
        readonly RetryAfter: number;
        /** @description `true` when the response is that to an earlier request with the same Idempotency-Key. */
        readonly IdempotentReplayed: "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly getRoot: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Airtower",
                     *       "version": "v1",
                     *       "docs": "/api/v1/docs",
                     *       "openapi": "/api/v1/openapi.json"
                     *     }
                     */
                    readonly "application/json": {
                        readonly name: string;
                        /** @constant */
                        readonly version: "v1";
                        /** @description Path of the API reference. */
                        readonly docs: string;
                        /** @description Path of the OpenAPI document. */
                        readonly openapi: string;
                    };
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly getHealth: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "accepting": true,
                     *       "version": "0.1.0",
                     *       "uptimeSeconds": 86400,
                     *       "services": {
                     *         "accounts": "ok",
                     *         "messaging": "ok",
                     *         "whatsapp": "ok",
                     *         "campaigns": "ok",
                     *         "webhooks": "ok"
                     *       },
                     *       "oldestUnsentSeconds": 0,
                     *       "oldestUndeliveredCallbackSeconds": 0
                     *     }
                     */
                    readonly "application/json": {
                        /**
                         * @description `degraded` while a part is not ok or an age is above 120 s, `unavailable` while no message is accepted.
                         * @enum {string}
                         */
                        readonly status: "ok" | "degraded" | "unavailable";
                        /** @description True when an SMS can be accepted now: it can be paid for and stored. */
                        readonly accepting: boolean;
                        readonly version: string;
                        readonly uptimeSeconds: number;
                        readonly services: {
                            /**
                             * @description `unavailable`: it responds, but cannot store anything now. `unreachable`: it does not respond.
                             * @enum {string}
                             */
                            readonly accounts: "ok" | "unavailable" | "unreachable";
                            /**
                             * @description `unavailable`: it responds, but cannot store anything now. `unreachable`: it does not respond.
                             * @enum {string}
                             */
                            readonly messaging: "ok" | "unavailable" | "unreachable";
                            /**
                             * @description `unavailable`: it responds, but cannot store anything now. `unreachable`: it does not respond.
                             * @enum {string}
                             */
                            readonly whatsapp: "ok" | "unavailable" | "unreachable";
                            /**
                             * @description `unavailable`: it responds, but cannot store anything now. `unreachable`: it does not respond.
                             * @enum {string}
                             */
                            readonly campaigns: "ok" | "unavailable" | "unreachable";
                            /**
                             * @description `unavailable`: it responds, but cannot store anything now. `unreachable`: it does not respond.
                             * @enum {string}
                             */
                            readonly webhooks: "ok" | "unavailable" | "unreachable";
                        };
                        /** @description How long the oldest message has waited that an operator or provider could take now; 0 for none. */
                        readonly oldestUnsentSeconds: number;
                        /** @description How long the oldest callback has waited for its first attempt, without those to failing endpoints; 0 for none. */
                        readonly oldestUndeliveredCallbackSeconds: number;
                    };
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly getOpenApi: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description ETag of the version that the client has. */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly etag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.0"
                     *     }
                     */
                    readonly "application/json": {
                        readonly openapi: string;
                    } & {
                        readonly [key: string]: unknown;
                    };
                };
            };
            /** @description The client has the current one. */
            readonly 304: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly etag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `rate_limited` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly sendSms: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Any text of your own that names this request, for example a UUID. Repeats of the request with it have no second effect for 24 hours. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "to": "+33612345678",
                 *       "message": "Your code is 123456",
                 *       "clientReference": "order-1042"
                 *     }
                 */
                readonly "application/json": components["schemas"]["SendSmsRequest"];
            };
        };
        readonly responses: {
            /** @description Success. */
            readonly 202: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "queued": true,
                     *       "status": "accepted",
                     *       "count": 1,
                     *       "remainingQuota": 9999,
                     *       "provider": {
                     *         "code": "main",
                     *         "messageId": "0199b0a4-5f1c-7c3e-9b1a-3f0d6c2e8a11",
                     *         "httpStatus": 202
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["SendSmsReply"];
                };
            };
            /** @description `validation_failed`, `malformed_json`, `empty_body`, `invalid_idempotency_key`, `sender_required`, `unknown_sender` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended`, `sender_not_approved`, `recipient_opted_out`, `quota_exhausted` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_key_reused`, `idempotency_key_in_use` */
            readonly 409: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_large` */
            readonly 413: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            readonly 415: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly previewSms: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "to": "+33612345678",
                 *       "message": "Your code is 123456",
                 *       "clientReference": "order-1042"
                 *     }
                 */
                readonly "application/json": components["schemas"]["SendSmsRequest"];
            };
        };
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "accepted": true,
                     *       "httpStatus": 202,
                     *       "error": null,
                     *       "recipient": "+33612345678",
                     *       "sender": {
                     *         "id": "0199b0a1-0d4e-7a52-8c77-61f2b7a9d3e0",
                     *         "value": "ACME"
                     *       },
                     *       "encoding": "ucs2",
                     *       "segments": 1,
                     *       "parts": [
                     *         {
                     *           "length": 20
                     *         }
                     *       ],
                     *       "foreignCharacters": {
                     *         "count": 1,
                     *         "characters": [
                     *           {
                     *             "character": "’",
                     *             "count": 1,
                     *             "positions": [
                     *               2
                     *             ],
                     *             "plain": "'"
                     *           }
                     *         ]
                     *       },
                     *       "plainText": {
                     *         "message": "It's ready: 1042 EUR",
                     *         "parts": [
                     *           {
                     *             "length": 20
                     *           }
                     *         ]
                     *       },
                     *       "provider": {
                     *         "code": "main"
                     *       },
                     *       "routes": [
                     *         {
                     *           "code": "main",
                     *           "share": 1,
                     *           "segmentCost": {
                     *             "amount": 0.045,
                     *             "currency": "EUR"
                     *           }
                     *         }
                     *       ],
                     *       "cost": {
                     *         "amount": 0.045,
                     *         "currency": "EUR"
                     *       },
                     *       "send_at": null,
                     *       "quotaBefore": 10000,
                     *       "remainingQuota": 9999
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PreviewSmsReply"];
                };
            };
            /** @description `validation_failed`, `malformed_json`, `empty_body` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_large` */
            readonly 413: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            readonly 415: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listSmsMessages: {
        readonly parameters: {
            readonly query?: {
                /** @description Rows wanted, 1 to 200; 50 when absent. */
                readonly limit?: number;
                /** @description nextCursor of the page before. Good for the same list with the same filters only. */
                readonly cursor?: string;
                /** @description Only those of this status. */
                readonly status?: "scheduled" | "accepted" | "submitting" | "submitted" | "unknown" | "delivered" | "failed" | "canceled";
                /** @description E.164, the '+' may be left out; or national, when the organization has a default country. */
                readonly recipient?: string;
                /** @description Only messages of this campaign. */
                readonly campaign_id?: string;
                /** @description Only messages with this reference of yours. */
                readonly client_reference?: string;
                /** @description Created at this time or later: RFC 3339; also a date alone, YYYY-MM-DD, for its start in UTC. */
                readonly date_from?: string;
                /** @description Created before this time: RFC 3339; also a date alone, YYYY-MM-DD, for its start in UTC. */
                readonly date_to?: string;
            };
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "messages": [
                     *         {
                     *           "id": "0199b0a4-5f1c-7c3e-9b1a-3f0d6c2e8a11",
                     *           "recipient": "+33612345678",
                     *           "sender_id": "0199b0a1-0d4e-7a52-8c77-61f2b7a9d3e0",
                     *           "sender_name": "ACME",
                     *           "status": "delivered",
                     *           "error": null,
                     *           "route": "main",
                     *           "segments": 1,
                     *           "attempts": 1,
                     *           "possible_duplicate": false,
                     *           "client_reference": "order-1042",
                     *           "campaign_id": null,
                     *           "created_at": "2026-03-01T09:30:00.000Z",
                     *           "send_at": null,
                     *           "submitted_at": "2026-03-01T09:30:00.000Z",
                     *           "finished_at": "2026-03-01T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly messages: readonly components["schemas"]["SmsMessage"][];
                        /** @description Pass it as cursor for the next page; null on the last one. */
                        readonly nextCursor: string | null;
                    };
                };
            };
            /** @description `validation_failed`, `invalid_cursor` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly getSmsMessage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /** @description Id of the message. */
                readonly messageId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": {
                     *         "id": "0199b0a4-5f1c-7c3e-9b1a-3f0d6c2e8a11",
                     *         "recipient": "+33612345678",
                     *         "sender_id": "0199b0a1-0d4e-7a52-8c77-61f2b7a9d3e0",
                     *         "sender_name": "ACME",
                     *         "status": "delivered",
                     *         "error": null,
                     *         "route": "main",
                     *         "segments": 1,
                     *         "attempts": 1,
                     *         "possible_duplicate": false,
                     *         "client_reference": "order-1042",
                     *         "campaign_id": null,
                     *         "created_at": "2026-03-01T09:30:00.000Z",
                     *         "send_at": null,
                     *         "submitted_at": "2026-03-01T09:30:00.000Z",
                     *         "finished_at": "2026-03-01T09:30:00.000Z",
                     *         "callbacks": [
                     *           {
                     *             "id": "0199b0a4-8e22-7d41-b3f6-9a1c4e7d2b58.0199b0a2-7b3d-7f10-a4c9-2d5e8f7b6a90",
                     *             "event_id": "0199b0a4-8e22-7d41-b3f6-9a1c4e7d2b58",
                     *             "webhook_endpoint_id": "0199b0a2-7b3d-7f10-a4c9-2d5e8f7b6a90",
                     *             "type": "message.delivered",
                     *             "message_id": "0199b0a4-5f1c-7c3e-9b1a-3f0d6c2e8a11",
                     *             "status": "pending",
                     *             "attempts": 2,
                     *             "last_http_status": 503,
                     *             "last_error": "http_status",
                     *             "next_attempt_at": "2026-03-01T09:30:00.000Z",
                     *             "created_at": "2026-03-01T09:30:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly message: components["schemas"]["SmsMessageDetails"];
                    };
                };
            };
            /** @description `validation_failed` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_message` */
            readonly 404: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly cancelSmsMessage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /** @description Id of the message. */
                readonly messageId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": {
                     *         "id": "0199b0a4-5f1c-7c3e-9b1a-3f0d6c2e8a11",
                     *         "recipient": "+33612345678",
                     *         "sender_id": "0199b0a1-0d4e-7a52-8c77-61f2b7a9d3e0",
                     *         "sender_name": "ACME",
                     *         "status": "delivered",
                     *         "error": null,
                     *         "route": "main",
                     *         "segments": 1,
                     *         "attempts": 1,
                     *         "possible_duplicate": false,
                     *         "client_reference": "order-1042",
                     *         "campaign_id": null,
                     *         "created_at": "2026-03-01T09:30:00.000Z",
                     *         "send_at": null,
                     *         "submitted_at": "2026-03-01T09:30:00.000Z",
                     *         "finished_at": "2026-03-01T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly message: components["schemas"]["SmsMessage"];
                    };
                };
            };
            /** @description `validation_failed` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_message` */
            readonly 404: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_cancelable` */
            readonly 409: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listInboundSms: {
        readonly parameters: {
            readonly query?: {
                /** @description Rows wanted, 1 to 200; 50 when absent. */
                readonly limit?: number;
                /** @description nextCursor of the page before. Good for the same list with the same filters only. */
                readonly cursor?: string;
                /** @description Only texts of this phone: E.164, the '+' may be left out; national, when the organization has a default country; or a short code or name as lists show it. */
                readonly from?: string;
                /** @description Only texts to this number: E.164, the '+' may be left out; national, when the organization has a default country; or a short code or name as lists show it. */
                readonly to?: string;
                /** @description Only texts that this keyword of a shared number brought, upper and lower case alike. */
                readonly keyword?: string;
                /** @description Created at this time or later: RFC 3339; also a date alone, YYYY-MM-DD, for its start in UTC. */
                readonly date_from?: string;
                /** @description Created before this time: RFC 3339; also a date alone, YYYY-MM-DD, for its start in UTC. */
                readonly date_to?: string;
            };
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "messages": [
                     *         {
                     *           "id": "0199b0a4-8c11-7a3e-9d20-5b7e1f4c6a83",
                     *           "from": "+33612345678",
                     *           "to": "+33644630001",
                     *           "text": "Yes, at nine",
                     *           "encoding": "gsm7",
                     *           "parts": 1,
                     *           "is_complete": true,
                     *           "keyword": null,
                     *           "received_at": "2026-03-01T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly messages: readonly components["schemas"]["InboundSms"][];
                        /** @description Pass it as cursor for the next page; null on the last one. */
                        readonly nextCursor: string | null;
                    };
                };
            };
            /** @description `validation_failed`, `invalid_cursor` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listWhatsAppMessages: {
        readonly parameters: {
            readonly query?: {
                /** @description Rows wanted, 1 to 200; 50 when absent. */
                readonly limit?: number;
                /** @description nextCursor of the page before. Good for the same list with the same filters only. */
                readonly cursor?: string;
                /** @description Only those of this status. */
                readonly status?: "accepted" | "submitting" | "sent" | "delivered" | "read" | "failed" | "unknown" | "received";
                /** @description Only those of this category. */
                readonly billing_category?: "utility" | "authentication" | "service";
                /** @description Only sends of this template. */
                readonly template_name?: string;
                /** @description E.164, the '+' may be left out; or national, when the organization has a default country. */
                readonly recipient?: string;
                /** @description Created at this time or later: RFC 3339; also a date alone, YYYY-MM-DD, for its start in UTC. */
                readonly date_from?: string;
                /** @description Created before this time: RFC 3339; also a date alone, YYYY-MM-DD, for its start in UTC. */
                readonly date_to?: string;
            };
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "messages": [
                     *         {
                     *           "id": "0199b0a4-5f1c-7c3e-9b1a-3f0d6c2e8a11",
                     *           "direction": "outbound",
                     *           "type": "template",
                     *           "recipient": "+33612345678",
                     *           "phone_number_id": "0199b0a7-3e4f-7051-8c6d-7e8f9a0b1c2d",
                     *           "status": "delivered",
                     *           "billing_category": "utility",
                     *           "template_name": "order_shipped",
                     *           "template_language": "en_US",
                     *           "error": null,
                     *           "client_reference": "order-1042",
                     *           "created_at": "2026-03-01T09:30:00.000Z",
                     *           "sent_at": "2026-03-01T09:30:00.000Z",
                     *           "delivered_at": "2026-03-01T09:30:00.000Z",
                     *           "read_at": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly messages: readonly components["schemas"]["WhatsAppMessage"][];
                        /** @description Pass it as cursor for the next page; null on the last one. */
                        readonly nextCursor: string | null;
                    };
                };
            };
            /** @description `validation_failed`, `invalid_cursor` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly sendWhatsAppMessage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Any text of your own that names this request, for example a UUID. Repeats of the request with it have no second effect for 24 hours. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "type": "template",
                 *       "to": "+33612345678",
                 *       "phoneNumberId": "0199b0a7-3e4f-7051-8c6d-7e8f9a0b1c2d",
                 *       "template": {
                 *         "name": "order_update",
                 *         "language": "en_US",
                 *         "category": "utility",
                 *         "parameters": [
                 *           "Ada",
                 *           "1042"
                 *         ]
                 *       },
                 *       "clientReference": "order-1042"
                 *     }
                 */
                readonly "application/json": components["schemas"]["SendWhatsAppRequest"];
            };
        };
        readonly responses: {
            /** @description Success. */
            readonly 202: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "queued": true,
                     *       "status": "accepted",
                     *       "messageId": "0199b0a4-5f1c-7c3e-9b1a-3f0d6c2e8a11",
                     *       "clientReference": "order-1042"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["SendWhatsAppReply"];
                };
            };
            /** @description `validation_failed`, `malformed_json`, `empty_body`, `invalid_idempotency_key`, `unknown_phone_number`, `template_not_found`, `template_not_sendable`, `template_category_mismatch`, `template_parameters_mismatch` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_key_reused`, `idempotency_key_in_use`, `service_window_closed` */
            readonly 409: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_large` */
            readonly 413: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            readonly 415: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listWhatsAppTemplates: {
        readonly parameters: {
            readonly query?: {
                /** @description Rows wanted, 1 to 200; 50 when absent. */
                readonly limit?: number;
                /** @description nextCursor of the page before. Good for the same list with the same filters only. */
                readonly cursor?: string;
                /** @description Only those of this status. */
                readonly status?: "pending" | "approved" | "rejected" | "paused" | "disabled";
                /** @description Only those of this category. */
                readonly category?: "utility" | "authentication" | "marketing";
                /** @description Only templates of this name. */
                readonly name?: string;
                /** @description Created at this time or later: RFC 3339; also a date alone, YYYY-MM-DD, for its start in UTC. */
                readonly date_from?: string;
                /** @description Created before this time: RFC 3339; also a date alone, YYYY-MM-DD, for its start in UTC. */
                readonly date_to?: string;
            };
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "templates": [
                     *         {
                     *           "id": "0199b0a8-4f50-7162-9d7e-8f9a0b1c2d3e",
                     *           "name": "order_shipped",
                     *           "language": "en_US",
                     *           "category": "utility",
                     *           "status": "approved",
                     *           "body": "Your order {{1}} is on its way.",
                     *           "parameter_count": 1,
                     *           "created_at": "2026-03-01T09:30:00.000Z",
                     *           "updated_at": "2026-03-01T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly templates: readonly components["schemas"]["WhatsAppTemplate"][];
                        /** @description Pass it as cursor for the next page; null on the last one. */
                        readonly nextCursor: string | null;
                    };
                };
            };
            /** @description `validation_failed`, `invalid_cursor` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listWhatsAppConversations: {
        readonly parameters: {
            readonly query?: {
                /** @description Rows wanted, 1 to 200; 50 when absent. */
                readonly limit?: number;
                /** @description nextCursor of the page before. Good for the same list with the same filters only. */
                readonly cursor?: string;
                /** @description Only those of this status. */
                readonly status?: "open" | "closed";
                /** @description E.164, the '+' may be left out; or national, when the organization has a default country. */
                readonly recipient?: string;
                /** @description Created at this time or later: RFC 3339; also a date alone, YYYY-MM-DD, for its start in UTC. */
                readonly date_from?: string;
                /** @description Created before this time: RFC 3339; also a date alone, YYYY-MM-DD, for its start in UTC. */
                readonly date_to?: string;
            };
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "conversations": [
                     *         {
                     *           "id": "0199b0a9-5061-7273-8e8f-9a0b1c2d3e4f",
                     *           "phone_number_id": "0199b0a7-3e4f-7051-8c6d-7e8f9a0b1c2d",
                     *           "recipient": "+33612345678",
                     *           "status": "open",
                     *           "window_opened_at": "2026-03-01T09:30:00.000Z",
                     *           "window_expires_at": "2026-03-02T09:30:00.000Z",
                     *           "created_at": "2026-03-01T09:30:00.000Z",
                     *           "last_message_at": "2026-03-01T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly conversations: readonly components["schemas"]["WhatsAppConversation"][];
                        /** @description Pass it as cursor for the next page; null on the last one. */
                        readonly nextCursor: string | null;
                    };
                };
            };
            /** @description `validation_failed`, `invalid_cursor` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly getAccount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "account": {
                     *         "organization": {
                     *           "id": "0199b09f-0b1c-7d2e-8f30-415263748596",
                     *           "name": "ACME",
                     *           "email": "owner@example.com"
                     *         },
                     *         "commercial_state": "active",
                     *         "subscription": {
                     *           "plan": "default",
                     *           "status": "active",
                     *           "current_period_start": "2026-03-01T00:00:00.000Z",
                     *           "current_period_end": "2026-04-01T00:00:00.000Z"
                     *         },
                     *         "quota": {
                     *           "sms": {
                     *             "remaining": 9999,
                     *             "used_this_period": 1
                     *           }
                     *         },
                     *         "disabled_webhooks": []
                     *       }
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly account: components["schemas"]["Account"];
                    };
                };
            };
            /** @description `validation_failed` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listAccountAudit: {
        readonly parameters: {
            readonly query?: {
                /** @description Rows wanted, 1 to 200; 50 when absent. */
                readonly limit?: number;
                /** @description nextCursor of the page before. Good for the same list with the same filters only. */
                readonly cursor?: string;
            };
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "entries": [
                     *         {
                     *           "id": "0199b0a4-5f1d-7000-8000-000000000002",
                     *           "actor": {
                     *             "type": "api_key",
                     *             "api_key_id": "0199b0a2-1b3c-7d4e-8f50-617283940516"
                     *           },
                     *           "address": "203.0.113.7",
                     *           "action": "create_api_key",
                     *           "subject": "0199b0a4-5f1d-7000-8000-000000000003",
                     *           "before": null,
                     *           "after": {
                     *             "name": "ci",
                     *             "prefix": "at_live_abcd****",
                     *             "scopes": [
                     *               "sms:send"
                     *             ],
                     *             "expires_at": null
                     *           },
                     *           "created_at": "2026-03-01T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly entries: readonly components["schemas"]["AuditEntry"][];
                        /** @description Pass it as cursor for the next page; null on the last one. */
                        readonly nextCursor: string | null;
                    };
                };
            };
            /** @description `validation_failed`, `invalid_cursor` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listUsage: {
        readonly parameters: {
            readonly query?: {
                /** @description Rows wanted, 1 to 200; 50 when absent. */
                readonly limit?: number;
                /** @description nextCursor of the page before. Good for the same list with the same filters only. */
                readonly cursor?: string;
            };
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "entries": [
                     *         {
                     *           "id": "0199b0a4-5f1d-7000-8000-000000000001",
                     *           "kind": "usage",
                     *           "channel": "sms",
                     *           "units": -1,
                     *           "balance_after": 9999,
                     *           "message_id": "0199b0a4-5f1c-7c3e-9b1a-3f0d6c2e8a11",
                     *           "campaign_id": null,
                     *           "note": null,
                     *           "created_at": "2026-03-01T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly entries: readonly components["schemas"]["UsageEntry"][];
                        /** @description Pass it as cursor for the next page; null on the last one. */
                        readonly nextCursor: string | null;
                    };
                };
            };
            /** @description `validation_failed`, `invalid_cursor` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly getUsageReport: {
        readonly parameters: {
            readonly query?: {
                /** @description First day, of UTC: YYYY-MM-DD, or a time for the day that it is in. 30 days before `date_to` when absent. */
                readonly date_from?: string;
                /** @description Day after the last one, in the same form. Tomorrow when absent. */
                readonly date_to?: string;
                /** @description `campaign`: each day's sums of each campaign apart, and those of no campaign. */
                readonly group_by?: "day" | "campaign";
                /** @description `csv` for a table; so does `Accept: text/csv` where the query does not say. */
                readonly format?: "json" | "csv";
            };
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "date_from": "2026-03-01",
                     *       "date_to": "2026-03-31",
                     *       "sums": [
                     *         {
                     *           "day": "2026-03-01",
                     *           "kind": "usage",
                     *           "channel": "sms",
                     *           "campaign_id": null,
                     *           "units": -1042,
                     *           "entries": 1042
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        /**
                         * Format: date
                         * @description Of UTC.
                         */
                        readonly date_from: string;
                        /**
                         * Format: date
                         * @description Of UTC.
                         */
                        readonly date_to: string;
                        readonly sums: readonly components["schemas"]["UsageSum"][];
                    };
                    readonly "text/csv": string;
                };
            };
            /** @description `validation_failed` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly getDeliveryReport: {
        readonly parameters: {
            readonly query?: {
                /** @description First day, of UTC: YYYY-MM-DD, or a time for the day that it is in. 30 days before `date_to` when absent. */
                readonly date_from?: string;
                /** @description Day after the last one, in the same form. Tomorrow when absent. */
                readonly date_to?: string;
                /** @description What each line stands for. `prefix` is the calling code and three digits, `template` is WhatsApp's. */
                readonly group_by?: "hour" | "day" | "country" | "prefix" | "route" | "sender" | "campaign" | "template";
                /** @description Both channels when absent, each with lines of its own. */
                readonly channel?: "sms" | "whatsapp";
                /** @description `csv` for a table; so does `Accept: text/csv` where the query does not say. */
                readonly format?: "json" | "csv";
            };
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "date_from": "2026-03-01",
                     *       "date_to": "2026-03-31",
                     *       "sums": [
                     *         {
                     *           "value": "2026-03-01",
                     *           "channel": "sms",
                     *           "accepted": 1042,
                     *           "delivered": 1000,
                     *           "failed": 30,
                     *           "failures": [
                     *             {
                     *               "reason": "expired",
                     *               "messages": 30
                     *             }
                     *           ],
                     *           "canceled": 2,
                     *           "unknown": 10,
                     *           "median_seconds": 3.56,
                     *           "p95_seconds": 14.3,
                     *           "segments": 1100,
                     *           "costs": [
                     *             {
                     *               "currency": "EUR",
                     *               "amount": 49.5
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        /**
                         * Format: date
                         * @description Of UTC.
                         */
                        readonly date_from: string;
                        /**
                         * Format: date
                         * @description Of UTC.
                         */
                        readonly date_to: string;
                        readonly sums: readonly components["schemas"]["DeliverySum"][];
                    };
                    readonly "text/csv": string;
                };
            };
            /** @description `validation_failed` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listContacts: {
        readonly parameters: {
            readonly query?: {
                /** @description Rows wanted, 1 to 200; 50 when absent. */
                readonly limit?: number;
                /** @description nextCursor of the page before. Good for the same list with the same filters only. */
                readonly cursor?: string;
                /** @description Only contacts that carry this tag. */
                readonly tag?: string;
            };
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "contacts": [
                     *         {
                     *           "id": 42,
                     *           "name": "Ada Lovelace",
                     *           "phone": "+33612345678",
                     *           "email": "ada@example.com",
                     *           "tags": [
                     *             "gold",
                     *             "paris"
                     *           ],
                     *           "created_at": "2026-03-01T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly contacts: readonly components["schemas"]["Contact"][];
                        /** @description Pass it as cursor for the next page; null on the last one. */
                        readonly nextCursor: string | null;
                    };
                };
            };
            /** @description `validation_failed`, `invalid_cursor` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly createContact: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Any text of your own that names this request, for example a UUID. Repeats of the request with it have no second effect for 24 hours. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "name": "Ada Lovelace",
                 *       "phone": "+33612345678",
                 *       "email": "ada@example.com",
                 *       "tags": [
                 *         "gold",
                 *         "paris"
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["CreateContactRequest"];
            };
        };
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "contact": {
                     *         "id": 42,
                     *         "name": "Ada Lovelace",
                     *         "phone": "+33612345678",
                     *         "email": "ada@example.com",
                     *         "tags": [
                     *           "gold",
                     *           "paris"
                     *         ],
                     *         "created_at": "2026-03-01T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly contact: components["schemas"]["Contact"];
                    };
                };
            };
            /** @description `validation_failed`, `malformed_json`, `empty_body`, `invalid_idempotency_key` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_key_reused`, `idempotency_key_in_use`, `contact_exists`, `contact_limit_reached` */
            readonly 409: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_large` */
            readonly 413: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            readonly 415: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly deleteContact: {
        readonly parameters: {
            readonly query: {
                /** @description Id of the contact. */
                readonly id: number;
            };
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
            /** @description `validation_failed` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_contact` */
            readonly 404: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listOptOuts: {
        readonly parameters: {
            readonly query?: {
                /** @description Rows wanted, 1 to 200; 50 when absent. */
                readonly limit?: number;
                /** @description nextCursor of the page before. Good for the same list with the same filters only. */
                readonly cursor?: string;
                /** @description E.164, the '+' may be left out; or national, when the organization has a default country. */
                readonly recipient?: string;
            };
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "optOuts": [
                     *         {
                     *           "id": "0199b0a9-6c1d-7d2e-8f3a-4b5c6d7e8f90",
                     *           "recipient": "+33612345699",
                     *           "sender": "ACME",
                     *           "source": "keyword",
                     *           "created_at": "2026-03-01T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly optOuts: readonly components["schemas"]["OptOut"][];
                        /** @description Pass it as cursor for the next page; null on the last one. */
                        readonly nextCursor: string | null;
                    };
                };
            };
            /** @description `validation_failed`, `invalid_cursor` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly addOptOut: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Any text of your own that names this request, for example a UUID. Repeats of the request with it have no second effect for 24 hours. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "recipient": "+33612345699",
                 *       "sender": "ACME"
                 *     }
                 */
                readonly "application/json": components["schemas"]["AddOptOutRequest"];
            };
        };
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "optOut": {
                     *         "id": "0199b0a9-6c1d-7d2e-8f3a-4b5c6d7e8f90",
                     *         "recipient": "+33612345699",
                     *         "sender": "ACME",
                     *         "source": "keyword",
                     *         "created_at": "2026-03-01T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly optOut: components["schemas"]["OptOut"];
                    };
                };
            };
            /** @description `validation_failed`, `malformed_json`, `empty_body`, `invalid_idempotency_key` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_key_reused`, `idempotency_key_in_use` */
            readonly 409: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_large` */
            readonly 413: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            readonly 415: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly importOptOuts: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Any text of your own that names this request, for example a UUID. Repeats of the request with it have no second effect for 24 hours. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "csv": "recipient,sender\r\n+33612345698,\r\n+33612345697,ACME\r\n"
                 *     }
                 */
                readonly "application/json": components["schemas"]["ImportOptOutsRequest"];
            };
        };
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "added": 2,
                     *       "alreadyListed": 0
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        /** @description Entries that are new on the list. */
                        readonly added: number;
                        /** @description Entries that were on the list before, or came twice. */
                        readonly alreadyListed: number;
                    };
                };
            };
            /** @description `validation_failed`, `malformed_json`, `empty_body`, `invalid_idempotency_key` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_key_reused`, `idempotency_key_in_use` */
            readonly 409: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_large` */
            readonly 413: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            readonly 415: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly exportOptOuts: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example recipient,sender,source,created_at
                     *     +33612345699,ACME,keyword,2026-03-01T09:30:00.000Z
                     */
                    readonly "text/csv": string;
                };
            };
            /** @description `validation_failed` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly removeOptOut: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /** @description Id of the opt-out. */
                readonly optOutId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
            /** @description `validation_failed` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_opt_out` */
            readonly 404: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly getQuietHours: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "quietHours": {
                     *         "start": "21:00",
                     *         "end": "08:00"
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GetQuietHoursReply"];
                };
            };
            /** @description `validation_failed` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly setQuietHours: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "start": "21:00",
                 *       "end": "08:00"
                 *     }
                 */
                readonly "application/json": components["schemas"]["SetQuietHoursRequest"];
            };
        };
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "quietHours": {
                     *         "start": "21:00",
                     *         "end": "08:00"
                     *       }
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly quietHours: components["schemas"]["QuietHours"];
                    };
                };
            };
            /** @description `validation_failed`, `malformed_json`, `empty_body` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_large` */
            readonly 413: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            readonly 415: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly clearQuietHours: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
            /** @description `validation_failed` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listCampaigns: {
        readonly parameters: {
            readonly query?: {
                /** @description Rows wanted, 1 to 200; 50 when absent. */
                readonly limit?: number;
                /** @description nextCursor of the page before. Good for the same list with the same filters only. */
                readonly cursor?: string;
            };
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "campaigns": [
                     *         {
                     *           "id": "0199b0a5-1c2d-7e3f-8a4b-5c6d7e8f9a0b",
                     *           "name": "Spring sale",
                     *           "status": "sending",
                     *           "status_reason": null,
                     *           "message_template": "Hello {{name|there}}, 20 % off until Sunday.",
                     *           "sender_id": "0199b0a1-0d4e-7a52-8c77-61f2b7a9d3e0",
                     *           "sender_name": "ACME",
                     *           "audience_tags": [
                     *             "gold"
                     *           ],
                     *           "audience_tag_match_mode": "all",
                     *           "scheduled_at": null,
                     *           "started_at": "2026-03-01T09:30:00.000Z",
                     *           "completed_at": null,
                     *           "created_at": "2026-03-01T09:30:00.000Z",
                     *           "stats": {
                     *             "audience": 1200,
                     *             "skipped": 0,
                     *             "duplicates": 0,
                     *             "accepted": 1200,
                     *             "delivered": 1180,
                     *             "failed": 4,
                     *             "pending": 16
                     *           }
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly campaigns: readonly components["schemas"]["Campaign"][];
                        /** @description Pass it as cursor for the next page; null on the last one. */
                        readonly nextCursor: string | null;
                    };
                };
            };
            /** @description `validation_failed`, `invalid_cursor` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly createCampaign: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Any text of your own that names this request, for example a UUID. Repeats of the request with it have no second effect for 24 hours. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "name": "Spring sale",
                 *       "message_template": "Hello {{name|there}}, 20 % off until Sunday.",
                 *       "audience_tags": [
                 *         "gold"
                 *       ],
                 *       "audience_tag_match_mode": "all"
                 *     }
                 */
                readonly "application/json": components["schemas"]["CreateCampaignRequest"];
            };
        };
        readonly responses: {
            /** @description Success. */
            readonly 201: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "campaign": {
                     *         "id": "0199b0a5-1c2d-7e3f-8a4b-5c6d7e8f9a0b",
                     *         "name": "Spring sale",
                     *         "status": "sending",
                     *         "status_reason": null,
                     *         "message_template": "Hello {{name|there}}, 20 % off until Sunday.",
                     *         "sender_id": "0199b0a1-0d4e-7a52-8c77-61f2b7a9d3e0",
                     *         "sender_name": "ACME",
                     *         "audience_tags": [
                     *           "gold"
                     *         ],
                     *         "audience_tag_match_mode": "all",
                     *         "scheduled_at": null,
                     *         "started_at": "2026-03-01T09:30:00.000Z",
                     *         "completed_at": null,
                     *         "created_at": "2026-03-01T09:30:00.000Z",
                     *         "stats": {
                     *           "audience": 1200,
                     *           "skipped": 0,
                     *           "duplicates": 0,
                     *           "accepted": 1200,
                     *           "delivered": 1180,
                     *           "failed": 4,
                     *           "pending": 16
                     *         }
                     *       }
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly campaign: components["schemas"]["Campaign"];
                    };
                };
            };
            /** @description `validation_failed`, `malformed_json`, `empty_body`, `invalid_idempotency_key`, `sender_required`, `unknown_sender` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended`, `sender_not_approved` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_key_reused`, `idempotency_key_in_use`, `campaign_limit_reached` */
            readonly 409: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_large` */
            readonly 413: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            readonly 415: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly previewCampaign: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "name": "Spring sale",
                 *       "message_template": "Hello {{name|there}}, 20 % off until Sunday.",
                 *       "audience_tags": [
                 *         "gold"
                 *       ],
                 *       "audience_tag_match_mode": "all"
                 *     }
                 */
                readonly "application/json": components["schemas"]["CreateCampaignRequest"];
            };
        };
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "accepted": true,
                     *       "httpStatus": 201,
                     *       "error": null,
                     *       "sender": {
                     *         "id": "0199b0a1-0d4e-7a52-8c77-61f2b7a9d3e0",
                     *         "value": "ACME"
                     *       },
                     *       "status": "paused",
                     *       "statusReason": "quota_exhausted",
                     *       "stats": {
                     *         "audience": 1200,
                     *         "skipped": 15,
                     *         "duplicates": 0,
                     *         "accepted": 1000,
                     *         "pending": 185
                     *       },
                     *       "skippedByReason": [
                     *         {
                     *           "reason": "recipient_opted_out",
                     *           "count": 12
                     *         },
                     *         {
                     *           "reason": "no_route",
                     *           "count": 3
                     *         }
                     *       ],
                     *       "examples": [
                     *         {
                     *           "phone": "+33612345678",
                     *           "name": "Ada",
                     *           "message": "Hello Ada, 20 % off until Sunday.",
                     *           "encoding": "gsm7",
                     *           "segments": 1
                     *         }
                     *       ],
                     *       "segments": 1185,
                     *       "costs": [
                     *         {
                     *           "currency": "EUR",
                     *           "amount": 53.325,
                     *           "segments": 1185
                     *         }
                     *       ],
                     *       "segmentsWithoutCost": 0,
                     *       "delayedByQuietHours": 0,
                     *       "quotaBefore": 1000,
                     *       "remainingQuota": 0
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PreviewCampaignReply"];
                };
            };
            /** @description `validation_failed`, `malformed_json`, `empty_body` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_large` */
            readonly 413: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            readonly 415: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly getCampaign: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /** @description Id of the campaign. */
                readonly campaignId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "campaign": {
                     *         "id": "0199b0a5-1c2d-7e3f-8a4b-5c6d7e8f9a0b",
                     *         "name": "Spring sale",
                     *         "status": "sending",
                     *         "status_reason": null,
                     *         "message_template": "Hello {{name|there}}, 20 % off until Sunday.",
                     *         "sender_id": "0199b0a1-0d4e-7a52-8c77-61f2b7a9d3e0",
                     *         "sender_name": "ACME",
                     *         "audience_tags": [
                     *           "gold"
                     *         ],
                     *         "audience_tag_match_mode": "all",
                     *         "scheduled_at": null,
                     *         "started_at": "2026-03-01T09:30:00.000Z",
                     *         "completed_at": null,
                     *         "created_at": "2026-03-01T09:30:00.000Z",
                     *         "stats": {
                     *           "audience": 1200,
                     *           "skipped": 0,
                     *           "duplicates": 0,
                     *           "accepted": 1200,
                     *           "delivered": 1180,
                     *           "failed": 4,
                     *           "pending": 16
                     *         }
                     *       }
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly campaign: components["schemas"]["Campaign"];
                    };
                };
            };
            /** @description `validation_failed` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_campaign` */
            readonly 404: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listCampaignRecipients: {
        readonly parameters: {
            readonly query?: {
                /** @description Rows wanted, 1 to 200; 50 when absent. */
                readonly limit?: number;
                /** @description nextCursor of the page before. Good for the same list with the same filters only. */
                readonly cursor?: string;
                /** @description Only those of this status. */
                readonly status?: "pending" | "skipped" | "accepted" | "delivered" | "failed";
            };
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /** @description Id of the campaign. */
                readonly campaignId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "recipients": [
                     *         {
                     *           "phone": "+33612345678",
                     *           "name": "Ada",
                     *           "status": "delivered",
                     *           "reason": null,
                     *           "message_id": "0199b0a4-5f1c-7c3e-9b1a-3f0d6c2e8a11"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly recipients: readonly components["schemas"]["CampaignRecipient"][];
                        /** @description Pass it as cursor for the next page; null on the last one. */
                        readonly nextCursor: string | null;
                    };
                };
            };
            /** @description `validation_failed`, `invalid_cursor` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_campaign` */
            readonly 404: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly pauseCampaign: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Any text of your own that names this request, for example a UUID. Repeats of the request with it have no second effect for 24 hours. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /** @description Id of the campaign. */
                readonly campaignId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                /** @example {} */
                readonly "application/json": Record<string, never>;
            };
        };
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "campaign": {
                     *         "id": "0199b0a5-1c2d-7e3f-8a4b-5c6d7e8f9a0b",
                     *         "name": "Spring sale",
                     *         "status": "sending",
                     *         "status_reason": null,
                     *         "message_template": "Hello {{name|there}}, 20 % off until Sunday.",
                     *         "sender_id": "0199b0a1-0d4e-7a52-8c77-61f2b7a9d3e0",
                     *         "sender_name": "ACME",
                     *         "audience_tags": [
                     *           "gold"
                     *         ],
                     *         "audience_tag_match_mode": "all",
                     *         "scheduled_at": null,
                     *         "started_at": "2026-03-01T09:30:00.000Z",
                     *         "completed_at": null,
                     *         "created_at": "2026-03-01T09:30:00.000Z",
                     *         "stats": {
                     *           "audience": 1200,
                     *           "skipped": 0,
                     *           "duplicates": 0,
                     *           "accepted": 1200,
                     *           "delivered": 1180,
                     *           "failed": 4,
                     *           "pending": 16
                     *         }
                     *       }
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly campaign: components["schemas"]["Campaign"];
                    };
                };
            };
            /** @description `validation_failed`, `malformed_json`, `empty_body`, `invalid_idempotency_key` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_campaign` */
            readonly 404: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_key_reused`, `idempotency_key_in_use`, `campaign_ended` */
            readonly 409: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_large` */
            readonly 413: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            readonly 415: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly resumeCampaign: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Any text of your own that names this request, for example a UUID. Repeats of the request with it have no second effect for 24 hours. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /** @description Id of the campaign. */
                readonly campaignId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                /** @example {} */
                readonly "application/json": Record<string, never>;
            };
        };
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "campaign": {
                     *         "id": "0199b0a5-1c2d-7e3f-8a4b-5c6d7e8f9a0b",
                     *         "name": "Spring sale",
                     *         "status": "sending",
                     *         "status_reason": null,
                     *         "message_template": "Hello {{name|there}}, 20 % off until Sunday.",
                     *         "sender_id": "0199b0a1-0d4e-7a52-8c77-61f2b7a9d3e0",
                     *         "sender_name": "ACME",
                     *         "audience_tags": [
                     *           "gold"
                     *         ],
                     *         "audience_tag_match_mode": "all",
                     *         "scheduled_at": null,
                     *         "started_at": "2026-03-01T09:30:00.000Z",
                     *         "completed_at": null,
                     *         "created_at": "2026-03-01T09:30:00.000Z",
                     *         "stats": {
                     *           "audience": 1200,
                     *           "skipped": 0,
                     *           "duplicates": 0,
                     *           "accepted": 1200,
                     *           "delivered": 1180,
                     *           "failed": 4,
                     *           "pending": 16
                     *         }
                     *       }
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly campaign: components["schemas"]["Campaign"];
                    };
                };
            };
            /** @description `validation_failed`, `malformed_json`, `empty_body`, `invalid_idempotency_key` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_campaign` */
            readonly 404: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_key_reused`, `idempotency_key_in_use`, `campaign_ended` */
            readonly 409: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_large` */
            readonly 413: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            readonly 415: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly cancelCampaign: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Any text of your own that names this request, for example a UUID. Repeats of the request with it have no second effect for 24 hours. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /** @description Id of the campaign. */
                readonly campaignId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                /** @example {} */
                readonly "application/json": Record<string, never>;
            };
        };
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "campaign": {
                     *         "id": "0199b0a5-1c2d-7e3f-8a4b-5c6d7e8f9a0b",
                     *         "name": "Spring sale",
                     *         "status": "sending",
                     *         "status_reason": null,
                     *         "message_template": "Hello {{name|there}}, 20 % off until Sunday.",
                     *         "sender_id": "0199b0a1-0d4e-7a52-8c77-61f2b7a9d3e0",
                     *         "sender_name": "ACME",
                     *         "audience_tags": [
                     *           "gold"
                     *         ],
                     *         "audience_tag_match_mode": "all",
                     *         "scheduled_at": null,
                     *         "started_at": "2026-03-01T09:30:00.000Z",
                     *         "completed_at": null,
                     *         "created_at": "2026-03-01T09:30:00.000Z",
                     *         "stats": {
                     *           "audience": 1200,
                     *           "skipped": 0,
                     *           "duplicates": 0,
                     *           "accepted": 1200,
                     *           "delivered": 1180,
                     *           "failed": 4,
                     *           "pending": 16
                     *         }
                     *       }
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly campaign: components["schemas"]["Campaign"];
                    };
                };
            };
            /** @description `validation_failed`, `malformed_json`, `empty_body`, `invalid_idempotency_key` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_campaign` */
            readonly 404: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_key_reused`, `idempotency_key_in_use`, `campaign_ended` */
            readonly 409: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_large` */
            readonly 413: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            readonly 415: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listSenderIds: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "senderIds": [
                     *         {
                     *           "id": "0199b0a1-0d4e-7a52-8c77-61f2b7a9d3e0",
                     *           "value": "ACME",
                     *           "status": "approved",
                     *           "is_default": true,
                     *           "rejection_reason": null,
                     *           "created_at": "2026-03-01T09:30:00.000Z",
                     *           "decided_at": "2026-03-01T10:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly senderIds: readonly components["schemas"]["SenderId"][];
                    };
                };
            };
            /** @description `validation_failed` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly requestSenderId: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Any text of your own that names this request, for example a UUID. Repeats of the request with it have no second effect for 24 hours. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "value": "ACME"
                 *     }
                 */
                readonly "application/json": components["schemas"]["RequestSenderIdRequest"];
            };
        };
        readonly responses: {
            /** @description Success. */
            readonly 201: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "senderId": {
                     *         "id": "0199b0a1-0d4e-7a52-8c77-61f2b7a9d3e0",
                     *         "value": "ACME",
                     *         "status": "pending",
                     *         "is_default": false,
                     *         "rejection_reason": null,
                     *         "created_at": "2026-03-01T09:30:00.000Z",
                     *         "decided_at": null
                     *       }
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly senderId: components["schemas"]["SenderId"];
                    };
                };
            };
            /** @description `validation_failed`, `malformed_json`, `empty_body`, `invalid_idempotency_key` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_key_reused`, `idempotency_key_in_use`, `sender_id_exists`, `sender_id_limit_reached` */
            readonly 409: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_large` */
            readonly 413: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            readonly 415: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listApiKeys: {
        readonly parameters: {
            readonly query?: {
                /** @description Rows wanted, 1 to 200; 50 when absent. */
                readonly limit?: number;
                /** @description nextCursor of the page before. Good for the same list with the same filters only. */
                readonly cursor?: string;
            };
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "apiKeys": [
                     *         {
                     *           "id": "0199b0a6-2d3e-7f40-9b5c-6d7e8f9a0b1c",
                     *           "name": "billing backend",
                     *           "prefix": "at_live_5kq0****",
                     *           "scopes": [
                     *             "sms:send"
                     *           ],
                     *           "status": "active",
                     *           "created_at": "2026-03-01T09:30:00.000Z",
                     *           "expires_at": null,
                     *           "last_used_at": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly apiKeys: readonly components["schemas"]["ApiKey"][];
                        /** @description Pass it as cursor for the next page; null on the last one. */
                        readonly nextCursor: string | null;
                    };
                };
            };
            /** @description `validation_failed`, `invalid_cursor` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly createApiKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Any text of your own that names this request, for example a UUID. Repeats of the request with it have no second effect for 24 hours. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "name": "billing backend",
                 *       "scopes": [
                 *         "sms:send"
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "apiKey": {
                     *         "id": "0199b0a6-2d3e-7f40-9b5c-6d7e8f9a0b1c",
                     *         "name": "billing backend",
                     *         "prefix": "at_live_5kq0****",
                     *         "scopes": [
                     *           "sms:send"
                     *         ],
                     *         "status": "active",
                     *         "created_at": "2026-03-01T09:30:00.000Z",
                     *         "expires_at": null,
                     *         "last_used_at": null
                     *       },
                     *       "secret": "at_live_5kq0VtY2mB8nXcR1sLw7DgJ4hFzP9aTe4Xk2Qd"
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly apiKey: components["schemas"]["ApiKey"];
                        /** @description The key itself, `at_live_` and 38 characters. Shown this once. */
                        readonly secret: string;
                    };
                };
            };
            /** @description `validation_failed`, `malformed_json`, `empty_body`, `invalid_idempotency_key` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended`, `scope_not_allowed` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_key_reused`, `idempotency_key_in_use`, `api_key_exists`, `api_key_limit_reached` */
            readonly 409: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_large` */
            readonly 413: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            readonly 415: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly deleteApiKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /** @description Id of the API key. */
                readonly apiKeyId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
            /** @description `validation_failed` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended`, `scope_not_allowed` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_api_key` */
            readonly 404: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listWebhooks: {
        readonly parameters: {
            readonly query?: {
                /** @description Rows wanted, 1 to 200; 50 when absent. */
                readonly limit?: number;
                /** @description nextCursor of the page before. Good for the same list with the same filters only. */
                readonly cursor?: string;
            };
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "webhookEndpoints": [
                     *         {
                     *           "id": "0199b0a2-7b3d-7f10-a4c9-2d5e8f7b6a90",
                     *           "url": "https://example.com/hooks/airtower",
                     *           "subscribed_events": [
                     *             "message.delivered",
                     *             "message.failed"
                     *           ],
                     *           "status": "active",
                     *           "disabled_reason": null,
                     *           "disabled_at": null,
                     *           "created_at": "2026-03-01T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly webhookEndpoints: readonly components["schemas"]["WebhookEndpoint"][];
                        /** @description Pass it as cursor for the next page; null on the last one. */
                        readonly nextCursor: string | null;
                    };
                };
            };
            /** @description `validation_failed`, `invalid_cursor` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly createWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Any text of your own that names this request, for example a UUID. Repeats of the request with it have no second effect for 24 hours. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "url": "https://example.com/hooks/airtower",
                 *       "subscribed_events": [
                 *         "message.delivered",
                 *         "message.failed"
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        readonly responses: {
            /** @description Success. */
            readonly 202: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "webhookEndpoint": {
                     *         "id": "0199b0a2-7b3d-7f10-a4c9-2d5e8f7b6a90",
                     *         "url": "https://example.com/hooks/airtower",
                     *         "subscribed_events": [
                     *           "message.delivered",
                     *           "message.failed"
                     *         ],
                     *         "status": "active",
                     *         "disabled_reason": null,
                     *         "disabled_at": null,
                     *         "created_at": "2026-03-01T09:30:00.000Z"
                     *       },
                     *       "signingSecret": "at_whsec_5kq0VtY2mB8nXcR1sLw7DgJ4hFzP9aTeUiO3bNvMyQx",
                     *       "standardWebhooksSecret": "whsec_YXRfd2hzZWNfNWtxMFZ0WTJtQjhuWGNSMXNMdzdEZ0o0aEZ6UDlhVGVVaU8zYk52TXlReA=="
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly webhookEndpoint: components["schemas"]["WebhookEndpoint"];
                        /** @description Key of the signatures, `at_whsec_` and 43 characters. Shown this once. */
                        readonly signingSecret: string;
                        /** @description The same key as stock Standard Webhooks libraries take it: `new Webhook(secret)`. */
                        readonly standardWebhooksSecret: string;
                    };
                };
            };
            /** @description `validation_failed`, `malformed_json`, `empty_body`, `invalid_idempotency_key` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_key_reused`, `idempotency_key_in_use`, `webhook_limit_reached` */
            readonly 409: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_large` */
            readonly 413: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            readonly 415: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly deleteWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /** @description Id of the webhook endpoint. */
                readonly webhookEndpointId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
            /** @description `validation_failed` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_webhook_endpoint` */
            readonly 404: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly updateWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /** @description Id of the webhook endpoint. */
                readonly webhookEndpointId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "url": "https://example.com/hooks/airtower-2",
                 *       "status": "active"
                 *     }
                 */
                readonly "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "webhookEndpoint": {
                     *         "id": "0199b0a2-7b3d-7f10-a4c9-2d5e8f7b6a90",
                     *         "url": "https://example.com/hooks/airtower",
                     *         "subscribed_events": [
                     *           "message.delivered",
                     *           "message.failed"
                     *         ],
                     *         "status": "active",
                     *         "disabled_reason": null,
                     *         "disabled_at": null,
                     *         "created_at": "2026-03-01T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly webhookEndpoint: components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
            /** @description `validation_failed`, `malformed_json`, `empty_body` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_webhook_endpoint` */
            readonly 404: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_large` */
            readonly 413: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            readonly 415: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly rotateWebhookSecret: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Any text of your own that names this request, for example a UUID. Repeats of the request with it have no second effect for 24 hours. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /** @description Id of the webhook endpoint. */
                readonly webhookEndpointId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                /** @example {} */
                readonly "application/json": Record<string, never>;
            };
        };
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "webhookEndpoint": {
                     *         "id": "0199b0a2-7b3d-7f10-a4c9-2d5e8f7b6a90",
                     *         "url": "https://example.com/hooks/airtower",
                     *         "subscribed_events": [
                     *           "message.delivered",
                     *           "message.failed"
                     *         ],
                     *         "status": "active",
                     *         "disabled_reason": null,
                     *         "disabled_at": null,
                     *         "created_at": "2026-03-01T09:30:00.000Z"
                     *       },
                     *       "signingSecret": "at_whsec_5kq0VtY2mB8nXcR1sLw7DgJ4hFzP9aTeUiO3bNvMyQx",
                     *       "standardWebhooksSecret": "whsec_YXRfd2hzZWNfNWtxMFZ0WTJtQjhuWGNSMXNMdzdEZ0o0aEZ6UDlhVGVVaU8zYk52TXlReA==",
                     *       "previousSignsUntil": "2026-03-01T09:30:00.000Z"
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly webhookEndpoint: components["schemas"]["WebhookEndpoint"];
                        /** @description Key of the signatures, `at_whsec_` and 43 characters. Shown this once. */
                        readonly signingSecret: string;
                        /** @description The same key as stock Standard Webhooks libraries take it: `new Webhook(secret)`. */
                        readonly standardWebhooksSecret: string;
                        /**
                         * Format: date-time
                         * @description Until then the previous secret signs too.
                         */
                        readonly previousSignsUntil: string;
                    };
                };
            };
            /** @description `validation_failed`, `malformed_json`, `empty_body`, `invalid_idempotency_key` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_webhook_endpoint` */
            readonly 404: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_key_reused`, `idempotency_key_in_use`, `webhook_secret_limit_reached` */
            readonly 409: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_large` */
            readonly 413: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            readonly 415: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listWebhookDeliveries: {
        readonly parameters: {
            readonly query?: {
                /** @description Rows wanted, 1 to 200; 50 when absent. */
                readonly limit?: number;
                /** @description nextCursor of the page before. Good for the same list with the same filters only. */
                readonly cursor?: string;
                /** @description Those of this status only. */
                readonly status?: "pending" | "delivered" | "failed";
            };
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /** @description Id of the webhook endpoint. */
                readonly webhookEndpointId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "webhookDeliveries": [
                     *         {
                     *           "id": "0199b0a4-8e22-7d41-b3f6-9a1c4e7d2b58.0199b0a2-7b3d-7f10-a4c9-2d5e8f7b6a90",
                     *           "event_id": "0199b0a4-8e22-7d41-b3f6-9a1c4e7d2b58",
                     *           "webhook_endpoint_id": "0199b0a2-7b3d-7f10-a4c9-2d5e8f7b6a90",
                     *           "type": "message.delivered",
                     *           "message_id": "0199b0a4-5f1c-7c3e-9b1a-3f0d6c2e8a11",
                     *           "status": "pending",
                     *           "attempts": 2,
                     *           "last_http_status": 503,
                     *           "last_error": "http_status",
                     *           "next_attempt_at": "2026-03-01T09:30:00.000Z",
                     *           "created_at": "2026-03-01T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly webhookDeliveries: readonly components["schemas"]["WebhookDelivery"][];
                        /** @description Pass it as cursor for the next page; null on the last one. */
                        readonly nextCursor: string | null;
                    };
                };
            };
            /** @description `validation_failed`, `invalid_cursor` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_webhook_endpoint` */
            readonly 404: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly redeliverWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Any text of your own that names this request, for example a UUID. Repeats of the request with it have no second effect for 24 hours. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /** @description Id of a delivery, as lists of deliveries give it. */
                readonly webhookDeliveryId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                /** @example {} */
                readonly "application/json": Record<string, never>;
            };
        };
        readonly responses: {
            /** @description Success. */
            readonly 202: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "idempotent-replayed": components["headers"]["IdempotentReplayed"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "webhookDelivery": {
                     *         "id": "0199b0a4-8e22-7d41-b3f6-9a1c4e7d2b58.0199b0a2-7b3d-7f10-a4c9-2d5e8f7b6a90",
                     *         "event_id": "0199b0a4-8e22-7d41-b3f6-9a1c4e7d2b58",
                     *         "webhook_endpoint_id": "0199b0a2-7b3d-7f10-a4c9-2d5e8f7b6a90",
                     *         "type": "message.delivered",
                     *         "message_id": "0199b0a4-5f1c-7c3e-9b1a-3f0d6c2e8a11",
                     *         "status": "pending",
                     *         "attempts": 2,
                     *         "last_http_status": 503,
                     *         "last_error": "http_status",
                     *         "next_attempt_at": "2026-03-01T09:30:00.000Z",
                     *         "created_at": "2026-03-01T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly webhookDelivery: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
            /** @description `validation_failed`, `malformed_json`, `empty_body`, `invalid_idempotency_key` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_webhook_delivery` */
            readonly 404: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_key_reused`, `idempotency_key_in_use`, `webhook_endpoint_disabled` */
            readonly 409: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_large` */
            readonly 413: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            readonly 415: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listRequests: {
        readonly parameters: {
            readonly query?: {
                /** @description Rows wanted, 1 to 200; 50 when absent. */
                readonly limit?: number;
                /** @description nextCursor of the page before. Good for the same list with the same filters only. */
                readonly cursor?: string;
                /** @description Only of this status (`404`) or class of statuses (`4xx`). */
                readonly status?: string;
                /** @description Only those refused with this `error.code`. */
                readonly error_code?: string;
                /** @description Only of this method. */
                readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                /** @description Only of this path, as requested or as this document writes it: `/sms/messages/{messageId}`. */
                readonly path?: string;
                /** @description Only those made with this key. */
                readonly api_key_id?: string;
                /** @description Only the request with this `x-request-id`. */
                readonly request_id?: string;
                /** @description Created at this time or later: RFC 3339; also a date alone, YYYY-MM-DD, for its start in UTC. */
                readonly date_from?: string;
                /** @description Created before this time: RFC 3339; also a date alone, YYYY-MM-DD, for its start in UTC. */
                readonly date_to?: string;
            };
            readonly header?: {
                /** @description Your own id of the request; comes back in x-request-id when it has 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "requests": [
                     *         {
                     *           "id": "0199b0a4-5f1b-7000-8000-000000000001",
                     *           "request_id": "0199b0a4-5f1b-7000-8000-000000000000",
                     *           "method": "POST",
                     *           "route": "/sms/send",
                     *           "path": "/sms/send",
                     *           "status": 400,
                     *           "duration_ms": 3.2,
                     *           "api_key": {
                     *             "id": "0199b0a2-1b3c-7d4e-8f50-617283940516",
                     *             "prefix": "at_live_abcd****"
                     *           },
                     *           "error": {
                     *             "code": "validation_failed",
                     *             "details": [
                     *               {
                     *                 "field": "to",
                     *                 "code": "invalid_phone_number"
                     *               }
                     *             ]
                     *           },
                     *           "request": {
                     *             "query": {},
                     *             "body": {
                     *               "to": "+***5678",
                     *               "message": "(42 characters)"
                     *             }
                     *           },
                     *           "omitted": 0,
                     *           "created_at": "2026-03-01T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        readonly requests: readonly components["schemas"]["LoggedRequest"][];
                        /** @description Pass it as cursor for the next page; null on the last one. */
                        readonly nextCursor: string | null;
                    };
                };
            };
            /** @description `validation_failed`, `invalid_cursor` */
            readonly 400: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `missing_api_key`, `invalid_api_key` */
            readonly 401: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_scope`, `organization_suspended` */
            readonly 403: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`, `too_many_failures` */
            readonly 429: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `headers_too_large` */
            readonly 431: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            readonly 500: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            readonly 503: {
                headers: {
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly "x-ratelimit-limit": components["headers"]["RateLimitLimit"];
                    readonly "x-ratelimit-remaining": components["headers"]["RateLimitRemaining"];
                    readonly "x-ratelimit-reset": components["headers"]["RateLimitReset"];
                    readonly "retry-after": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly onDelivered: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description Unix seconds of this attempt. */
                readonly "x-service-timestamp": components["parameters"]["ServiceTimestamp"];
                /** @description Lower-case hex HMAC-SHA256 of `<timestamp>.<raw body>` under the endpoint's signing secret. */
                readonly "x-service-signature": components["parameters"]["ServiceSignature"];
                /** @description For 24 hours after the secret was replaced: the same under the new secret. `x-service-signature` is then under the old one. */
                readonly "x-service-signature-next"?: components["parameters"]["ServiceSignatureNext"];
                /** @description Id of the event, the same on every repetition. */
                readonly "x-service-event-id": components["parameters"]["ServiceEventId"];
                /** @description Standard Webhooks: id of the event. */
                readonly "webhook-id": components["parameters"]["WebhookId"];
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                readonly "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Standard Webhooks: `v1,<base64>`, after a replacement of the secret one for each that signs, with spaces between. Verify with `new Webhook(standardWebhooksSecret)`; the key is the whole signing secret, `at_whsec_...`, as text. */
                readonly "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "0199b0a4-8e22-7d41-b3f6-9a1c4e7d2b58",
                 *       "type": "message.delivered",
                 *       "created_at": "2026-03-01T09:30:00.000Z",
                 *       "data": {
                 *         "message_id": "0199b0a4-5f1c-7c3e-9b1a-3f0d6c2e8a11",
                 *         "channel": "sms",
                 *         "status": "delivered",
                 *         "to": "+33612345678",
                 *         "client_reference": "order-1042",
                 *         "campaign_id": null,
                 *         "error": null,
                 *         "occurred_at": "2026-03-01T09:30:00.000Z"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        readonly responses: {
            /** @description Gone: the endpoint is disabled at once. */
            readonly 410: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. The body is ignored. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken: the event comes again. */
            readonly default: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onFailed: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description Unix seconds of this attempt. */
                readonly "x-service-timestamp": components["parameters"]["ServiceTimestamp"];
                /** @description Lower-case hex HMAC-SHA256 of `<timestamp>.<raw body>` under the endpoint's signing secret. */
                readonly "x-service-signature": components["parameters"]["ServiceSignature"];
                /** @description For 24 hours after the secret was replaced: the same under the new secret. `x-service-signature` is then under the old one. */
                readonly "x-service-signature-next"?: components["parameters"]["ServiceSignatureNext"];
                /** @description Id of the event, the same on every repetition. */
                readonly "x-service-event-id": components["parameters"]["ServiceEventId"];
                /** @description Standard Webhooks: id of the event. */
                readonly "webhook-id": components["parameters"]["WebhookId"];
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                readonly "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Standard Webhooks: `v1,<base64>`, after a replacement of the secret one for each that signs, with spaces between. Verify with `new Webhook(standardWebhooksSecret)`; the key is the whole signing secret, `at_whsec_...`, as text. */
                readonly "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "0199b0a4-8e22-7d41-b3f6-9a1c4e7d2b58",
                 *       "type": "message.failed",
                 *       "created_at": "2026-03-01T09:30:00.000Z",
                 *       "data": {
                 *         "message_id": "0199b0a4-5f1c-7c3e-9b1a-3f0d6c2e8a11",
                 *         "channel": "sms",
                 *         "status": "failed",
                 *         "to": "+33612345678",
                 *         "client_reference": "order-1042",
                 *         "campaign_id": null,
                 *         "error": {
                 *           "code": "undeliverable",
                 *           "message": "The operator could not deliver the message."
                 *         },
                 *         "occurred_at": "2026-03-01T09:30:00.000Z"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        readonly responses: {
            /** @description Gone: the endpoint is disabled at once. */
            readonly 410: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. The body is ignored. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken: the event comes again. */
            readonly default: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onCanceled: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description Unix seconds of this attempt. */
                readonly "x-service-timestamp": components["parameters"]["ServiceTimestamp"];
                /** @description Lower-case hex HMAC-SHA256 of `<timestamp>.<raw body>` under the endpoint's signing secret. */
                readonly "x-service-signature": components["parameters"]["ServiceSignature"];
                /** @description For 24 hours after the secret was replaced: the same under the new secret. `x-service-signature` is then under the old one. */
                readonly "x-service-signature-next"?: components["parameters"]["ServiceSignatureNext"];
                /** @description Id of the event, the same on every repetition. */
                readonly "x-service-event-id": components["parameters"]["ServiceEventId"];
                /** @description Standard Webhooks: id of the event. */
                readonly "webhook-id": components["parameters"]["WebhookId"];
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                readonly "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Standard Webhooks: `v1,<base64>`, after a replacement of the secret one for each that signs, with spaces between. Verify with `new Webhook(standardWebhooksSecret)`; the key is the whole signing secret, `at_whsec_...`, as text. */
                readonly "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "0199b0a4-8e22-7d41-b3f6-9a1c4e7d2b58",
                 *       "type": "message.canceled",
                 *       "created_at": "2026-03-01T09:30:00.000Z",
                 *       "data": {
                 *         "message_id": "0199b0a4-5f1c-7c3e-9b1a-3f0d6c2e8a11",
                 *         "channel": "sms",
                 *         "status": "canceled",
                 *         "to": "+33612345678",
                 *         "client_reference": "order-1042",
                 *         "campaign_id": null,
                 *         "error": null,
                 *         "occurred_at": "2026-03-01T09:30:00.000Z"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        readonly responses: {
            /** @description Gone: the endpoint is disabled at once. */
            readonly 410: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. The body is ignored. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken: the event comes again. */
            readonly default: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onReceived: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description Unix seconds of this attempt. */
                readonly "x-service-timestamp": components["parameters"]["ServiceTimestamp"];
                /** @description Lower-case hex HMAC-SHA256 of `<timestamp>.<raw body>` under the endpoint's signing secret. */
                readonly "x-service-signature": components["parameters"]["ServiceSignature"];
                /** @description For 24 hours after the secret was replaced: the same under the new secret. `x-service-signature` is then under the old one. */
                readonly "x-service-signature-next"?: components["parameters"]["ServiceSignatureNext"];
                /** @description Id of the event, the same on every repetition. */
                readonly "x-service-event-id": components["parameters"]["ServiceEventId"];
                /** @description Standard Webhooks: id of the event. */
                readonly "webhook-id": components["parameters"]["WebhookId"];
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                readonly "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Standard Webhooks: `v1,<base64>`, after a replacement of the secret one for each that signs, with spaces between. Verify with `new Webhook(standardWebhooksSecret)`; the key is the whole signing secret, `at_whsec_...`, as text. */
                readonly "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "0199b0a4-8e22-7d41-b3f6-9a1c4e7d2b60",
                 *       "type": "message.received",
                 *       "created_at": "2026-03-01T09:30:00.000Z",
                 *       "data": {
                 *         "message_id": "0199b0a4-8c11-7a3e-9d20-5b7e1f4c6a83",
                 *         "channel": "sms",
                 *         "from": "+33612345678",
                 *         "to": "+33644630001",
                 *         "text": "Yes, at nine",
                 *         "encoding": "gsm7",
                 *         "parts": 1,
                 *         "is_complete": true,
                 *         "keyword": null,
                 *         "received_at": "2026-03-01T09:30:00.000Z"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["MessageReceivedEvent"];
            };
        };
        readonly responses: {
            /** @description Gone: the endpoint is disabled at once. */
            readonly 410: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. The body is ignored. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken: the event comes again. */
            readonly default: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onOptedOut: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description Unix seconds of this attempt. */
                readonly "x-service-timestamp": components["parameters"]["ServiceTimestamp"];
                /** @description Lower-case hex HMAC-SHA256 of `<timestamp>.<raw body>` under the endpoint's signing secret. */
                readonly "x-service-signature": components["parameters"]["ServiceSignature"];
                /** @description For 24 hours after the secret was replaced: the same under the new secret. `x-service-signature` is then under the old one. */
                readonly "x-service-signature-next"?: components["parameters"]["ServiceSignatureNext"];
                /** @description Id of the event, the same on every repetition. */
                readonly "x-service-event-id": components["parameters"]["ServiceEventId"];
                /** @description Standard Webhooks: id of the event. */
                readonly "webhook-id": components["parameters"]["WebhookId"];
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                readonly "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Standard Webhooks: `v1,<base64>`, after a replacement of the secret one for each that signs, with spaces between. Verify with `new Webhook(standardWebhooksSecret)`; the key is the whole signing secret, `at_whsec_...`, as text. */
                readonly "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "0199b0a4-8e22-7d41-b3f6-9a1c4e7d2b61",
                 *       "type": "recipient.opted_out",
                 *       "created_at": "2026-03-01T09:30:00.000Z",
                 *       "data": {
                 *         "recipient": "+33612345678",
                 *         "sender": "ACME",
                 *         "source": "keyword",
                 *         "occurred_at": "2026-03-01T09:30:00.000Z"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["RecipientOptedOutEvent"];
            };
        };
        readonly responses: {
            /** @description Gone: the endpoint is disabled at once. */
            readonly 410: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. The body is ignored. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken: the event comes again. */
            readonly default: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onDailyReport: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description Unix seconds of this attempt. */
                readonly "x-service-timestamp": components["parameters"]["ServiceTimestamp"];
                /** @description Lower-case hex HMAC-SHA256 of `<timestamp>.<raw body>` under the endpoint's signing secret. */
                readonly "x-service-signature": components["parameters"]["ServiceSignature"];
                /** @description For 24 hours after the secret was replaced: the same under the new secret. `x-service-signature` is then under the old one. */
                readonly "x-service-signature-next"?: components["parameters"]["ServiceSignatureNext"];
                /** @description Id of the event, the same on every repetition. */
                readonly "x-service-event-id": components["parameters"]["ServiceEventId"];
                /** @description Standard Webhooks: id of the event. */
                readonly "webhook-id": components["parameters"]["WebhookId"];
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                readonly "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Standard Webhooks: `v1,<base64>`, after a replacement of the secret one for each that signs, with spaces between. Verify with `new Webhook(standardWebhooksSecret)`; the key is the whole signing secret, `at_whsec_...`, as text. */
                readonly "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "0199b0a4-8e22-7d41-b3f6-9a1c4e7d2b62",
                 *       "type": "report.daily",
                 *       "created_at": "2026-03-01T09:30:00.000Z",
                 *       "data": {
                 *         "day": "2026-03-01",
                 *         "sums": [
                 *           {
                 *             "value": "2026-03-01",
                 *             "channel": "sms",
                 *             "accepted": 1042,
                 *             "delivered": 1000,
                 *             "failed": 30,
                 *             "failures": [
                 *               {
                 *                 "reason": "expired",
                 *                 "messages": 30
                 *               }
                 *             ],
                 *             "canceled": 2,
                 *             "unknown": 10,
                 *             "median_seconds": 3.56,
                 *             "p95_seconds": 14.3,
                 *             "segments": 1100,
                 *             "costs": [
                 *               {
                 *                 "currency": "EUR",
                 *                 "amount": 49.5
                 *               }
                 *             ]
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["DailyReportEvent"];
            };
        };
        readonly responses: {
            /** @description Gone: the endpoint is disabled at once. */
            readonly 410: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. The body is ignored. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken: the event comes again. */
            readonly default: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onWebhookDisabled: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description Unix seconds of this attempt. */
                readonly "x-service-timestamp": components["parameters"]["ServiceTimestamp"];
                /** @description Lower-case hex HMAC-SHA256 of `<timestamp>.<raw body>` under the endpoint's signing secret. */
                readonly "x-service-signature": components["parameters"]["ServiceSignature"];
                /** @description For 24 hours after the secret was replaced: the same under the new secret. `x-service-signature` is then under the old one. */
                readonly "x-service-signature-next"?: components["parameters"]["ServiceSignatureNext"];
                /** @description Id of the event, the same on every repetition. */
                readonly "x-service-event-id": components["parameters"]["ServiceEventId"];
                /** @description Standard Webhooks: id of the event. */
                readonly "webhook-id": components["parameters"]["WebhookId"];
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                readonly "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Standard Webhooks: `v1,<base64>`, after a replacement of the secret one for each that signs, with spaces between. Verify with `new Webhook(standardWebhooksSecret)`; the key is the whole signing secret, `at_whsec_...`, as text. */
                readonly "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "0199b0a4-8e22-7d41-b3f6-9a1c4e7d2b59",
                 *       "type": "webhook.disabled",
                 *       "created_at": "2026-03-01T09:30:00.000Z",
                 *       "data": {
                 *         "webhook_endpoint_id": "0199b0a2-7b3d-7f10-a4c9-2d5e8f7b6a90",
                 *         "url": "https://example.com/hooks/airtower",
                 *         "disabled_reason": "failing",
                 *         "disabled_at": "2026-03-01T09:30:00.000Z"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["WebhookDisabledEvent"];
            };
        };
        readonly responses: {
            /** @description Gone: the endpoint is disabled at once. */
            readonly 410: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. The body is ignored. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken: the event comes again. */
            readonly default: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
