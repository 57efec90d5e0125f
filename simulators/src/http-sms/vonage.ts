import { createHmac, randomBytes, randomInt, randomUUID } from "node:crypto";
import type { Outcome } from "./behaviour.ts";
import type {
	CallbackRequest,
	Dialect,
	PhoneText,
	Reply,
	Send,
} from "./dialect.ts";

interface VonageAccount {
	readonly apiKey: string;
	readonly apiSecret: string;
	readonly signatureSecret: string;
}

const STATUS: Record<Outcome, [status: string, errCode: string]> = {
	delivered: ["delivered", "0"],
	undeliverable: ["failed", "9"],
	expired: ["expired", "1"],
};
const UNITS = { text: [160, 153], unicode: [70, 67] } as const;

/** Vonage's SMS API, with delivery receipts and inbound SMS as JSON, signed by SHA-256 HMAC. */
export function vonageDialect(account: VonageAccount): Dialect {
	return {
		path: "/sms/json",
		checkPath: "/account/get-balance",
		checkStatus: ({ query }) =>
			query.api_key === account.apiKey && query.api_secret === account.apiSecret
				? 200
				: 401,
		repeatsCallbacks: true,
		readSends: ({ body }) => {
			const fields = Object.fromEntries(new URLSearchParams(body));
			const { api_key, api_secret, from = "", to = "", text = "" } = fields;
			if (api_key !== account.apiKey || api_secret !== account.apiSecret)
				return undefined;
			return [{ to, from, text, callbackUrl: fields.callback ?? "", fields }];
		},
		accepted: ({ to }, ids) => ({
			status: 200,
			body: {
				"message-count": String(ids.length),
				messages: ids.map((id) => ({
					to,
					"message-id": id,
					status: "0",
					"remaining-balance": "3.14159265",
					"message-price": "0.03330000",
					network: "20810",
				})),
			},
		}),
		refused: (why) => REFUSALS[why],
		newId: () => randomBytes(8).toString("hex").toUpperCase(),
		countIds: ({ text, fields }) => {
			const [single, part] =
				UNITS[fields.type === "unicode" ? "unicode" : "text"];
			return text.length <= single ? 1 : Math.ceil(text.length / part);
		},
		receipt: (send, id, outcome) => {
			const fields = receiptFields(send, id, outcome, account.apiKey);
			return signed(send.callbackUrl, fields, account);
		},
		inbound: (texts, url) =>
			texts
				.flatMap((text) => inboundFields(text, account))
				.map((fields) => signed(url, fields, account)),
	};
}

function signed(
	url: string,
	fields: Record<string, string>,
	{ signatureSecret }: VonageAccount,
): CallbackRequest {
	const text = Object.keys(fields)
		.toSorted((a, b) => (a < b ? -1 : 1))
		.map((name) => `&${name}=${fields[name]?.replace(/[&=]/g, "_")}`)
		.join("");
	const sig = createHmac("sha256", signatureSecret)
		.update(text)
		.digest("hex")
		.toUpperCase();
	return {
		url,
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ ...fields, sig }),
	};
}

/** A long text comes in parts, the last of them first. */
function inboundFields(
	{ from, to, text }: PhoneText,
	{ apiKey }: VonageAccount,
): Record<string, string>[] {
	const isUnicode = [...text].some((character) => character > "\u{ff}");
	const type = isUnicode ? "unicode" : "text";
	const [single, part] = UNITS[type];
	const total = text.length <= single ? 1 : Math.ceil(text.length / part);
	const reference = String(randomInt(1, 256));
	const parts = Array.from({ length: total }, (_, index) => ({
		...commonFields(apiKey),
		msisdn: from.replace("+", ""),
		to: to.replace("+", ""),
		messageId: randomBytes(8).toString("hex").toUpperCase(),
		text: total === 1 ? text : text.slice(index * part, (index + 1) * part),
		type,
		keyword: (text.split(" ")[0] ?? "").toUpperCase(),
		...(total > 1 && {
			concat: "true",
			"concat-ref": reference,
			"concat-total": String(total),
			"concat-part": String(index + 1),
		}),
	}));
	return parts.reverse();
}

function receiptFields(
	{ to, from, fields }: Send,
	id: string,
	outcome: Outcome,
	apiKey: string,
): Record<string, string> {
	const [status, errCode] = STATUS[outcome];
	return {
		msisdn: to,
		to: from,
		"network-code": "20810",
		messageId: id,
		price: "0.03330000",
		status,
		scts: new Date().toISOString().replace(/\D/g, "").slice(2, 12),
		"err-code": errCode,
		"client-ref": String(fields["client-ref"] ?? ""),
		...commonFields(apiKey),
	};
}

function commonFields(apiKey: string) {
	const now = new Date();
	return {
		"api-key": apiKey,
		"message-timestamp": now.toISOString().slice(0, 19).replace("T", " "),
		timestamp: String(Math.floor(now.getTime() / 1_000)),
		nonce: randomUUID(),
	};
}

const error = (status: string, text: string): Reply => ({
	status: 200,
	body: { "message-count": "1", messages: [{ status, "error-text": text }] },
});

const REFUSALS = {
	account: error("4", "Bad Credentials"),
	reject: error("6", "Unroutable message - rejected"),
	throttle: error("1", "Throughput Rate Exceeded - please wait and retry"),
};
