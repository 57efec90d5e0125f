import { previewsUnderWay } from "../errors.ts";

/** Previews of one organization that run at a time in a process: messaging has others to serve. */
const MAX_RUNNING = 2;
/** Those that wait for them. */
const MAX_WAITING = 8;

interface Line {
	running: number;
	readonly waiting: (() => void)[];
}

/** Runs the work when it is its turn. Throws unavailable `service_unavailable` where too many wait already. */
export type PreviewLine = <R>(
	organizationId: string,
	work: () => Promise<R>,
) => Promise<R>;

export function createPreviewLine(): PreviewLine {
	const lines = new Map<string, Line>();
	return async (organizationId, work) => {
		const line = lines.get(organizationId) ?? { running: 0, waiting: [] };
		if (line.waiting.length === MAX_WAITING) throw previewsUnderWay();
		lines.set(organizationId, line);
		if (line.running < MAX_RUNNING) line.running++;
		else await new Promise<void>((resolve) => line.waiting.push(resolve));
		try {
			return await work();
		} finally {
			const next = line.waiting.shift();
			if (next !== undefined) next();
			else if (--line.running === 0) lines.delete(organizationId);
		}
	};
}
