import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import {
	type AddressGuard,
	AddressRefused,
	isBlockedPort,
	type PortRange,
	portFrom,
} from "./address-guard.ts";
import { createEgressProxy, type EgressProxy } from "./egress-proxy.ts";

interface ConnectorOptions {
	readonly guard: AddressGuard;
	readonly blockedPorts: readonly PortRange[];
	readonly timeoutMs: number;
	readonly ca?: string | undefined;
	/** URL of an HTTP proxy that all connections go through. */
	readonly proxy?: string | undefined;
}

interface GuardedConnector {
	readonly connect: buildConnector.connector;
	close(): Promise<void>;
}

/** Names are resolved once, inside the dial, so that no second look-up leads elsewhere; literals skip look-ups. */
export function createGuardedConnector(
	options: ConnectorOptions,
): GuardedConnector {
	const { guard, timeoutMs } = options;
	const proxy =
		options.proxy === undefined
			? undefined
			: createEgressProxy(options.proxy, timeoutMs);
	const dial = buildConnector({
		allowH2: false,
		timeout: timeoutMs,
		lookup: guardedLookup(guard),
		autoSelectFamily: true,
		rejectUnauthorized: true,
		...(options.ca === undefined ? {} : { ca: options.ca }),
	});
	const connect =
		proxy === undefined ? direct(guard, dial) : through(proxy, guard, dial);
	return {
		connect: exceptTo(options.blockedPorts, connect),
		close: async () => {
			await proxy?.close();
		},
	};
}

function exceptTo(
	blockedPorts: readonly PortRange[],
	connect: buildConnector.connector,
): buildConnector.connector {
	return (target, callback) => {
		if (isBlockedPort(portFrom(target), blockedPorts))
			return callback(new AddressRefused("address_not_allowed"), null);
		connect(target, callback);
	};
}

function direct(
	guard: AddressGuard,
	dial: buildConnector.connector,
): buildConnector.connector {
	return (target, callback) => {
		if (isIP(target.hostname) === 0) return dial(target, callback);
		guard(target.hostname).then(
			() => dial(target, callback),
			(error: Error) => callback(error, null),
		);
	};
}

function through(
	proxy: EgressProxy,
	guard: AddressGuard,
	dial: buildConnector.connector,
): buildConnector.connector {
	return (target, callback) => {
		guard(target.hostname)
			.then((addresses) => proxy.tunnel(addresses, portFrom(target)))
			.then(
				(socket) =>
					target.protocol === "https:"
						? dial({ ...target, httpSocket: socket }, callback)
						: callback(null, socket),
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
