import type { Dispatcher } from "undici";

export interface Endpoint {
	/** With the version. */
	readonly base: string;
	readonly dispatcher: Dispatcher;
	readonly timeoutMs: number;
}
