import type { Settler } from "@airtower/platform/work/settling";
import type { CommonContext } from "./context.ts";
import { createDispatcher, type Dispatcher } from "./dispatching/dispatcher.ts";
import { createLease, type Lease } from "./dispatching/lease.ts";
import type { SettledAttempt } from "./dispatching/settle-attempts.ts";
import { createSettler } from "./dispatching/settler.ts";
import type { Operator } from "./operators/operator.ts";
import { createReceiptIntake, type ReceiptIntake } from "./store-receipts.ts";

/** Wakes the loops; each does nothing until its loop runs. */
export interface Pokes {
	claim: () => void;
	dispatch: () => void;
	receipts: () => void;
	relay: () => void;
}

/** What every job works with. */
export interface DeliveryContext extends CommonContext {
	/** In [0, 1). */
	readonly random: () => number;
	readonly dispatchers: readonly Dispatcher[];
	readonly lease: Lease;
	readonly settler: Settler<SettledAttempt>;
	readonly receiptIntake: ReceiptIntake;
	readonly poke: Pokes;
}

export interface DeliverySettings {
	readonly operators: readonly Operator[];
	/** Ends the waiting for a database that is away. */
	readonly signal: AbortSignal;
	/** The test seam. */
	readonly random?: (() => number) | undefined;
}

/** Puts the parts together and begins the process's lease; the tables must exist. */
export async function createDeliveryContext(
	common: CommonContext,
	{ operators, signal, random = Math.random }: DeliverySettings,
): Promise<DeliveryContext> {
	const { sql, log, limits, telemetry } = common;
	const poke: Pokes = {
		claim: () => {},
		dispatch: () => {},
		receipts: () => {},
		relay: () => {},
	};
	return {
		...common,
		random,
		poke,
		dispatchers: operators.map((operator) =>
			createDispatcher(operator, (error) =>
				log.error({ err: error }, "an attempt was left to the lease"),
			),
		),
		lease: await createLease(sql, limits.leaseMs, log),
		settler: createSettler({
			sql,
			log,
			telemetry,
			signal,
			onFinished: (finished) => {
				for (const { status } of finished) telemetry.countOutcomes(status, 1);
				if (finished.length > 0) poke.relay();
			},
		}),
		receiptIntake: createReceiptIntake({
			sql,
			telemetry,
			onStored: () => poke.receipts(),
		}),
	};
}
