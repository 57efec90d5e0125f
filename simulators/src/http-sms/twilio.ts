import { createHmac, randomUUID } from "node:crypto";
import type { Outcome } from "./behaviour.ts";
import type {
	CallbackRequest,
	Dialect,
	PhoneText,
	Reply,
	Send,
} from "./dialect.ts";

interface TwilioAccount {
	readonly accountSid: string;
	readonly authToken: string;
}

const STATUS: Record<Outcome, [status: string, errorCode?: string]> = {
	delivered: ["delivered"],
	undeliverable: ["undelivered", "30005"],
	expired: ["failed", "30036"],
};

/** Of a text in UCS-2. */
const UNITS_OF_SEGMENT = 67;

/** Twilio's Messages resource, API 2010-04-01, with signed status callbacks and incoming messages. */
export function twilioDialect(account: TwilioAccount): Dialect {
	const { accountSid, authToken } = account;
	const login = Buffer.from(`${accountSid}:${authToken}`).toString("base64");
	return {
		path: "/2010-04-01/Accounts/:sid/Messages.json",
		checkPath: "/2010-04-01/Accounts/:sid.json",
		checkStatus: ({ params, headers }) =>
			params.sid === accountSid && headers.authorization === `Basic ${login}`
				? 200
				: 401,
		repeatsCallbacks: false,
		readSends: ({ params, headers, body }) => {
			if (params.sid !== accountSid) return undefined;
			if (headers.authorization !== `Basic ${login}`) return undefined;
			const fields = Object.fromEntries(new URLSearchParams(body));
			const { To = "", From = "", Body = "", StatusCallback = "" } = fields;
			return [
				{
					to: To,
					from: From,
					text: Body,
					callbackUrl: StatusCallback,
					fields,
				},
			];
		},
		accepted: (send, [sid = ""]) => ({
			status: 201,
			body: {
				sid,
				account_sid: accountSid,
				api_version: "2010-04-01",
				body: send.text,
				date_created: new Date().toUTCString(),
				direction: "outbound-api",
				error_code: null,
				error_message: null,
				from: send.from,
				num_media: "0",
				num_segments: "1",
				price: null,
				status: "queued",
				to: send.to,
				uri: `/2010-04-01/Accounts/${accountSid}/Messages/${sid}.json`,
			},
		}),
		refused: (why) => REFUSALS[why],
		newId: () => `SM${randomUUID().replaceAll("-", "")}`,
		countIds: () => 1,
		receipt: (send, id, outcome) => {
			const fields = statusFields(send, id, outcome, accountSid);
			return signed(send.callbackUrl, fields, authToken);
		},
		inbound: (texts, url) =>
			texts.map((text) => signed(url, inboundFields(text, account), authToken)),
	};
}

function signed(
	url: string,
	fields: Record<string, string>,
	authToken: string,
): CallbackRequest {
	const sorted = Object.entries(fields).toSorted(([a], [b]) =>
		a < b ? -1 : 1,
	);
	const text = url + sorted.flat().join("");
	const signature = createHmac("sha1", authToken).update(text);
	return {
		url,
		headers: {
			"content-type": "application/x-www-form-urlencoded; charset=UTF-8",
			"x-twilio-signature": signature.digest("base64"),
		},
		body: new URLSearchParams(fields).toString(),
	};
}

/** Long messages are joined. */
function inboundFields(
	{ from, to, text }: PhoneText,
	{ accountSid }: TwilioAccount,
): Record<string, string> {
	const sid = `SM${randomUUID().replaceAll("-", "")}`;
	return {
		ToCountry: "FR",
		ToState: "",
		SmsMessageSid: sid,
		NumMedia: "0",
		ToCity: "",
		FromZip: "",
		SmsSid: sid,
		FromState: "",
		SmsStatus: "received",
		FromCity: "",
		Body: text,
		FromCountry: "FR",
		To: to,
		ToZip: "",
		NumSegments: String(Math.ceil(text.length / UNITS_OF_SEGMENT)),
		MessageSid: sid,
		AccountSid: accountSid,
		From: from,
		ApiVersion: "2010-04-01",
	};
}

function statusFields(
	{ to, from }: Send,
	id: string,
	outcome: Outcome,
	accountSid: string,
): Record<string, string> {
	const [status, errorCode] = STATUS[outcome];
	return {
		ApiVersion: "2010-04-01",
		MessageStatus: status,
		SmsSid: id,
		SmsStatus: status,
		...(errorCode !== undefined && { ErrorCode: errorCode }),
		To: to,
		From: from,
		MessageSid: id,
		AccountSid: accountSid,
	};
}

const error = (status: number, code: number, message: string): Reply => ({
	status,
	body: {
		code,
		message,
		more_info: `https://www.twilio.com/docs/errors/${code}`,
		status,
	},
});

const REFUSALS = {
	account: error(401, 20_003, "Authenticate"),
	reject: error(400, 21_211, "Invalid 'To' Phone Number"),
	throttle: error(429, 20_429, "Too Many Requests"),
};
