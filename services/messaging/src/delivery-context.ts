import { createLease, type Lease } from "@airtower/platform/work/lease";
import type { Settler } from "@airtower/platform/work/settling";
import type { CommonContext } from "./common-context.ts";
import { createDispatcher, type Dispatcher } from "./dispatching/dispatcher.ts";
import type { SettledAttempt } from "./dispatching/settled-attempt.ts";
import { createSettler } from "./dispatching/settler.ts";
import type { Operator } from "./operators/operator.ts";
import {
	createReceiptIntake,
	type ReceiptIntake,
} from "./receipts/receive-receipts.ts";
import type { FinishedMessage } from "./store/finished-messages.ts";
import { openRouteSeries } from "./telemetry.ts";

export interface DeliveryContext extends CommonContext {
	readonly random: () => number;
	readonly dispatchers: readonly Dispatcher[];
	readonly lease: Lease;
	readonly settler: Settler<SettledAttempt>;
	readonly receiptIntake: ReceiptIntake;
	/** To be told of messages that have ended, once that is committed. */
	readonly onFinished: (finished: readonly FinishedMessage[]) => void;
}

export interface DeliverySettings {
	readonly operators: readonly Operator[];
	/** Ends the waiting for a database that is away. */
	readonly signal: AbortSignal;
	readonly wakeRelay: () => void;
	readonly random?: (() => number) | undefined;
}

export async function createDeliveryContext(
	common: CommonContext,
	{ operators, signal, wakeRelay, random = Math.random }: DeliverySettings,
): Promise<DeliveryContext> {
	const { sql, log, limits, telemetry } = common;
	const onFinished = (finished: readonly FinishedMessage[]) => {
		for (const { status } of finished) telemetry.outcomes.inc({ status });
		if (finished.length > 0) wakeRelay();
	};
	for (const { code } of operators) openRouteSeries(telemetry, code);
	return {
		...common,
		random,
		onFinished,
		dispatchers: operators.map((operator) =>
			createDispatcher(common.sql, operator, (error) =>
				log.error(
					{ err: error },
					"an attempt could not be recorded; it is taken over when its lease ends",
				),
			),
		),
		lease: await createLease(sql, limits.leaseMs, log),
		settler: createSettler({ sql, log, telemetry, signal, onFinished }),
		receiptIntake: createReceiptIntake({ ...common, onFinished }),
	};
}
