import { claimBlock, isFree, listen } from "@airtower/platform/runtime/ports";
import { StartError } from "../processes/start-error.ts";

/** Whoever listens here may choose from the well-known ports. */
const KNOWN_GUARD = 8_100;

export interface PortPicker {
	/** Begins anew: what was picked before may be picked again. */
	forget(): void;
	pick(preferred?: number): Promise<number>;
	/** The well-known port when it is free and no other system that is starting may get it, else another one. */
	pickKnown(port: number): Promise<number>;
	release(): void;
}

/** From a block of its own: two systems that start at the same time must not choose the same ports. */
export async function claimPorts(): Promise<PortPicker> {
	const block = await claimBlock().catch(({ message }: Error) => {
		throw new StartError(message);
	});
	const knownGuard = await listen(KNOWN_GUARD);
	const taken = new Set<number>();

	async function pick(preferred?: number): Promise<number> {
		const first = preferred === undefined ? [] : [preferred];
		for (const port of [...first, ...block.ports])
			if (!taken.has(port) && (await isFree(port))) {
				taken.add(port);
				return port;
			}
		throw new StartError("No free TCP port is left for this system.");
	}

	return {
		forget: () => taken.clear(),
		pick,
		pickKnown: (port) => pick(knownGuard && port),
		release: () => {
			block.release();
			knownGuard?.close();
		},
	};
}
