/** As the phone sent it; what charset the operator gave it in is between the operator and us. */
export type InboundEncoding = "gsm7" | "ucs2" | "binary";

/** A text that is whole, or was given on as it was. */
export interface InboundText {
	/** UUIDv7. */
	readonly id: string;
	/** Null where nobody has the number. */
	readonly organizationId: string | null;
	readonly route: string;
	/** The phone, see `toInboundPhone`. */
	readonly sender: string;
	/** Our number. */
	readonly recipient: string;
	/** Octets in base64 where the encoding is "binary". */
	readonly body: string;
	readonly encoding: InboundEncoding;
	/** Of the shared number, by which the organization has it; null otherwise. */
	readonly keyword: string | null;
	/** Parts in which it was sent, 1 to 255. */
	readonly partCount: number;
	/** False where parts are missing that did not come in time. */
	readonly isComplete: boolean;
}

export interface StoredInboundText extends InboundText {
	readonly receivedAt: Date;
}
