import type { Logger } from "@airtower/platform/runtime/log";
import type { Receipt } from "../domain/receipt.ts";
import type { OperatorHandlers } from "./operator.ts";
import type { SmppConnection } from "./smpp-connection.ts";
import type { Pdu } from "./smpp-pdu.ts";
import { readDelivered } from "./smpp-receipt.ts";
import type { SmppRoute } from "./smpp-route.ts";

/** ESME_RX_T_APPN: cannot take it now, send it again. */
const TRY_AGAIN = 0x64;

/** Has receipts applied, and only then acknowledges them. */
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

	get inFlight(): number {
		return this.#inFlight;
	}

	take(pdu: Pdu, connection: SmppConnection): void {
		if (this.#inFlight >= this.#maxInFlight) {
			connection.respond(pdu, TRY_AGAIN);
			return;
		}
		const delivered = readDelivered(pdu, this.#route);
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
