import type { Logger } from "@airtower/platform/runtime/log";
import type { Receipt } from "../domain/receipt.ts";
import type { OperatorHandlers } from "./operator.ts";
import type { SmppConnection } from "./smpp-connection.ts";
import type { Pdu } from "./smpp-pdu.ts";
import { readDelivered } from "./smpp-receipt.ts";
import type { SmppRoute } from "./smpp-route.ts";

/** ESME_RX_T_APPN: cannot take it now, send it again. */
const TRY_AGAIN = 0x64;

/** Has receipts stored, and only then tells the operator so. */
export class SmppReceiver {
	readonly #route: SmppRoute;
	readonly #maxInFlight: number;
	readonly #log: Logger;
	readonly #handlers: OperatorHandlers;
	#inFlight = 0;

	constructor(
		route: SmppRoute,
		maxInFlight: number,
		log: Logger,
		handlers: OperatorHandlers,
	) {
		this.#route = route;
		this.#maxInFlight = maxInFlight;
		this.#log = log;
		this.#handlers = handlers;
	}

	/** Receipts being stored. */
	get inFlight(): number {
		return this.#inFlight;
	}

	/** Takes a deliver_sm or data_sm and answers it on the same connection. */
	take(pdu: Pdu, connection: SmppConnection): void {
		if (this.#inFlight >= this.#maxInFlight) {
			connection.respond(pdu, TRY_AGAIN);
			return;
		}
		const delivered = readDelivered(pdu, this.#route, new Date());
		if (delivered.kind === "receipt") {
			void this.#store(delivered.receipt).then((status) =>
				connection.respond(pdu, status),
			);
			return;
		}
		// Sending these again would change nothing.
		connection.respond(pdu);
		if (delivered.kind === "unreadable")
			this.#warn({ raw: delivered.raw }, "SMPP receipt without id or state");
		else this.#warn({}, "SMPP message to us dropped");
	}

	/** The status to answer with. Never rejects. */
	async #store(receipt: Receipt): Promise<number> {
		this.#inFlight++;
		try {
			await this.#handlers.onReceipt(receipt);
			return 0;
		} catch (err) {
			this.#warn({ err }, "SMPP receipt not stored; asked for it again");
			return TRY_AGAIN;
		} finally {
			this.#inFlight--;
		}
	}

	#warn(fields: object, message: string): void {
		this.#log.warn({ route: this.#route.code, ...fields }, message);
	}
}
