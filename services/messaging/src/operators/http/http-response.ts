import { canonicalKeys } from "../../domain/operator-message-id.ts";
import { toErrorText, withoutNul } from "../../domain/operator-text.ts";
import type { PartOutcome } from "../../domain/submit-result.ts";
import type { Description } from "./description.ts";
import type { ResponseRule } from "./description-shape.ts";
import { findText, findValue, parseJson } from "./find-value.ts";

export interface HttpResponse {
	readonly status: number;
	readonly body: string;
	/** Of the header Retry-After in seconds, ms; undefined without it. */
	readonly retryAfterMs: number | undefined;
}

/**
 * What a response says of one segment, or of the message. "account": of neither, the route is to stop. "together": a
 * request of several messages was refused, and one of them may be the reason.
 */
export type Reading =
	| Exclude<PartOutcome, { kind: "throttled" | "unsent" | "session" }>
	| { readonly kind: "throttled"; readonly operatorError: string }
	| { readonly kind: "account"; readonly operatorError: string }
	| { readonly kind: "together"; readonly operatorError: string };

type RuleOf = Pick<ResponseRule, "kind" | "reason">;

/** What responses mean that no rule of the description is for; 2xx with an id is "accepted" before them. */
const DEFAULTS: readonly [status: RegExp, kind: RuleOf["kind"]][] = [
	[/^429$/, "throttled"],
	[/^(408|503)$/, "temporary"],
	// Of a wrong key, account, address or method: the next message would fare no better.
	[/^(3\d\d|40[12345]|407)$/, "account"],
	[/^4\d\d$/, "permanent"],
];

/**
 * For each message of the request one reading for each segment that the response names, else one for the message. What
 * a list of messages leaves out, or names twice, is unknown; without a list the response is about all of them.
 * @param recipients of the messages, in the order of the request
 */
export function readResponse(
	{ response: spec }: Description,
	{ status, body }: HttpResponse,
	recipients: readonly string[],
): Reading[][] {
	const json = parseJson(body);
	const read = (entry: unknown) => readEntry(spec, String(status), entry);
	const segments = listAt(json, spec.segments);
	if (segments !== undefined) return recipients.map(() => segments.map(read));
	const messages = listAt(json, spec.messages);
	if (messages === undefined)
		return recipients.map(() => [
			readAll(spec, read(json), recipients.length > 1),
		]);
	return recipients.map((recipient, index) => {
		const own = entriesOf(messages, spec, recipient, index, recipients.length);
		const [entry] = own;
		return own.length === 1 ? [read(entry)] : [UNNAMED];
	});
}

const UNNAMED: Reading = {
	kind: "unknown",
	why: "the response does not say what became of this message",
};

function listAt(
	json: unknown,
	path: string | undefined,
): unknown[] | undefined {
	const list = path === undefined ? undefined : findValue(json, path);
	return Array.isArray(list) && list.length > 0 ? list : undefined;
}

/** No id that stands outside of the list is a message's. */
function readAll(
	{ messages }: Description["response"],
	reading: Reading,
	areSeveral: boolean,
): Reading {
	if (messages !== undefined && reading.kind === "accepted") return UNNAMED;
	const isFinal =
		reading.kind === "unclear" ||
		(reading.kind === "refused" && reading.permanent);
	if (!areSeveral || !isFinal) return reading;
	return { kind: "together", operatorError: reading.operatorError };
}

/** A message that goes alone has the one entry, however its number is written there. */
function entriesOf(
	entries: readonly unknown[],
	{ recipient: path }: Description["response"],
	recipient: string,
	index: number,
	sent: number,
): readonly unknown[] {
	if (sent === 1 && entries.length === 1) return entries;
	if (path === undefined)
		return entries.length === sent ? [entries[index]] : [];
	const digits = digitsOf(recipient);
	return entries.filter(
		(entry) => digitsOf(findText(entry, path) ?? "") === digits,
	);
}

function digitsOf(number: string): string {
	return number.replaceAll(/\D/g, "");
}

function readEntry(
	spec: Description["response"],
	status: string,
	entry: unknown,
): Reading {
	const code = findText(entry, spec.error);
	const operatorError = toErrorText(
		`HTTP ${status}${code === undefined ? "" : ` ${code}`}`,
	);
	const rule = spec.rules.find((one) => fits(one, status, entry));
	const id = findText(entry, spec.id)?.trim() ?? "";
	const [storeKey = ""] = canonicalKeys(id, "exact");
	const kind = rule?.kind ?? defaultKind(status, id);
	switch (kind) {
		case "accepted":
			return { kind, operatorMessageId: withoutNul(id), storeKey };
		case "throttled":
		case "account":
			return { kind, operatorError };
		case "unclear":
			return { kind, reason: rule?.reason ?? "operator_error", operatorError };
		case "temporary":
		case "permanent": {
			const permanent = kind === "permanent";
			const reason =
				rule?.reason ?? (permanent ? "rejected" : "operator_error");
			return { kind: "refused", permanent, reason, operatorError };
		}
		default:
			return {
				kind: "unknown",
				why: `${operatorError}, which may mean either`,
			};
	}
}

/** Undefined for what does not say whether the operator has the message: a 5xx, or a 2xx without an id. */
function defaultKind(status: string, id: string): RuleOf["kind"] | undefined {
	if (status.startsWith("2") && id !== "") return "accepted";
	return DEFAULTS.find(([pattern]) => pattern.test(status))?.[1];
}

function fits(rule: ResponseRule, status: string, entry: unknown): boolean {
	const isStatus =
		rule.status?.some((one) => one === status || one === `${status[0]}xx`) ??
		true;
	if (!isStatus || rule.at === undefined) return isStatus;
	const code = findText(entry, rule.at);
	return code !== undefined && (rule.in?.includes(code) ?? true);
}
