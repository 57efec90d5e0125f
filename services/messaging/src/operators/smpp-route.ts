import type { IdForm } from "../domain/operator-message-id.ts";
import type { StatusOverrides } from "../domain/smpp-status.ts";
import type { Alphabet } from "../domain/user-data.ts";

/** Type of number and numbering plan of an address (SMPP 3.4, 5.2.5 and 5.2.6). */
export interface AddressType {
	readonly ton: number;
	readonly npi: number;
}

export type LongMessages = "udh" | "sar" | "payload";

export type BindMode = "transceiver" | "pair";

export interface SmppRouteOptions {
	readonly code: string;
	readonly account: string;
	readonly window: number;
	readonly binds: number;
	readonly mode: BindMode;
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
	/** Seconds between two enquire_link, and until a response counts as lost. */
	readonly enquireSeconds: number;
	readonly timeoutSeconds: number;
}

export interface SmppRoute extends SmppRouteOptions {
	readonly host: string;
	readonly port: number;
	readonly systemId: string;
	readonly password: string;
}
