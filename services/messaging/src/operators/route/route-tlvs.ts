import type { OutgoingMessage } from "../outgoing-message.ts";
import { BadValue } from "./route-values.ts";

/** A TLV that an operator wants in each submit_sm beside those of the standard. */
interface RouteTlv {
	readonly tag: number;
	readonly kind: TlvKind;
	/** The value as text, with `{field}` where a field of the message stands. */
	readonly template: string;
}

/** Undefined for a text that is no value of the kind. */
type Encode = (text: string) => Buffer | undefined;

/** How a value is written (SMPP 3.4, 3.1): as it is, ended by NUL, or as an integer of so many octets. */
const KINDS = {
	octets: (text) => Buffer.from(text),
	cstring: (text) => Buffer.from(`${text}\0`),
	int8: (text) => integer(text, 1),
	int16: (text) => integer(text, 2),
	int32: (text) => integer(text, 4),
} as const satisfies Record<string, Encode>;

type TlvKind = keyof typeof KINDS;

const FIELDS = {
	organization: ({ organizationId }) => organizationId,
	message: ({ messageId }) => messageId,
	sender: ({ sender }) => sender,
	reference: ({ clientReference }) => clientReference ?? undefined,
} as const satisfies Record<
	string,
	(message: OutgoingMessage) => string | undefined
>;

type Field = keyof typeof FIELDS;

/**
 * Those that a long message may have anyway: sar_msg_ref_num, sar_total_segments, sar_segment_seqnum, message_payload.
 */
const TAKEN_TAGS: ReadonlySet<number> = new Set([
	0x020c, 0x020e, 0x020f, 0x0424,
]);
const MAX_TLVS = 16;
const ENTRY = /^0x([\da-fA-F]{1,4}):([a-z\d]+):([\x20-\x7e]{1,255})$/;
const FIELD = /\{([^{}]*)\}/g;
const HEADER_LENGTH = 4;

/** Reads `0x1400:octets:1101,0x1401:octets:{reference}`. Throws BadValue. */
export function tlvList(value: string): readonly RouteTlv[] {
	const tlvs = value === "" ? [] : value.split(",").map(parseTlv);
	const tags = new Set(tlvs.map(({ tag }) => tag));
	if (tlvs.length > MAX_TLVS)
		throw new BadValue(`must have at most ${MAX_TLVS} entries`);
	if (tags.size < tlvs.length)
		throw new BadValue("must not name a tag more than once");
	return tlvs;
}

function parseTlv(entry: string): RouteTlv {
	const [, digits = "", word, template = ""] = ENTRY.exec(entry) ?? [];
	const kind = keysOf(KINDS).find((candidate) => candidate === word);
	if (kind === undefined)
		throw new BadValue(
			`must be entries like 0x1400:octets:1101, each one of ${keysOf(KINDS).join(", ")}`,
		);
	const tag = Number.parseInt(digits, 16);
	if (TAKEN_TAGS.has(tag))
		throw new BadValue(`must not name 0x${digits}, which long messages use`);
	const names = [...template.matchAll(FIELD)].map(([, name = ""]) => name);
	if (!names.every(isField) || /[{}]/.test(template.replaceAll(FIELD, "")))
		throw new BadValue(
			`must name fields as ${keysOf(FIELDS)
				.map((field) => `{${field}}`)
				.join(", ")}`,
		);
	if (names.length === 0 && KINDS[kind](template) === undefined)
		throw new BadValue(`must have a whole number that fits ${kind}`);
	return { tag, kind, template };
}

/** One that names a field that the message does not have, or whose value does not fit its kind, is left out. */
export function encodeTlvs(
	tlvs: readonly RouteTlv[],
	message: OutgoingMessage,
): Buffer {
	return Buffer.concat(tlvs.map((tlv) => encodeTlv(tlv, message)));
}

function encodeTlv(
	{ tag, kind, template }: RouteTlv,
	message: OutgoingMessage,
): Buffer {
	const text = fill(template, message);
	const value = text === undefined ? undefined : KINDS[kind](text);
	if (value === undefined) return Buffer.alloc(0);
	const header = Buffer.alloc(HEADER_LENGTH);
	header.writeUInt16BE(tag, 0);
	header.writeUInt16BE(value.length, 2);
	return Buffer.concat([header, value]);
}

function fill(template: string, message: OutgoingMessage): string | undefined {
	let isWhole = true;
	const text = template.replaceAll(FIELD, (_, name: string) => {
		const value = isField(name) ? FIELDS[name](message) : undefined;
		if (value === undefined) isWhole = false;
		return value ?? "";
	});
	return isWhole ? text : undefined;
}

function integer(text: string, length: number): Buffer | undefined {
	const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
	if (!(number < 256 ** length)) return undefined;
	const octets = Buffer.alloc(length);
	octets.writeUIntBE(number, 0, length);
	return octets;
}

function isField(name: string): name is Field {
	return Object.hasOwn(FIELDS, name);
}

function keysOf<K extends string>(table: Record<K, unknown>): K[] {
	return Object.keys(table) as K[];
}
