import { isIP } from "node:net";
import { type AddressRules, isAllowedAddress } from "./address-rules.ts";
import type { Resolve } from "./resolver.ts";

export class AddressRefused extends Error {
	override readonly name = "AddressRefused";
	readonly reason: "address_not_allowed" | "dns_failed";

	constructor(reason: AddressRefused["reason"], cause?: unknown) {
		super(reason, { cause });
		this.reason = reason;
	}
}

/** Throws {@link AddressRefused}. Connect to these addresses only, and resolve nothing again. */
export type AddressGuard = (hostname: string) => Promise<string[]>;

export interface AddressGuardOptions {
	readonly resolve: Resolve;
	readonly rules: AddressRules;
}

/** One forbidden address among many refuses the host: a mixed list is how rebinding begins. */
export function createAddressGuard(options: AddressGuardOptions): AddressGuard {
	return async (hostname) => {
		const addresses = await findAddresses(hostname, options.resolve);
		if (!addresses.every((address) => isAllowedAddress(address, options.rules)))
			throw new AddressRefused("address_not_allowed");
		return addresses;
	};
}

async function findAddresses(
	hostname: string,
	resolve: Resolve,
): Promise<string[]> {
	if (isIP(hostname) !== 0) return [hostname];
	try {
		const addresses = await resolve(hostname);
		if (addresses.length > 0) return addresses;
	} catch (error) {
		throw new AddressRefused("dns_failed", error);
	}
	throw new AddressRefused("dns_failed");
}
