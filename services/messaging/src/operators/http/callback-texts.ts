import { crc32 } from "node:zlib";
import { DomainError, invalid } from "@airtower/platform/runtime/domain-error";
import { countSeptets, encodeGsm7 } from "@airtower/proto/rules/segments";
import type { Charset } from "../../domain/inbound/charset.ts";
import {
	toInboundAddress,
	toInboundPhone,
} from "../../domain/inbound/inbound-address.ts";
import type {
	InboundPart,
	PartPlace,
} from "../../domain/inbound/inbound-part.ts";
import { readPlace, toPlace } from "../../domain/inbound/user-data-header.ts";
import { type Callback, readFields } from "./callback.ts";
import type { InboundSpec } from "./description-shape.ts";
import { findOwn, findText, findValue } from "./find-value.ts";
import type { HttpRoute } from "./http-route.ts";

/** Above what 255 parts hold, in UTF-16 units. */
const MAX_LENGTH = 40_000;
const MAX_PARTS = 255;
const HEXADECIMAL = /^(?:[0-9a-f]{2})*$/i;

/** The texts of a callback; `refusal` names the first field of those that cannot be read. */
export function readTexts(
	callback: Callback,
	route: HttpRoute,
	spec: InboundSpec,
): {
	readonly texts: InboundPart[];
	readonly refusal: DomainError | undefined;
} {
	const fields = readFields(callback);
	const { texts: list } = spec;
	const entries = list === undefined ? [fields] : findValue(fields, list);
	if (!Array.isArray(entries))
		return { texts: [], refusal: missing(list ?? "") };
	const texts: InboundPart[] = [];
	const refusals: DomainError[] = [];
	for (const [index, entry] of entries.entries())
		try {
			const where = list === undefined ? "" : `${list}.${index}.`;
			texts.push(readText(new Entry(entry, where), route, spec));
		} catch (error) {
			if (!(error instanceof DomainError)) throw error;
			refusals.push(error);
		}
	return { texts, refusal: refusals[0] };
}

function readText(
	entry: Entry,
	{ code, account }: HttpRoute,
	spec: InboundSpec,
): InboundPart {
	return {
		route: code,
		operatorAccount: account,
		sender: toInboundPhone(entry.demand(spec.from)),
		recipient: toInboundAddress(entry.demand(spec.to)),
		...readContent(entry, spec),
		place: readPartPlace(entry, spec),
		operatorMessageId: entry.find(spec.id)?.trim() || undefined,
		partCount: entry.count(spec.parts) || 1,
	};
}

function readContent(
	entry: Entry,
	spec: InboundSpec,
): Pick<InboundPart, "charset" | "octets"> {
	const charset = findOwn(spec.encodings, entry.find(spec.encoding) ?? "");
	const octets = entry.octets(spec.octets);
	if (octets !== undefined) return { charset: charset ?? "binary", octets };
	const text = entry.find(spec.text);
	if (text === undefined) throw missing(entry.where + spec.text);
	if (text.length > MAX_LENGTH)
		throw invalid(
			"too_long",
			entry.where + spec.text,
			`A text has at most ${MAX_LENGTH} characters.`,
		);
	return encode(text, charset);
}

/** Parts are joined as octets; what is not of GSM 03.38 is UCS-2, whatever the operator calls it. */
function encode(text: string, charset: Charset | undefined) {
	if (charset !== "ucs2" && countSeptets(text) !== undefined)
		return { charset: "gsm7", octets: encodeGsm7(text) } as const;
	const octets = Buffer.from(text, "utf16le").swap16();
	return { charset: "ucs2", octets } as const;
}

function readPartPlace(
	entry: Entry,
	{ concat, header }: InboundSpec,
): PartPlace | undefined {
	const reference = entry.find(concat?.reference);
	const place =
		reference !== undefined &&
		toPlace(
			16,
			// Operators write it in different ways; it only has to be the same for all parts.
			crc32(reference) >>> 1,
			entry.count(concat?.total),
			entry.count(concat?.number),
		);
	if (place) return place;
	const octets = entry.octets(header);
	return octets && readPlace(octets.subarray(1));
}

/** What stands at the paths of one text. */
class Entry {
	/** What leads to it. */
	readonly where: string;
	readonly #fields: unknown;

	constructor(fields: unknown, where: string) {
		this.#fields = fields;
		this.where = where;
	}

	find(path: string | undefined): string | undefined {
		return findText(this.#fields, path);
	}

	demand(path: string): string {
		const text = this.find(path)?.trim();
		if (!text) throw missing(this.where + path);
		return text;
	}

	/** Undefined for none. */
	octets(path: string | undefined): Buffer | undefined {
		const text = this.find(path);
		if (text === undefined) return undefined;
		if (HEXADECIMAL.test(text)) return Buffer.from(text, "hex");
		const what = "Octets are written in hexadecimal, two digits each.";
		throw invalid("invalid_format", `${this.where}${path}`, what);
	}

	/** 0 for what is no number of parts. */
	count(path: string | undefined): number {
		const text = this.find(path) ?? "";
		const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
		return count <= MAX_PARTS ? count : 0;
	}
}

function missing(field: string): DomainError {
	const what = "The route's description says that the field is there.";
	return invalid("required", field, what);
}
