import { z } from "zod";
import { operatorReasons } from "../../domain/failure-reason.ts";
import { charsets } from "../../domain/inbound/charset.ts";

/** Fields of a message that requests may name as `{field}`. */
export const MESSAGE_FIELDS = [
	/** Recipient in E.164, with its plus; `toDigits` is without. */
	"to",
	"toDigits",
	/** Sender as it was approved: a number with its plus, a short code or a name; `fromDigits` is without a plus. */
	"from",
	"fromDigits",
	"text",
	"messageId",
	/** Rest of the validity, in the unit and bounds of the description. */
	"validity",
	/** The description's word for the alphabet that the text needs. */
	"encoding",
] as const;

/** Settings that every HTTP route has; requests may name those that are texts. */
export const COMMON_SETTINGS = ["account", "address", "callback"] as const;

/**
 * "account": the operator refused the account and not the message, as for a wrong password or a lack of credit: the
 * route is down and its messages wait. "unclear": once more, then failed.
 */
const responseKinds = [
	"accepted",
	"temporary",
	"throttled",
	"unclear",
	"permanent",
	"account",
] as const;

const name = z.string().regex(/^[a-z][a-zA-Z0-9]{0,31}$/);
const text = z.string().min(1).max(2_000);
/** What a header may have. */
const printable = text.regex(/^[\x20-\x7e]*$/, "must be printable ASCII");
/** Names of properties and numbers of entries, for example "messages.0.status.name". */
const path = z
	.string()
	.max(200)
	.regex(/^[^.\s]+(\.[^.\s]+)*$/);
/** RFC 9110, 5.6.2. */
const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/);
/** Headers that our HTTP client sets itself: it does not send a request that brings one of them. */
const OF_CONNECTION: readonly string[] = [
	"connection",
	"content-length",
	"expect",
	"host",
	"keep-alive",
	"transfer-encoding",
	"upgrade",
];
const parameters = z.record(z.string().min(1).max(100), z.string().max(2_000));

/** For the whole of a value. */
export function toRegExp(pattern: string): RegExp {
	return new RegExp(`^(?:${pattern})$`);
}

function isPattern(text: string): boolean {
	try {
		toRegExp(text);
		return true;
	} catch {
		return false;
	}
}

const call = z.strictObject({
	method: z.enum(["GET", "POST"]),
	/** Follows the address; values are percent-encoded. */
	path: text.regex(/^\/[\x21-\x7e]*$/),
	query: parameters.optional(),
	form: parameters.optional(),
	json: z.json().optional(),
});

const rule = z.strictObject({
	/** Statuses such as "429" or "5xx"; absent: any. */
	status: z.array(z.string().regex(/^[1-5](\d\d|xx)$/)).optional(),
	/** Where a code stands in the response; absent: the status alone decides. */
	at: path.optional(),
	/** Codes that the rule is for; absent: any that is there. */
	in: z.array(z.string()).optional(),
	kind: z.enum(responseKinds),
	/** Why a message fails that is refused by this rule. */
	reason: z.enum(operatorReasons).optional(),
});

const verification = z.discriminatedUnion("kind", [
	z.strictObject({
		kind: z.literal("secret"),
		in: z.enum(["header", "query"]),
		name: headerName,
		value: text,
	}),
	z.strictObject({
		kind: z.literal("hmac"),
		/**
		 * "body": its bytes. "url_and_form": the callback's URL, then names and values of the form by name. "fields":
		 * `&name=value` of all fields by name, without the signature, with `_` for `&` and `=` in values.
		 */
		over: z.enum(["body", "url_and_form", "fields"]),
		algorithm: z.enum(["sha1", "sha256", "sha512"]),
		encoding: z.enum(["hex", "base64"]),
		in: z.enum(["header", "query", "field"]),
		name: headerName,
		/** What stands before the signature. */
		prefix: z.string().max(50).default(""),
		key: text,
	}),
]);

/** How a callback tells of texts from phones. */
const inbound = z.strictObject({
	/** Where the list of texts stands; absent: a callback is one text. */
	texts: path.optional(),
	/** The operator's id, the same when it calls again; absent: the same octets of a phone are a repetition. */
	id: path.optional(),
	from: path,
	to: path,
	text: path,
	/** Octets in hexadecimal that some texts have in place of `text`. */
	octets: path.optional(),
	/** Their user data header in hexadecimal, with its length. */
	header: path.optional(),
	/** Where the operator's word for the charset stands, and what its words mean; otherwise characters tell. */
	encoding: path.optional(),
	encodings: z.record(z.string(), z.enum(charsets)).default({}),
	/** In how many parts the phone sent what the operator has joined. */
	parts: path.optional(),
	/** Of a part that is to be joined here: what the parts of its text have in common, how many they are, which it is. */
	concat: z
		.strictObject({ reference: path, total: path, number: path })
		.optional(),
	/** What the operator wants to read in the response; absent: nothing. */
	response: z
		.strictObject({ type: z.string().max(100), body: z.string().max(1_000) })
		.optional(),
});

/** What each part of a description is like; whether the parts fit together is looked at by `description`. */
export const shape = z.strictObject({
	about: z.string().max(500).optional(),
	/** URL that paths follow, unless the route's setting `address` says otherwise. */
	address: z.url({ protocol: /^https?$/ }).optional(),
	/** Settings of a route that requests and verification name. */
	settings: z
		.record(
			name,
			z.strictObject({
				/** Completes "is missing: ...". */
				about: z.string().max(200),
				secret: z.boolean().default(false),
				/** Absent: the setting must be given. */
				default: z.string().optional(),
				/** What the whole of a value must be like, as a regular expression. */
				pattern: z
					.string()
					.max(200)
					.refine(isPattern, "must be a regular expression")
					.optional(),
			}),
		)
		.default({}),
	/** Basic authentication. */
	auth: z.strictObject({ user: text, password: text }).optional(),
	/** Only settings may be named in them. */
	headers: z
		.record(headerName, printable)
		.superRefine((headers, ctx) => {
			for (const name of Object.keys(headers))
				if (OF_CONNECTION.includes(name.toLowerCase()))
					ctx.addIssue({
						code: "custom",
						path: [name],
						message: "is set by the connection",
					});
		})
		.default({}),
	validity: z
		.strictObject({
			unit: z.enum(["milliseconds", "seconds", "minutes"]),
			least: z.int().min(1).default(1),
			most: z.int().min(1).optional(),
		})
		.default({ unit: "seconds", least: 1 }),
	encodings: z
		.strictObject({ gsm7: text, ucs2: text })
		.default({ gsm7: "gsm7", ucs2: "ucs2" }),
	/** Sends a message. */
	send: call,
	/** How several messages go in one request: each is an element of a list in the JSON body. */
	batch: z
		.strictObject({
			/** Where the list stands, with the one element that is repeated. */
			list: path,
			/** How many elements the operator takes. */
			most: z.int().min(2).max(1_000),
		})
		.optional(),
	/** Tells whether the operator lets the account in, and sends nothing; any 2xx says that it does. */
	check: call.optional(),
	response: z.strictObject({
		/** Where a list stands that has one entry for each segment; the other paths then begin in an entry. */
		segments: path.optional(),
		/** Where a list stands that has an entry for each message of the request; the other paths then begin in an entry. */
		messages: path.optional(),
		/** Where such an entry names its recipient; absent: entries come in the order of the request. */
		recipient: path.optional(),
		id: path,
		/** Where the operator's error code stands. */
		error: path.optional(),
		/** The first one that fits decides. */
		rules: z.array(rule).max(100).default([]),
	}),
	callback: z.strictObject({
		/** Where the list of receipts stands; absent: a callback is one receipt. */
		receipts: path.optional(),
		id: path,
		status: path,
		error: path.optional(),
		/** Numbers that a receipt names: with them it tells what became of a message whose response was lost. */
		to: path.optional(),
		from: path.optional(),
		/** What each status means, in any case; of another one nothing is known yet. */
		states: z.record(
			z.string(),
			z.enum(["delivered", "intermediate", ...operatorReasons]),
		),
		/** Reasons by error code, where they say more than the status. */
		reasons: z.record(z.string(), z.enum(operatorReasons)).default({}),
		verify: verification,
	}),
	/** Verified as receipts are; absent: the operator brings no texts. */
	inbound: inbound.optional(),
});

export type Shape = z.infer<typeof shape>;
export type Call = z.infer<typeof call>;
export type ResponseRule = z.infer<typeof rule>;
export type Verification = z.infer<typeof verification>;
export type InboundSpec = z.infer<typeof inbound>;
