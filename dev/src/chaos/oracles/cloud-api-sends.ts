import type { System } from "../../start/system.ts";

interface Page {
	readonly total: number;
	readonly next: number;
	readonly sends: readonly { readonly opaque: string }[];
}

/** How often the simulated Cloud API took each message, by our id. */
export async function readCloudApiSends({
	cloudApi,
}: System): Promise<ReadonlyMap<string, number>> {
	const times = new Map<string, number>();
	for (let from = 0, total = 1; from < total; ) {
		const response = await fetch(`${cloudApi.url}/control/sends?from=${from}`);
		const page = (await response.json()) as Page;
		for (const { opaque } of page.sends)
			times.set(opaque, (times.get(opaque) ?? 0) + 1);
		[from, total] = [page.next, page.total];
	}
	return times;
}
