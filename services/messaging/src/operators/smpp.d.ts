/** The parts of `smpp` 0.5 in use, which brings no types of its own: its codec. */
declare module "smpp" {
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
