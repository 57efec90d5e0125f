import {
	type UnknownPolicy,
	unknownPolicies,
} from "../../domain/attempt-outcome.ts";
import type { RouteCost } from "../../domain/routing/route-table.ts";
import { BadValue, oneOf, wholeNumber } from "./route-values.ts";

/** Reads an option by its name; what is not given is read as the fallback. Throws BadRoute that names the option. */
export type ReadOption = <T>(
	name: string,
	fallback: string,
	parse: (value: string) => T,
) => T;

/** Options that routes of every kind have. */
export interface CommonOptions {
	readonly unknownPolicy: UnknownPolicy;
	readonly cost: RouteCost | undefined;
	/** Most segments a second of one sender, over all processes; undefined: no limit of its own. */
	readonly senderRate: number | undefined;
}

export const COMMON_OPTIONS = ["unknown", "cost", "currency", "senderrate"];

/** Throws BadRoute that names the option. */
export function readCommonOptions(read: ReadOption): CommonOptions {
	const senderRate = read("senderrate", "0", wholeNumber(0, 100_000));
	return {
		unknownPolicy: read("unknown", "setting", oneOf(...unknownPolicies)),
		cost: readCost(read),
		senderRate: senderRate === 0 ? undefined : senderRate,
	};
}

function readCost(read: ReadOption): RouteCost | undefined {
	const amount = read("cost", "", optionalAmount);
	return read("currency", "", (currency) => {
		if (amount === undefined && currency === "") return undefined;
		if (amount === undefined)
			throw new BadValue('is of no use without "cost": give both, or neither');
		if (currency === "")
			throw new BadValue('is missing beside "cost": give it, such as EUR');
		if (!Intl.supportedValuesOf("currency").includes(currency))
			throw new BadValue("must be an ISO 4217 code of a currency, such as EUR");
		return { amount, currency };
	});
}

function optionalAmount(value: string): number | undefined {
	if (value === "") return undefined;
	if (/^\d{1,6}(\.\d{1,6})?$/.test(value)) return Number(value);
	throw new BadValue(
		"must be an amount such as 0.0125, with up to 6 digits on either side of the point",
	);
}
