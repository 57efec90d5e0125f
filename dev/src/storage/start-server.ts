import { StartError } from "../processes/start-error.ts";
import type { SupervisedProcess } from "../processes/supervised-process.ts";
import type { Assembly } from "../start/assembly.ts";

/** Starts a server of our own, which from then on is kept running. */
export async function startServer<
	S extends { readonly process: SupervisedProcess },
>(
	assembly: Assembly,
	name: "postgres" | "kafka",
	created: Promise<S>,
): Promise<S> {
	try {
		const server = await created;
		assembly.processes.set(name, server.process);
		await server.process.start();
		return server;
	} catch (error) {
		throw error instanceof Error ? new StartError(error.message) : error;
	}
}
