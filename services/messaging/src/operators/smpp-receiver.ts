import type { Logger } from "@airtower/platform/runtime/log";
import type { Receipt } from "../domain/receipts/receipt.ts";
import type { OperatorHandlers } from "./operator.ts";
import type { SmppRoute } from "./route/smpp-route.ts";
import type { SmppConnection } from "./session/smpp-connection.ts";
import type { SmppLimits } from "./session/smpp-limits.ts";
import type { Pdu } from "./session/smpp-pdu.ts";
import { readDelivered } from "./smpp-receipt.ts";

/** ESME_RX_T_APPN. */
const TRY_AGAIN = 0x64;

export interface ReceiverSetup extends OperatorHandlers {
	readonly route: SmppRoute;
	readonly limits: SmppLimits;
	readonly log: Logger;
}

/** Has receipts applied, and only then acknowledges them. */
export class SmppReceiver {
	readonly #setup: ReceiverSetup;
	#inFlight = 0;

	constructor(setup: ReceiverSetup) {
		this.#setup = setup;
	}

	get inFlight(): number {
		return this.#inFlight;
	}

	take(pdu: Pdu, connection: SmppConnection): void {
		if (this.#inFlight >= this.#setup.limits.maxReceiptsInFlight) {
			connection.respond(pdu, TRY_AGAIN);
			return;
		}
		const delivered = readDelivered(pdu, this.#setup.route);
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
			await this.#setup.onReceipt(receipt);
			return 0;
		} catch (err) {
			this.#warn({ err }, "SMPP receipt not stored; asked for it again");
			return TRY_AGAIN;
		} finally {
			this.#inFlight--;
		}
	}

	#warn(fields: object, message: string): void {
		const { log, route } = this.#setup;
		log.warn({ route: route.code, ...fields }, message);
	}
}
