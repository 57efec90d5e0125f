/** The parts of `smpp` 0.5 in use, which brings no types of its own: its codec. */
declare module "smpp" {
	/** How the value of a TLV is read and written. */
	export interface TlvType<T> {
		/** The value is the `length` octets from `offset`, or what is left of them when the PDU ends before. */
		read(octets: Buffer, offset: number, length: number): T | undefined;
		write(value: T, octets: Buffer, offset: number): void;
		/** Octets that `write` takes. */
		size(value: T): number;
	}

	/** Defines a TLV by its name and id, in place of the codec's own if it has one. */
	export function addTLV<T>(
		name: string,
		tlv: { readonly id: number; readonly type: TlvType<T> },
	): void;

	export interface PduFields {
		command_status?: number;
		sequence_number?: number;
		[field: string]: unknown;
	}

	/** One PDU; its fields are properties by their names in the standard. */
	export class PDU {
		constructor(command: string, fields: PduFields);
		static maxLength: number;
		/** Name of the command, "unknown" when the codec does not know it. */
		command: string;
		command_id: number;
		command_status: number;
		sequence_number: number;
		[field: string]: unknown;
		isResponse(): boolean;
		/** Decodes one complete PDU into this one. Throws on malformed octets, with what was read before them kept. */
		fromBuffer(octets: Buffer): void;
		toBuffer(): Buffer;
		/** Turns texts and times into octets and back. */
		_filter(direction: "encode" | "decode"): void;
	}
}
