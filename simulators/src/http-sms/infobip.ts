import { randomInt, randomUUID } from "node:crypto";
import type { Outcome } from "./behaviour.ts";
import type { Dialect, PhoneText, Reply } from "./dialect.ts";

interface InfobipAccount {
	readonly apiKey: string;
}

interface AdvancedSend {
	readonly messages: readonly {
		readonly from?: string;
		readonly destinations: readonly [{ readonly to: string }];
		readonly text: string;
		readonly notifyUrl?: string;
		readonly callbackData?: string;
	}[];
}

/** Of a text in UCS-2. */
const UNITS_OF_SEGMENT = 67;

type Status = [groupId: number, groupName: string, id: number, name: string];

const STATUS: Record<Outcome, Status> = {
	delivered: [3, "DELIVERED", 5, "DELIVERED_TO_HANDSET"],
	undeliverable: [2, "UNDELIVERABLE", 9, "UNDELIVERABLE_NOT_DELIVERED"],
	expired: [4, "EXPIRED", 15, "EXPIRED_EXPIRED"],
};

/**
 * Infobip's SMS API 2, /sms/2/text/advanced, with delivery reports to the request's notifyUrl, and inbound messages.
 */
export function infobipDialect({ apiKey }: InfobipAccount): Dialect {
	return {
		path: "/sms/2/text/advanced",
		checkPath: "/account/1/balance",
		checkStatus: ({ headers }) =>
			headers.authorization === `App ${apiKey}` ? 200 : 401,
		repeatsCallbacks: true,
		readSends: ({ headers, body }) => {
			if (headers.authorization !== `App ${apiKey}`) return undefined;
			const { messages } = JSON.parse(body) as AdvancedSend;
			return messages.map((message) => ({
				to: message.destinations[0].to,
				from: message.from ?? "",
				text: message.text,
				callbackUrl: message.notifyUrl ?? "",
				fields: { ...message },
			}));
		},
		together: (replies) => ({
			status: 200,
			body: {
				bulkId: `${Date.now()}`,
				messages: replies.flatMap(({ body }) =>
					"messages" in body ? body.messages : [],
				),
			},
		}),
		accepted: ({ to }, [messageId = ""]) => ({
			status: 200,
			body: {
				bulkId: `${Date.now()}`,
				messages: [
					{
						to,
						status: toStatus([1, "PENDING", 26, "PENDING_ACCEPTED"]),
						messageId,
					},
				],
			},
		}),
		refused: (why, send) =>
			why === "reject" ? rejected(send?.to ?? "") : REFUSALS[why],
		newId: () => randomUUID(),
		countIds: () => 1,
		receipt: ({ to, from, callbackUrl, fields }, messageId, outcome) => {
			const isUnknown = outcome === "undeliverable";
			const at = new Date().toISOString().replace("Z", "+0000");
			return {
				url: callbackUrl,
				headers: { "content-type": "application/json" },
				body: JSON.stringify({
					results: [
						{
							bulkId: `${Date.now()}`,
							price: { pricePerMessage: 0.01, currency: "EUR" },
							status: toStatus(STATUS[outcome]),
							error: isUnknown
								? toError(1, "HANDSET_ERRORS", 1, "EC_UNKNOWN_SUBSCRIBER")
								: toError(0, "OK", 0, "NO_ERROR"),
							messageId,
							doneAt: at,
							smsCount: 1,
							sentAt: at,
							to,
							from,
							callbackData: fields.callbackData,
						},
					],
				}),
			};
		},
		inbound: (texts, url) => [
			{
				url,
				headers: { "content-type": "application/json" },
				body: JSON.stringify({
					results: texts.map(toInbound),
					messageCount: texts.length,
					pendingMessageCount: 0,
				}),
			},
		],
	};
}

/** Long messages are joined. */
function toInbound({ from, to, text }: PhoneText) {
	const [keyword = "", ...rest] = text.split(" ");
	return {
		messageId: `${randomInt(2 ** 47)}`,
		from: from.replace("+", ""),
		to: to.replace("+", ""),
		text,
		cleanText: rest.join(" "),
		keyword: keyword.toUpperCase(),
		receivedAt: new Date().toISOString().replace("Z", "+0000"),
		smsCount: Math.ceil(text.length / UNITS_OF_SEGMENT),
		price: { pricePerMessage: 0, currency: "EUR" },
		callbackData: null,
	};
}

function toStatus([groupId, groupName, id, name]: Status) {
	return { groupId, groupName, id, name, description: name };
}

function toError(groupId: number, groupName: string, id: number, name: string) {
	const permanent = id !== 0;
	return { groupId, groupName, id, name, description: name, permanent };
}

const failure = (status: number, messageId: string, text: string): Reply => ({
	status,
	body: { requestError: { serviceException: { messageId, text } } },
});

function rejected(to: string): Reply {
	const status = toStatus([5, "REJECTED", 52, "REJECTED_DESTINATION"]);
	const messages = [{ to, status, messageId: randomUUID() }];
	return { status: 200, body: { messages } };
}

const REFUSALS = {
	account: failure(401, "UNAUTHORIZED", "Invalid login details"),
	throttle: failure(429, "TOO_MANY_REQUESTS", "Too many requests"),
};
