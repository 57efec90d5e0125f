import { toPlain } from "@airtower/proto/rules/plain-text";

const SHOWN_DIGITS = 4;
const MAX_TEXT = 200;
const MAX_NAME = 64;
/** Values that are shown of one request: more say nothing new of what is wrong with it. */
const MAX_VALUES = 100;
const MAX_LISTED = 10;
const MAX_DEPTH = 5;

const UUID = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/gi;
const UUID_LENGTH = 36;
/** Digits of seven or more, however they are set apart: the shortest phone number has as many. */
const LONG_DIGITS = /\d(?:[^0-9A-Za-z]{0,3}\d){6,}/g;
const SECRET = /at_(live|whsec)_\w+/g;

/** Fields that hold phone numbers: of their values the form is shown, and the last digits. */
const PHONE_FIELDS: ReadonlySet<string> = new Set([
	"to",
	"phone",
	"recipient",
	"recipients",
]);

/** Fields whose values are words or times of the API, or the name of a sender. */
const WORD_FIELDS: ReadonlySet<string> = new Set([
	"audience_tag_match_mode",
	"billing_category",
	"category",
	"cursor",
	"date_from",
	"date_to",
	"expires_at",
	"format",
	"group_by",
	"language",
	"limit",
	"messageClass",
	"priority",
	"scheduledAt",
	"scheduled_at",
	"scopes",
	"send_at",
	"senderName",
	"status",
	"subscribed_events",
	"type",
]);

/** A text of a client's own without secrets and without what may be a phone number; ids stay whole. */
export function maskText(text: string, maxLength = MAX_TEXT): string {
	// Cut here too, though later: a number across the end is masked as a whole.
	return toPlain(text.slice(0, 2 * maxLength).toWellFormed())
		.split(UUID)
		.map((part, nth) => (nth % 2 === 1 ? part : maskPart(part)))
		.join("")
		.slice(0, maxLength)
		.toWellFormed();
}

function maskPart(text: string): string {
	return text
		.replace(SECRET, "at_$1_****")
		.replace(LONG_DIGITS, (digits) => maskDigits(digits));
}

function maskDigits(text: string): string {
	const digits = text.replace(/\D/g, "").length;
	let nth = 0;
	return text.replace(/\d/g, (digit) =>
		++nth > digits - SHOWN_DIGITS ? digit : "*",
	);
}

/** The path that a client asked for, decoded where it can be. */
export function maskPath(path: string): string {
	try {
		return maskText(decodeURIComponent(path));
	} catch {
		return maskText(path);
	}
}

/**
 * What a query or body holds, without what is the client's or somebody's own: each field by its name, ids, words and
 * times as they are, phone numbers masked, of other texts their length, and of other numbers that they are numbers.
 */
export function maskFields(value: unknown): unknown {
	let left = MAX_VALUES;

	function show(value: unknown, field: string, depth: number): unknown {
		if (--left < 0 || depth > MAX_DEPTH) return "(more)";
		if (typeof value === "string") return showText(value, field);
		if (typeof value === "number") return showNumber(value, field);
		if (typeof value !== "object" || value === null) return value ?? null;
		return Array.isArray(value)
			? showList(value, field, depth)
			: showObject(value, depth);
	}

	function showList(values: readonly unknown[], field: string, depth: number) {
		const shown = values
			.slice(0, MAX_LISTED)
			.map((one) => show(one, field, depth + 1));
		const more = values.length - shown.length;
		return more > 0 ? [...shown, `(${more} more)`] : shown;
	}

	function showObject(values: object, depth: number) {
		const fields: [string, unknown][] = [];
		// Without a list of all values: a body may have hundreds of thousands.
		for (const name of Object.keys(values)) {
			if (left <= 0) break;
			const shown = show(Reflect.get(values, name), name, depth + 1);
			fields.push([maskText(name, MAX_NAME), shown]);
		}
		return Object.fromEntries(fields);
	}

	return show(value, "", 0);
}

function showText(text: string, field: string): string {
	// To look for one in a text of 60 kB would take a millisecond.
	if (text.length === UUID_LENGTH && text.replace(UUID, "") === "") return text;
	if (PHONE_FIELDS.has(field))
		return maskDigits(text.slice(0, MAX_NAME).replace(/[^\d+ ().\-/]/g, "?"));
	if (WORD_FIELDS.has(field)) return maskText(text, MAX_NAME);
	return `(${text.length} characters)`;
}

/** A text that somebody wrote as a number is one: a one-time password has four digits. */
function showNumber(value: number, field: string): number | string {
	const isShown = WORD_FIELDS.has(field) && Math.abs(value) < 1_000_000;
	return isShown && Number.isInteger(value) ? value : "(number)";
}
