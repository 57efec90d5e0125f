import { createAddressGuard } from "@airtower/platform/egress/address-guard";
import type { Resolve } from "@airtower/platform/egress/resolver";
import { createPoster, type Poster } from "../../src/sending/poster.ts";

/** Longer than a busy machine takes for an attempt, ms. */
export const AMPLE_MS = 60_000;

export interface LocalPosterOptions {
	readonly resolve?: Resolve;
	readonly ca?: string;
	readonly timeoutMs?: number;
}

/** Every name is on this machine, unless a resolver says otherwise. */
export function localPoster(options: LocalPosterOptions = {}): Poster {
	return createPoster({
		guard: createAddressGuard({
			resolve: options.resolve ?? (async () => ["127.0.0.1"]),
			rules: { allowPrivateAddresses: true, blockedNetworks: [] },
		}),
		timeoutMs: options.timeoutMs ?? AMPLE_MS,
		ca: options.ca,
	});
}
