import type { DeliveryContext, Dispatcher } from "../../context.ts";
import { ILLNESSES } from "../../domain/route-health.ts";
import type { ReceiptJudge } from "../../receipts/receipt-judge.ts";
import { tellOthers } from "./report-routes.ts";

/** @param judgeReceipts reads what the rounds of `watchRoutes` go by until the next round of `readReceipts` */
export function createRouteWatching(judgeReceipts: ReceiptJudge) {
	let receipts: Awaited<ReturnType<ReceiptJudge>> = new Map();
	/** Their health has changed, and the others may not know. */
	let untold: readonly Dispatcher[] = [];

	return {
		async readReceipts(ctx: DeliveryContext): Promise<number> {
			receipts = await judgeReceipts(ctx.sql);
			measureMissing(ctx, receipts);
			return 0;
		},

		/** Judges the routes that this process delivers on, and tells of each whose health has changed. */
		async watchRoutes(ctx: DeliveryContext): Promise<number> {
			const changed = ctx.dispatchers.filter(({ operator, watch }) =>
				watch.judge(receipts.get(operator.code) ?? "undecided"),
			);
			for (const dispatcher of changed) tell(ctx, dispatcher);
			untold = ctx.dispatchers.filter(
				(one) => changed.includes(one) || untold.includes(one),
			);
			await tellOthers(ctx, untold);
			untold = [];
			return 0;
		},
	};
}

function measureMissing(
	{ telemetry: { receiptsMissing }, dispatchers }: DeliveryContext,
	receipts: Awaited<ReturnType<ReceiptJudge>>,
): void {
	receiptsMissing.reset();
	for (const { operator } of dispatchers) {
		const isMissing = receipts.get(operator.code) === "missing";
		receiptsMissing.set({ route: operator.code }, isMissing ? 1 : 0);
	}
}

function tell({ log }: DeliveryContext, { operator, watch }: Dispatcher): void {
	const { code: route } = operator;
	const { health, reason } = watch.opinion;
	if (health === "down")
		log.warn(
			{ route, health, reason },
			`route ${route} is down: ${reason && ILLNESSES[reason]}`,
		);
	else if (health !== null)
		log.info(
			{ route, health, reason },
			`route ${route} is ${health === "up" ? "up" : "tried with a few messages"}`,
		);
}
