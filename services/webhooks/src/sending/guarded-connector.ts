import type { LookupFunction } from "node:net";
import { isIP } from "node:net";
import { buildConnector } from "undici";
import type { AddressGuard } from "./address-guard.ts";

export interface ConnectorOptions {
	readonly guard: AddressGuard;
	readonly timeoutMs: number;
	readonly ca?: string | undefined;
}

/** Names are resolved once, inside the dial, so that no second look-up leads elsewhere; literals skip look-ups. */
export function createGuardedConnector(
	options: ConnectorOptions,
): buildConnector.connector {
	const { guard } = options;
	const dial = buildConnector({
		allowH2: false,
		timeout: options.timeoutMs,
		lookup: guardedLookup(guard),
		autoSelectFamily: true,
		rejectUnauthorized: true,
		...(options.ca === undefined ? {} : { ca: options.ca }),
	});
	return (target, callback) => {
		if (isIP(target.hostname) === 0) return dial(target, callback);
		guard(target.hostname).then(
			() => dial(target, callback),
			(error: Error) => callback(error, null),
		);
	};
}

function guardedLookup(guard: AddressGuard): LookupFunction {
	return (hostname, options, callback) => {
		guard(hostname).then(
			(addresses) => {
				const entries = addresses.map((address) => ({
					address,
					family: isIP(address),
				}));
				if (options.all) return callback(null, entries);
				callback(null, entries[0]?.address ?? "", entries[0]?.family);
			},
			(error: Error) => callback(error, []),
		);
	};
}
