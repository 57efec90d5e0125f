import type { Db } from "@airtower/platform/database/database";
import { fault } from "@airtower/platform/runtime/fault";
import {
	type Batcher,
	createBatcher,
} from "@airtower/platform/work/micro-batcher";
import type { Receipt } from "./operators/operator.ts";
import { insertReceipts } from "./store/receipts.ts";
import type { MessagingTelemetry } from "./telemetry.ts";

export interface ReceiptIntakeOptions {
	readonly sql: Db;
	readonly telemetry: MessagingTelemetry;
	/** Told after receipts were stored. */
	readonly onStored: () => void;
}

export type ReceiptIntake = Batcher<Receipt, void>;

const MAX_BATCH = 500;
const MAX_IN_FLIGHT = 2;
/** Longest text kept of a receipt, characters. */
const MAX_RAW_LENGTH = 4_000;

/** Stores receipts in batches; an added receipt resolves once it is durable. */
export function createReceiptIntake(
	options: ReceiptIntakeOptions,
): ReceiptIntake {
	return createBatcher<Receipt, void>({
		maxItems: MAX_BATCH,
		maxInFlight: MAX_IN_FLIGHT,
		flush: async (receipts) => {
			await insertReceipts(options.sql, receipts.map(storable));
			fault("messaging.after_receipt_store");
			options.telemetry.countReceipts("stored", receipts.length);
			options.onStored();
			return receipts.map(() => undefined);
		},
	});
}

/** Without what the database could not hold: one receipt must not keep the others of its batch out. */
function storable(receipt: Receipt): Receipt {
	return {
		...receipt,
		operatorMessageId: clean(receipt.operatorMessageId),
		matchKeys: receipt.matchKeys.map(clean),
		operatorError: clean(receipt.operatorError),
		raw: clean(receipt.raw).slice(0, MAX_RAW_LENGTH),
	};
}

function clean(text: string): string {
	return text.replaceAll("\0", "\u{FFFD}");
}
