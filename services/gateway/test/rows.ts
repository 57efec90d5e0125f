import { uuidv7 } from "@airtower/platform/runtime/ids";

export const sms = { to: "+33612345678", message: "hello" };
export const hook = {
	url: "https://example.com/hook",
	subscribed_events: ["message.delivered"],
};

const whatsapp = {
	type: "template",
	to: "+33612345678",
	phoneNumberId: uuidv7(),
	template: {
		name: "order_shipped",
		language: "en_US",
		category: "utility",
		parameters: ["1042"],
	},
};
const optOut = { recipient: "+33612345699" };
const contact = { name: "Ada", phone: "+33612345678" };
const tagCampaign = {
	name: "Spring",
	message_template: "Hello {{name|there}}",
	audience_tags: ["gold"],
};
const listCampaign = {
	name: "Spring",
	content: "Hello",
	recipients: ["+33612345678"],
};

/** A request about a campaign that nobody has. */
function campaign(method: string, end = ""): string {
	return `${method} /campaigns/${uuidv7()}${end}`;
}

/** One operation of the API. */
interface Row {
	readonly name: string;
	readonly method: string;
	readonly path: string;
	readonly body: unknown;
	readonly scope: string;
	readonly success: number;
}

const row = (
	name: string,
	request: string,
	scope: string,
	success: number,
	body?: unknown,
): Row => {
	const [method = "", path = ""] = request.split(" ");
	return { name, method, path, scope, success, body };
};

/** A request of every operation that needs an active organization. */
export const rows: readonly Row[] = [
	row("send an SMS", "POST /sms/send", "sms:send", 202, sms),
	row("preview an SMS", "POST /sms/preview", "sms:send", 200, sms),
	row("list SMS", "GET /sms/messages", "sms:read", 200),
	row("show an SMS", `GET /sms/messages/${uuidv7()}`, "sms:read", 404),
	row("list texts that came in", "GET /sms/inbound", "sms:read", 200),
	row("cancel an SMS", `DELETE /sms/messages/${uuidv7()}`, "sms:send", 404),
	row("list WhatsApp messages", "GET /whatsapp/messages", "whatsapp:read", 200),
	row(
		"send a WhatsApp message",
		"POST /whatsapp/messages",
		"whatsapp:send",
		202,
		whatsapp,
	),
	row("list templates", "GET /whatsapp/templates", "whatsapp:read", 200),
	row(
		"list conversations",
		"GET /whatsapp/conversations",
		"whatsapp:read",
		200,
	),
	row("list the audit", "GET /account/audit", "account:read", 200),
	row("list the usage", "GET /usage", "account:read", 200),
	row("sum the usage", "GET /reports/usage", "account:read", 200),
	row("count deliveries", "GET /reports/delivery", "account:read", 200),
	row("list contacts", "GET /contacts", "contacts:read", 200),
	row("create a contact", "POST /contacts", "contacts:write", 200, contact),
	row("delete a contact", "DELETE /contacts?id=77", "contacts:write", 404),
	row("list opt-outs", "GET /opt-outs", "contacts:read", 200),
	row("add an opt-out", "POST /opt-outs", "contacts:write", 200, optOut),
	row("import opt-outs", "POST /opt-outs/import", "contacts:write", 200, {
		csv: "recipient\n+33612345699",
	}),
	row("export opt-outs", "GET /opt-outs/export", "contacts:read", 200),
	row(
		"remove an opt-out",
		`DELETE /opt-outs/${uuidv7()}`,
		"contacts:write",
		404,
	),
	row("show the quiet hours", "GET /quiet-hours", "campaigns:read", 200),
	row("set quiet hours", "PUT /quiet-hours", "campaigns:write", 200, {
		start: "21:00",
		end: "08:00",
	}),
	row("end quiet hours", "DELETE /quiet-hours", "campaigns:write", 200),
	row("list campaigns", "GET /campaigns", "campaigns:read", 200),
	row(
		"create a campaign by tags",
		"POST /campaigns",
		"campaigns:write",
		201,
		tagCampaign,
	),
	row(
		"create a campaign by numbers",
		"POST /campaigns",
		"campaigns:write",
		201,
		listCampaign,
	),
	row(
		"preview a campaign",
		"POST /campaigns/preview",
		"campaigns:write",
		200,
		tagCampaign,
	),
	row("show a campaign", campaign("GET"), "campaigns:read", 404),
	row("list recipients", campaign("GET", "/recipients"), "campaigns:read", 404),
	row("pause a campaign", campaign("POST", "/pause"), "campaigns:write", 404),
	row("resume a campaign", campaign("POST", "/resume"), "campaigns:write", 404),
	row("cancel a campaign", campaign("POST", "/cancel"), "campaigns:write", 404),
	row("list sender IDs", "GET /sender-ids", "sender_ids:read", 200),
	row("request a sender ID", "POST /sender-ids", "sender_ids:write", 201, {
		value: "ACME",
	}),
	row("list API keys", "GET /api-keys", "api_keys:read", 200),
	row("create an API key", "POST /api-keys", "api_keys:write", 200, {
		name: "billing",
	}),
	row(
		"revoke an API key",
		`DELETE /api-keys/${uuidv7()}`,
		"api_keys:write",
		404,
	),
	row("list webhooks", "GET /webhooks", "webhooks:read", 200),
	row("create a webhook", "POST /webhooks", "webhooks:write", 202, hook),
	row(
		"change a webhook",
		`PATCH /webhooks/${uuidv7()}`,
		"webhooks:write",
		404,
		{ status: "active" },
	),
	row(
		"replace a webhook's secret",
		`POST /webhooks/${uuidv7()}/rotate-secret`,
		"webhooks:write",
		404,
	),
	row(
		"list a webhook's deliveries",
		`GET /webhooks/${uuidv7()}/deliveries`,
		"webhooks:read",
		404,
	),
	row(
		"redeliver to a webhook",
		`POST /webhooks/deliveries/${uuidv7()}.${uuidv7()}/redeliver`,
		"webhooks:write",
		404,
	),
	row("list requests", "GET /requests", "requests:read", 200),
	row(
		"delete a webhook",
		`DELETE /webhooks/${uuidv7()}`,
		"webhooks:write",
		404,
	),
];
