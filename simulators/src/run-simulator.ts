import { z } from "zod";

export const envInt = (min: number, max: number) =>
	z.coerce.number<string>().int().min(min).max(max);

/** A TCP port in the environment; 0 asks the system for a free one. */
export const envPort = () => envInt(0, 65_535);

/** Runs until SIGTERM or SIGINT. A bad setting or a busy port is a message on stderr and exit code 1. */
export async function runSimulator<S extends z.ZodObject>(
	name: string,
	environment: S,
	start: (settings: z.infer<S>) => Promise<{ close(): Promise<void> }>,
): Promise<void> {
	const stopped = new Promise<void>((resolve) => {
		process.once("SIGTERM", resolve);
		process.once("SIGINT", resolve);
	});
	try {
		const running = await start(readSettings(environment));
		await stopped;
		await running.close();
		process.exit(0);
	} catch (error) {
		process.stderr.write(`${name}: ${messageFrom(error)}\n`);
		process.exit(1);
	}
}

function readSettings<S extends z.ZodObject>(environment: S): z.infer<S> {
	const entries = Object.entries(process.env);
	return environment.parse(
		Object.fromEntries(entries.filter(([, value]) => value !== "")),
	);
}

function messageFrom(error: unknown): string {
	if (error instanceof z.ZodError) return z.prettifyError(error);
	return error instanceof Error ? error.message : String(error);
}
