import { phone } from "../../load/sms.ts";
import type { Random } from "../random.ts";
import type { Tenant, WhatsappTenant } from "../target/tenants.ts";
import type { Sent } from "./ledger.ts";
import type { LoadRequest } from "./send.ts";

export interface Numbered {
	readonly sent: Sent;
	readonly request: LoadRequest;
}

/** Septets of one part of a long text. */
const PART = 153;
const CAMPAIGN_RECIPIENTS = 40;
/** Last digits on which the operator acts: late, never delivered, receipt early, receipt twice. */
const BEHAVING = ["0001", "0002", "0007", "0008"];

/** An SMS: one in ten behaves in its own way, one in twenty is long. */
export function smsRequest(
	tenant: Tenant,
	run: string,
	number: number,
	random: Random,
): Numbered {
	const key = `${run}-${tenant.name}-${number}`;
	const tag = `#${key}#`;
	const parts = random.chance(5) ? random.between(2, 3) : 1;
	const length = parts === 1 ? 0 : parts * PART - 20;
	const message = `${tag} `.repeat(
		Math.max(1, Math.floor(length / (tag.length + 1))),
	);
	const to = phone(
		number,
		random.chance(10) ? random.pick(BEHAVING) : undefined,
	);
	return {
		sent: { ...blank(tenant, "sms", key), recipients: [to], parts },
		request: sendRequest(to, message, key),
	};
}

/** An SMS that behaves like any other, for who measures. */
export function probeRequest(
	tenant: Tenant,
	run: string,
	number: number,
): Numbered {
	const key = `${run}-${tenant.name}-p${number}`;
	const to = phone(number);
	return {
		sent: { ...blank(tenant, "sms", key), recipients: [to] },
		request: sendRequest(to, `#${key}#`, key),
	};
}

export function whatsappRequest(
	tenant: WhatsappTenant,
	run: string,
	number: number,
): Numbered {
	const key = `${run}-${tenant.name}-${number}`;
	const to = phone(number);
	const { phoneNumberId, template } = tenant.whatsapp;
	return {
		sent: { ...blank(tenant, "whatsapp", key), recipients: [to] },
		request: {
			path: "/whatsapp/messages",
			body: {
				type: "template",
				to,
				phoneNumberId,
				template,
				clientReference: key,
			},
			readId: ({ messageId }) => String(messageId),
		},
	};
}

export function campaignRequest(
	tenant: Tenant,
	run: string,
	number: number,
	size = CAMPAIGN_RECIPIENTS,
): Numbered {
	const key = `${run}-${tenant.name}-c${number}`;
	const first = number * size;
	const recipients = Array.from({ length: size }, (_, at) => phone(first + at));
	return {
		sent: { ...blank(tenant, "campaign", key), recipients },
		request: {
			path: "/campaigns",
			body: { name: key, content: `#${key}# Hello`, recipients },
			readId: ({ campaign }) => (campaign as { id: string }).id,
		},
	};
}

function sendRequest(to: string, message: string, key: string): LoadRequest {
	return {
		path: "/sms/send",
		body: { to, message, clientReference: key },
		readId: ({ provider }) => (provider as { messageId: string }).messageId,
	};
}

function blank(tenant: Tenant, channel: Sent["channel"], key: string) {
	const ids = new Set<string>();
	return { tenant, channel, key, tag: `#${key}#`, parts: 1, ids, tries: 0 };
}
