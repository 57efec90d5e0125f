import type { Server } from "node:net";
import definitions, { createServer, type Session } from "smpp";
import type { SmscTls } from "./smsc-options.ts";

/** An SMPP server that hands over texts and times as the octets that came. */
export function createSmppServer(
	tls: SmscTls | undefined,
	onSession: (session: Session) => void,
): Server {
	const { commands, tlvs } = definitions;
	const { validity_period, short_message } = commands.submit_sm.params;
	for (const one of [validity_period, short_message, tlvs.message_payload])
		delete one?.filter;
	if (tls?.clientAuthority === undefined)
		return createServer({ ...tls }, onSession);
	const { clientAuthority: ca, ...own } = tls;
	return createServer({ ...own, ca, requestCert: true }, onSession);
}
