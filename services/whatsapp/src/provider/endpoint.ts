import type { Dispatcher } from "undici";

/** Where and how requests go. */
export interface Endpoint {
	/** With the version. */
	readonly base: string;
	readonly dispatcher: Dispatcher;
	/** For one request and its whole response, ms. */
	readonly timeoutMs: number;
}
