import { isDeepStrictEqual } from "node:util";
import type { SmppRoute } from "./smpp-route.ts";

/** Whether a connection is made with it; what it is not made with, a running operator takes on as it is. */
const IS_CARRIED: Readonly<Record<keyof SmppRoute, boolean>> = {
	host: true,
	port: true,
	isSecure: true,
	ca: true,
	cert: true,
	key: true,
	systemId: true,
	password: true,
	systemType: true,
	mode: true,
	enquireSeconds: true,
	timeoutSeconds: true,
	// Connections go to another host one after another.
	furtherHosts: false,
	kind: false,
	code: false,
	account: false,
	window: false,
	binds: false,
	rate: false,
	responseIds: false,
	receiptIds: false,
	receipts: false,
	receiptForm: false,
	receiptStates: false,
	reasons: false,
	long: false,
	encoding: false,
	transliterate: false,
	referenceBits: false,
	alphabet: false,
	recipient: false,
	number: false,
	name: false,
	shortCode: false,
	statuses: false,
	serviceType: false,
	protocolId: false,
	priority: false,
	tlvs: false,
	unknownPolicy: false,
	cost: false,
	senderRate: false,
};

/** Whether connections that were made with the one are of no use with the other. */
export function needsReconnect(before: SmppRoute, after: SmppRoute): boolean {
	const names = Object.keys(IS_CARRIED) as (keyof SmppRoute)[];
	return names.some(
		(name) => IS_CARRIED[name] && !isDeepStrictEqual(before[name], after[name]),
	);
}
