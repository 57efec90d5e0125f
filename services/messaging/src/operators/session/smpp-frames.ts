import { HEADER_LENGTH, MAX_PDU_LENGTH } from "./smpp-pdu.ts";

/** The stream cannot be SMPP: no later octet of it can be trusted. */
export class SmppStreamError extends Error {
	override readonly name = "SmppStreamError";
}

export class FrameReader {
	#rest: Buffer = Buffer.alloc(0);

	/** The PDUs that are complete after this chunk; views of it, not copies. Throws SmppStreamError. */
	push(chunk: Buffer): Buffer[] {
		const octets =
			this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
		const frames: Buffer[] = [];
		let start = 0;
		while (octets.length - start >= HEADER_LENGTH) {
			const length = octets.readUInt32BE(start);
			if (length < HEADER_LENGTH || length > MAX_PDU_LENGTH)
				throw new SmppStreamError(`A PDU claims to have ${length} octets.`);
			if (octets.length - start < length) break;
			frames.push(octets.subarray(start, start + length));
			start += length;
		}
		this.#rest = octets.subarray(start);
		return frames;
	}
}
