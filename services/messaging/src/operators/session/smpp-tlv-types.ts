import type { TlvType } from "smpp";

/*
 * TLVs are read within their length (SMPP 3.4, 3.2.4.1). The codec's own types read on into the next TLV where an
 * operator leaves the NUL out or sends no number.
 */

export const boundedText: TlvType<string> = {
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

/** Read in as many octets as were sent, most significant first (3.1). */
export const boundedOctet: TlvType<number> = {
	read: (octets, offset, length) => {
		const value = octets.subarray(offset, offset + length);
		return value.length === 0 || value.length > MAX_INTEGER_LENGTH
			? undefined
			: value.readUIntBE(0, value.length);
	},
	write: (value, octets, offset) => {
		octets.writeUInt8(value, offset);
	},
	size: () => 1,
};
