import { holdDataDir, type RunState } from "../../src/storage/run-state.ts";

/** Tries to hold each data folder that it is sent and tells whether it does; lets it go when sent none. */
let state: RunState | undefined;

process.on("message", async ({ folder }: { folder?: string }) => {
	if (folder === undefined) await state?.release();
	state = await hold(folder);
	process.send?.(state !== undefined);
});

async function hold(folder: string | undefined): Promise<RunState | undefined> {
	try {
		return folder === undefined ? undefined : await holdDataDir(folder);
	} catch {
		return undefined;
	}
}
