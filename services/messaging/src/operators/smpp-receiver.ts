import type { Logger } from "@airtower/platform/runtime/log";
import { decodeUcs2 } from "../domain/inbound/charset.ts";
import type { InboundPart } from "../domain/inbound/inbound-part.ts";
import { receiptKeys } from "../domain/operator-message-id.ts";
import {
	numberTails,
	parseReceipt,
	plainAddresses,
	type Receipt,
} from "../domain/receipts/receipt.ts";
import { toStandardText } from "../domain/receipts/receipt-form.ts";
import {
	isMarkedReceipt,
	isReceipt,
	isStat,
	isWhole,
	parseReceiptText,
	type ReceiptSource,
	type ReceiptText,
} from "../domain/receipts/receipt-meaning.ts";
import type { OperatorHandlers } from "./operator.ts";
import type { SmppRoute } from "./route/smpp-route.ts";
import type { LiveRoute } from "./session/live-route.ts";
import type { SmppConnection } from "./session/smpp-connection.ts";
import {
	numberField,
	octetsField,
	type Pdu,
	textField,
	userDataOf,
} from "./session/smpp-pdu.ts";
import { readInboundPart } from "./smpp-inbound.ts";

/** ESME_RX_T_APPN. */
const TRY_AGAIN = 0x64;

interface ReceiverSetup extends OperatorHandlers {
	readonly live: LiveRoute;
	readonly log: Logger;
}

/** Has receipts applied and texts stored, and only then acknowledges them. */
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
		const { route, limits } = this.#setup.live;
		if (this.#inFlight >= limits.maxReceiptsInFlight) {
			connection.respond(pdu, TRY_AGAIN);
			return;
		}
		const delivered = readDelivered(pdu, route);
		if (delivered.kind === "unreadable") {
			// Sending it again would change nothing.
			connection.respond(pdu);
			const raw = withoutDigits(delivered.raw);
			this.#warn({ raw }, "SMPP receipt without id or state");
			return;
		}
		void this.#store(delivered).then((status) =>
			connection.respond(pdu, status),
		);
	}

	async #store(delivered: Storable): Promise<number> {
		const { onReceipt, onMessage } = this.#setup;
		this.#inFlight++;
		try {
			await (delivered.kind === "receipt"
				? onReceipt(delivered.receipt)
				: onMessage(delivered.part));
			return 0;
		} catch (err) {
			const { kind } = delivered;
			this.#warn({ err }, `SMPP ${kind} not stored; asked for it again`);
			return TRY_AGAIN;
		} finally {
			this.#inFlight--;
		}
	}

	#warn(fields: object, message: string): void {
		const { log, live } = this.#setup;
		log.warn({ route: live.route.code, ...fields }, message);
	}
}

const UCS2 = 8;
const MAX_RAW = 400;

type Storable =
	| { readonly kind: "receipt"; readonly receipt: Receipt }
	| { readonly kind: "message"; readonly part: InboundPart };

/** "unreadable": a receipt without id or state. */
type Delivered =
	| Storable
	| { readonly kind: "unreadable"; readonly raw: string };

function readDelivered(pdu: Pdu, route: SmppRoute): Delivered {
	const { source, text } = readSource(pdu, route);
	if (!isReceipt(source))
		return { kind: "message", part: readInboundPart(pdu, route) };
	const parsed = parseReceipt(source, {
		states: route.receiptStates,
		reasons: route.reasons.errors,
	});
	const raw = rawText(text, source);
	if (parsed === undefined) return { kind: "unreadable", raw };
	const named = [
		textField(pdu, "source_addr"),
		textField(pdu, "destination_addr"),
	];
	const addresses = route.receipts === "named" ? named : [];
	const receipt = {
		...parsed,
		operatorAccount: route.account,
		matchKeys: receiptKeys(
			{
				operatorMessageId: parsed.operatorMessageId,
				isTlv: source.receiptedMessageId !== undefined,
				textId: source.fields.id,
			},
			route,
		),
		numberTails: numberTails(addresses),
		addresses: plainAddresses(addresses),
		raw,
	};
	return { kind: "receipt", receipt };
}

function readSource(
	pdu: Pdu,
	route: SmppRoute,
): { readonly source: ReceiptSource; readonly text: string } {
	const receiptedMessageId = textField(pdu, "receipted_message_id");
	const messageState = numberField(pdu, "message_state");
	const networkError = octetsField(pdu, "network_error_code");
	const esmClass = numberField(pdu, "esm_class") ?? 0;
	const isMarked =
		isMarkedReceipt(esmClass) || receiptedMessageId !== undefined;
	const { text, fields } = readText(pdu, isMarked, route);
	const source = {
		esmClass,
		fields,
		...(receiptedMessageId !== undefined && { receiptedMessageId }),
		...(messageState !== undefined && { messageState }),
		...(networkError !== undefined && { networkError }),
	};
	return { source, text };
}

interface ReadText {
	readonly text: string;
	readonly fields: ReceiptText;
}

/**
 * Receipts are ASCII whatever data_coding says, but for UCS-2; some carry the data_coding of their message. What is of
 * the route's own form is put into the standard's. Phones write texts of such a form too, as "yes|at|nine": where
 * nothing else marks a receipt, its word for the state has to be one.
 */
function readText(
	pdu: Pdu,
	isMarked: boolean,
	{ receiptForm: form, receiptStates: states }: SmppRoute,
): ReadText {
	const octets = userDataOf(pdu).content;
	const read = (received: string): ReadText => {
		const text = form && toStandardText(received, form);
		const fields = parseReceiptText(text ?? received);
		return text === undefined || isMarked || isStat(fields.stat, { states })
			? { text: text ?? received, fields }
			: { text: received, fields: parseReceiptText(received) };
	};
	const declared = read(
		numberField(pdu, "data_coding") === UCS2
			? decodeUcs2(octets)
			: ascii(octets),
	);
	if (!isMarked || isWhole(declared.fields)) return declared;
	const others = [
		ascii(octets),
		decodeUcs2(octets),
		octets.toString("utf16le"),
	];
	return others.map(read).find(({ fields }) => isWhole(fields)) ?? declared;
}

/** A receipt of another form may name the phone anywhere, and repeat the text with its code; words tell the form. */
function withoutDigits(text: string): string {
	return text.replaceAll(/\d/g, "#");
}

function ascii(octets: Buffer): string {
	return octets.toString("latin1");
}

function rawText(text: string, source: ReceiptSource): string {
	const head = text.replace(/(?<![\w-])text[ ]*:.*$/is, "").trim();
	const tlvs = [
		source.receiptedMessageId &&
			`receipted_message_id=${source.receiptedMessageId}`,
		source.messageState !== undefined && `message_state=${source.messageState}`,
		source.networkError &&
			`network_error_code=${Buffer.from(source.networkError).toString("hex")}`,
	];
	const all = [head, ...tlvs].filter(Boolean).join(" ");
	return all.replaceAll("\0", "").slice(0, MAX_RAW);
}
