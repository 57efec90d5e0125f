import {
	type AddressGuard,
	createAddressGuard,
	type PortRange,
} from "@airtower/platform/egress/address-guard";
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
	return {
		guard: createAddressGuard({ rules }),
		blockedPorts: config.BLOCKED_PORTS,
		proxy: config.EGRESS_PROXY,
		allowHttp: config.ALLOW_HTTP_OPERATORS,
	};
}
