import { addMonths } from "@airtower/platform/runtime/clock";

/** Its start is inclusive, its end is not. */
interface BillingPeriod {
	readonly start: Date;
	readonly end: Date;
}

/**
 * Months begin at the day and time, in UTC, at which the subscription began; in a month without that day, on its last
 * day. A time before the subscription counts as its first moment.
 */
export function billingPeriodAt(startedAt: Date, at: Date): BillingPeriod {
	const months =
		(at.getUTCFullYear() - startedAt.getUTCFullYear()) * 12 +
		(at.getUTCMonth() - startedAt.getUTCMonth());
	const begun = addMonths(startedAt, months) <= at ? months : months - 1;
	const whole = Math.max(begun, 0);
	return {
		start: addMonths(startedAt, whole),
		end: addMonths(startedAt, whole + 1),
	};
}
