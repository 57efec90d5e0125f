/** The parts of `smpp` 0.5 that the simulator uses; the library brings no types of its own. */
declare module "smpp" {
	import type { EventEmitter } from "node:events";
	import type { Server, Socket } from "node:net";

	/** Parameters and TLVs by their names in the standard, and `command_status`, `sequence_number`. */
	export type Fields = Readonly<Record<string, unknown>>;

	/** A PDU as it came. */
	export interface ReceivedPdu {
		/** "unknown" for a command that the library does not know. */
		readonly command: string;
		readonly command_status: number;
		readonly sequence_number: number;
		readonly [field: string]: unknown;
		isResponse(): boolean;
		/** The response to a request; a generic_nack to an unknown command. */
		response(fields?: Fields): ReceivedPdu;
	}

	/** Sends a request, or returns false when the connection is gone. */
	export type SendRequest = (
		fields: Fields,
		onResponse?: (response: ReceivedPdu) => void,
	) => boolean;

	export type Command =
		| "alert_notification"
		| "bind_receiver"
		| "bind_transceiver"
		| "bind_transmitter"
		| "data_sm"
		| "deliver_sm"
		| "enquire_link"
		| "generic_nack"
		| "outbind"
		| "query_sm"
		| "submit_sm"
		| "unbind";

	/** One connection. Emits "pdu", each command by its name, "close" and "error". */
	export interface Session extends EventEmitter, Record<Command, SendRequest> {
		readonly socket: Socket;
		send(pdu: ReceivedPdu): boolean;
	}

	/** How the library reads a parameter or a TLV. */
	export interface Definition {
		/** Turns octets into texts and dates. */
		filter?: object;
	}

	interface Definitions {
		readonly commands: Readonly<
			Record<Command, { readonly params: Readonly<Record<string, Definition>> }>
		>;
		readonly tlvs: Readonly<Record<string, Definition>>;
	}

	/** Over TLS when there is a certificate and its key; the options are those of Node's server. */
	export function createServer(
		options: {
			readonly cert?: string;
			readonly key?: string;
			readonly ca?: string;
			readonly requestCert?: boolean;
		},
		onSession: (session: Session) => void,
	): Server;
	export function connect(address: { host: string; port: number }): Session;
	/** Node finds no names for these in the CommonJS of the library. */
	const definitions: Definitions;
	// biome-ignore lint/style/noDefaultExport: it is the default export of the library
	export default definitions;
}
