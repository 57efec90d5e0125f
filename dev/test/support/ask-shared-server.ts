import { inject } from "vitest";

declare module "vitest" {
	interface ProvidedContext {
		/** Where test files ask for a server that the whole run shares. */
		sharedServersUrl: string;
	}
}

/** Facts of the run's server of this name, which starts when it is asked for first. @throws Error when it does not */
export async function askForSharedServer<T>(name: string): Promise<T> {
	const response = await fetch(`${inject("sharedServersUrl")}/${name}`);
	const text = await response.text();
	if (!response.ok) throw new Error(`No shared ${name}: ${text}`);
	return JSON.parse(text) as T;
}
