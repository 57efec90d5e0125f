import type { DeliverySum } from "../gen/airtower/accounts/v1/account_pb.ts";
import { fromMicros } from "./segment-cost.ts";

/** A line of a report as the public API has it, in responses and in callbacks. */
export function publicDeliverySum({ channel, ...sum }: DeliverySum) {
	return {
		value: sum.value === "" ? null : sum.value,
		channel: channel === "whatsapp" ? ("whatsapp" as const) : ("sms" as const),
		accepted: Number(sum.accepted),
		delivered: Number(sum.delivered),
		failed: Number(sum.failed),
		failures: sum.failures.map(({ reason, messages }) => ({
			reason,
			messages: Number(messages),
		})),
		canceled: Number(sum.canceled),
		unknown: Number(sum.unknown),
		median_seconds: sum.medianSeconds ?? null,
		p95_seconds: sum.p95Seconds ?? null,
		segments: Number(sum.segments),
		costs: sum.costs.map(({ currency, micros }) => ({
			currency,
			amount: fromMicros(micros),
		})),
	};
}
