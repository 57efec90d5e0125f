import type { RouteShare } from "../gen/airtower/messaging/v1/messaging_pb.ts";

export interface SegmentCost {
	/** In millionths of the currency. */
	readonly micros: bigint;
	/** ISO 4217 code. */
	readonly currency: string;
}

/**
 * What a part of a message costs that these routes share; undefined where it is not known: without a route, where one
 * has no cost, or where they differ.
 */
export function segmentCostOf(
	routes: readonly Pick<RouteShare, "segmentCostMicros" | "currency">[],
): SegmentCost | undefined {
	const [first] = routes;
	const micros = first?.segmentCostMicros;
	if (first === undefined || micros === undefined) return undefined;
	const { currency } = first;
	const isOne = routes.every(
		(route) =>
			route.segmentCostMicros === micros && route.currency === currency,
	);
	return isOne ? { micros, currency } : undefined;
}

const MICROS = 1e6;

/** An amount of which a contract has the millionths. */
export function fromMicros(micros: bigint): number {
	return Number(micros) / MICROS;
}
