import { addTLV, type PduFields as CodecFields, PDU, type TlvType } from "smpp";

export interface PduFields extends CodecFields {
	/** TLVs that the codec does not know, as octets; they follow the others. */
	readonly routeTlvs?: Buffer;
}

export interface Pdu {
	readonly command: string;
	readonly isResponse: boolean;
	readonly status: number;
	readonly sequence: number;
	/** Parameters and TLVs by their names in the standard; what could not be read is absent. */
	readonly fields: Readonly<Record<string, unknown>>;
}

/** Octets. */
const HEADER_LENGTH = 16;
const MAX_PDU_LENGTH = 70_000;
/** The codec's own limit is less than a message_payload may have (5.3.2.32). */
PDU.maxLength = MAX_PDU_LENGTH;

/*
 * TLVs are read within their length (SMPP 3.4, 3.2.4.1). The codec's own types read on into the next TLV where an
 * operator leaves the NUL out or sends no number.
 */

const boundedText: TlvType<string> = {
	read: (octets, offset, length) => {
		const value = octets.subarray(offset, offset + length);
		const end = value.indexOf(0);
		return value.toString("ascii", 0, end < 0 ? value.length : end);
	},
	write: (value, octets, offset) => {
		octets.write(`${value}\0`, offset, "latin1");
	},
	size: (value) => value.length + 1,
};

const MAX_INTEGER_LENGTH = 6;

/** Read in as many octets as were sent, most significant first (3.1); written in so many. */
const boundedInteger = (size: number): TlvType<number> => ({
	read: (octets, offset, length) => {
		const value = octets.subarray(offset, offset + length);
		return value.length === 0 || value.length > MAX_INTEGER_LENGTH
			? undefined
			: value.readUIntBE(0, value.length);
	},
	write: (value, octets, offset) => {
		octets.writeUIntBE(value, offset, size);
	},
	size: () => size,
});

/** Of the TLVs that are looked at, those that the codec does not keep within their length (5.3.2). */
addTLV("receipted_message_id", { id: 0x001e, type: boundedText });
addTLV("message_state", { id: 0x0427, type: boundedInteger(1) });
addTLV("sar_msg_ref_num", { id: 0x020c, type: boundedInteger(2) });
addTLV("sar_total_segments", { id: 0x020e, type: boundedInteger(1) });
addTLV("sar_segment_seqnum", { id: 0x020f, type: boundedInteger(1) });

/** Texts and times stay octets: the codec would read a receipt as GSM-7 and a validity as local time. */
class RawPdu extends PDU {
	override _filter(): void {}
}

export function encodePdu(
	command: string,
	sequence: number,
	fields: PduFields = {},
	status = 0,
): Buffer {
	const octets = new RawPdu(command, {
		...fields,
		command_status: status,
		sequence_number: sequence,
	}).toBuffer();
	if (status !== 0 && WITH_BODY.has(command)) return extend(octets, EMPTY_ID);
	return fields.routeTlvs?.length ? extend(octets, fields.routeTlvs) : octets;
}

/** The codec leaves out the body of every refusal; only a submit_sm_resp may have none (4.4.2, 4.6.2, 4.7.2). */
const WITH_BODY = new Set(["deliver_sm_resp", "data_sm_resp"]);
const EMPTY_ID = Buffer.alloc(1);

/** The PDU with these octets at its end. */
function extend(pdu: Buffer, end: Buffer): Buffer {
	const octets = Buffer.concat([pdu, end]);
	octets.writeUInt32BE(octets.length, 0);
	return octets;
}

/** What follows a malformed field is left out. */
export function decodePdu(octets: Buffer): Pdu {
	const pdu = new RawPdu("generic_nack", {});
	try {
		pdu.fromBuffer(octets);
	} catch {}
	return {
		command: pdu.command,
		isResponse: pdu.isResponse(),
		status: pdu.command_status,
		sequence: pdu.sequence_number,
		fields: pdu,
	};
}

/** The last mandatory parameters of what operators send us (4.6.1, 4.7.1). */
const LAST_PARAMETER: Readonly<Record<string, string>> = {
	deliver_sm: "short_message",
	data_sm: "data_coding",
};

export function isCutShort({ command, fields }: Pdu): boolean {
	const last = LAST_PARAMETER[command];
	return last !== undefined && fields[last] === undefined;
}

/** The stream cannot be SMPP: no later octet of it can be trusted. */
export class SmppStreamError extends Error {
	override readonly name = "SmppStreamError";
}

export class FrameReader {
	#rest: Buffer = Buffer.alloc(0);

	/**
	 * The PDUs that are complete after this chunk; views of it, not copies. Throws SmppStreamError once all before the
	 * error are taken, for they count.
	 */
	*push(chunk: Buffer): Generator<Buffer, void> {
		const octets =
			this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
		let start = 0;
		while (octets.length - start >= HEADER_LENGTH) {
			const length = octets.readUInt32BE(start);
			if (length < HEADER_LENGTH || length > MAX_PDU_LENGTH)
				throw new SmppStreamError(`A PDU claims to have ${length} octets.`);
			if (octets.length - start < length) break;
			yield octets.subarray(start, start + length);
			start += length;
		}
		this.#rest = octets.subarray(start);
	}
}

export function textField(pdu: Pdu, name: string): string | undefined {
	const value = pdu.fields[name];
	return typeof value === "string" ? value : undefined;
}

export function numberField(pdu: Pdu, name: string): number | undefined {
	const value = pdu.fields[name];
	return typeof value === "number" ? value : undefined;
}

export function octetsField(pdu: Pdu, name: string): Buffer | undefined {
	const value = pdu.fields[name];
	return Buffer.isBuffer(value) ? value : undefined;
}

/** Bit of esm_class: what is carried begins with a user data header (5.2.12). */
const UDH_INDICATOR = 0x40;

interface UserData {
	/** Without its length; empty where there is none. */
	readonly header: Buffer;
	readonly content: Buffer;
}

/** What a deliver_sm or data_sm carries, in short_message or in message_payload. */
export function userDataOf(pdu: Pdu): UserData {
	const short = octetsField(pdu, "short_message");
	const payload = octetsField(pdu, "message_payload");
	const octets = (short?.length ? short : payload) ?? Buffer.alloc(0);
	const esmClass = numberField(pdu, "esm_class") ?? 0;
	const claimed = (esmClass & UDH_INDICATOR) === 0 ? 0 : 1 + (octets[0] ?? 0);
	// Operators take headers away and leave the indicator: what is longer than all there is would be the text.
	const end = claimed > octets.length ? 0 : claimed;
	return { header: octets.subarray(1, end), content: octets.subarray(end) };
}
