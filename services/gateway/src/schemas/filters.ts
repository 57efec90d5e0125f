import { normalizePhoneNumber } from "@airtower/proto/rules/phone-number";
import {
	type Timestamp,
	timestampFromDate,
	timestampMs,
} from "@bufbuild/protobuf/wkt";
import { z } from "zod";
import { RefusalError } from "../errors.ts";
import { text } from "./texts.ts";
import { isTime } from "./times.ts";

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME =
	/^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;
const MAX_TEXT = 512;
const PHONE = /^[+ ]?[0-9(][0-9 \u00a0\u202f().\-/]{3,30}$/;
/** Also a number that is valid no more: messages to it may be stored. */
const INTERNATIONAL = /^\+?([1-9][0-9]{5,14})$/;
const NO_NUMBER = "must be a phone number";

/**
 * The time that a text names: RFC 3339, or a date for the start of its day in UTC. An unescaped '+' arrives as a space.
 */
function readTime(value: string): Date | undefined {
	const given = value.replace(/ (?=\d{2}:\d{2}$)/, "+");
	if (!DATE.test(given) && !DATE_TIME.test(given)) return undefined;
	const time = new Date(given);
	return isTime(time) && isDay(given.slice(0, 10)) ? time : undefined;
}

/** The 30th of February would count as the 2nd of March. */
function isDay(date: string): boolean {
	return new Date(date).toISOString().startsWith(date);
}

/** A time as a filter: RFC 3339, or a date. */
export const dateFilter = (description: string) =>
	z
		.string()
		.refine((value) => readTime(value) !== undefined, {
			params: { code: "invalid_format" },
			message: "must be a time in RFC 3339 or a date YYYY-MM-DD",
		})
		.optional()
		.meta({ format: "date-time", description });

export const dateFilters = {
	date_from: dateFilter(
		"Created at this time or later: RFC 3339; also a date alone, YYYY-MM-DD, for its start in UTC.",
	),
	date_to: dateFilter(
		"Created before this time: RFC 3339; also a date alone, YYYY-MM-DD, for its start in UTC.",
	),
};

function filterTime(value: string | undefined): Timestamp | undefined {
	const time = value === undefined ? undefined : readTime(value);
	return time && timestampFromDate(time);
}

/** The range of creation times that a query names, as services take it. Throws where it ends before it begins. */
export function filterRange(filters: {
	readonly date_from?: string | undefined;
	readonly date_to?: string | undefined;
}) {
	const dateFrom = filterTime(filters.date_from);
	const dateTo = filterTime(filters.date_to);
	if (dateFrom && dateTo && timestampMs(dateFrom) > timestampMs(dateTo))
		throw endsBeforeItBegins();
	return { ...(dateFrom && { dateFrom }), ...(dateTo && { dateTo }) };
}

export function endsBeforeItBegins(): RefusalError {
	return new RefusalError({
		code: "validation_failed",
		details: [
			{
				field: "date_from",
				code: "invalid_value",
				message: "Query date_from: must not be after date_to.",
			},
		],
	});
}

export const textFilter = (description: string) =>
	text(1, MAX_TEXT).optional().meta({ description });

export const recipientFilter = z
	.string()
	.refine((value) => PHONE.test(value), {
		params: { code: "invalid_phone_number" },
		message: NO_NUMBER,
	})
	.optional()
	.meta({
		pattern: PHONE.source,
		description:
			"E.164, the '+' may be left out; or national, when the organization has a default country.",
	});

/** E.164, empty for none; an unescaped '+' arrives as a space. Throws for a national number of no country. */
export function filterRecipient(
	value: string | undefined,
	{ defaultCountry }: { readonly defaultCountry: string },
): string {
	if (value === undefined) return "";
	const given = value.replace(/^ /, "+");
	const digits = INTERNATIONAL.exec(given)?.[1];
	const number =
		normalizePhoneNumber(given, defaultCountry) ?? (digits && `+${digits}`);
	if (number !== undefined) return number;
	const detail = {
		field: "recipient",
		code: "invalid_phone_number",
		message: `'recipient' ${NO_NUMBER}.`,
	};
	throw new RefusalError({ code: "validation_failed", details: [detail] });
}
