import type { Submit } from "@airtower/simulators/smsc/submit-log";
import { request } from "undici";
import type { SharedSystem } from "./shared-system.ts";

interface LogPage {
	readonly total: number;
	readonly next: number;
	readonly entries: readonly Submit[];
}

/** How often the operator took each text: the truth outside of the system. */
export async function submitsByText(
	system: SharedSystem,
): Promise<Map<string, number>> {
	const counts = new Map<string, number>();
	for (let from = 0; ; ) {
		const page = await readPage(system, from);
		for (const { status, text } of page.entries)
			if (status === 0) counts.set(text, (counts.get(text) ?? 0) + 1);
		if (page.next >= page.total) return counts;
		from = page.next;
	}
}

async function readPage(system: SharedSystem, from: number): Promise<LogPage> {
	const { body } = await request(`${system.smsc?.controlUrl}/log?from=${from}`);
	return (await body.json()) as LogPage;
}
