import {
	type AddressGuard,
	createAddressGuard,
	type PortRange,
} from "@airtower/platform/egress/address-guard";
import {
	createDnsResolver,
	systemResolver,
} from "@airtower/platform/egress/resolver";
import type { Config } from "../../config.ts";

/** How operators are reached. */
export interface Egress {
	readonly guard: AddressGuard;
	readonly blockedPorts: readonly PortRange[];
	/** URL of an HTTP proxy. */
	readonly proxy?: string | undefined;
	readonly ca?: string | undefined;
	/** False: only over TLS. */
	readonly allowHttp: boolean;
}

/** As the service's settings say. */
export function toEgress(config: Config): Egress {
	const rules = {
		allowPrivateAddresses: config.ALLOW_PRIVATE_OPERATOR_ADDRESSES,
		blockedNetworks: config.BLOCKED_NETWORKS,
	};
	const resolve = rules.allowPrivateAddresses
		? systemResolver
		: createDnsResolver();
	return {
		guard: createAddressGuard({ resolve, rules }),
		blockedPorts: config.BLOCKED_PORTS,
		proxy: config.EGRESS_PROXY,
		allowHttp: config.ALLOW_HTTP_OPERATORS,
	};
}
