import type { IdForm } from "../domain/operator-message-id.ts";
import type { StatusOverrides } from "../domain/smpp-status.ts";
import type { Alphabet } from "../domain/user-data.ts";

/** Type of number and numbering plan of an address (SMPP 3.4, 5.2.5 and 5.2.6). */
export interface AddressType {
	readonly ton: number;
	readonly npi: number;
}

/** How a message of several parts is put on the wire. */
export type LongMessages = "udh" | "sar" | "payload";

/** "pair": a transmitter and a receiver for each bind. */
export type BindMode = "transceiver" | "pair";

/** Everything about a route but its password. */
export interface SmppRouteOptions {
	readonly code: string;
	readonly account: string;
	/** Unanswered submits per bind. */
	readonly window: number;
	readonly binds: number;
	readonly mode: BindMode;
	/** Segments per second over all binds. */
	readonly rate: number | undefined;
	readonly answerIds: IdForm;
	readonly receiptIds: IdForm;
	readonly long: LongMessages;
	readonly alphabet: Alphabet;
	readonly recipient: AddressType;
	readonly number: AddressType;
	readonly name: AddressType;
	readonly shortCode: AddressType;
	readonly statuses: StatusOverrides;
	readonly systemType: string;
	/** Offset of the operator's clock from UTC, minutes. */
	readonly utcOffsetMinutes: number;
	/** Seconds between two enquire_link, and until an answer counts as lost. */
	readonly enquireSeconds: number;
	readonly timeoutSeconds: number;
}

/** A parsed route URL. */
export interface SmppRoute extends SmppRouteOptions {
	readonly host: string;
	readonly port: number;
	readonly systemId: string;
	readonly password: string;
}
