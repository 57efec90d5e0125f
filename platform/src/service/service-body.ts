export interface Server {
	readonly port: number;
	close(): Promise<void>;
}

export interface ServiceBody {
	/** Opened last: `serveRpc`, or a server of the service's own. */
	readonly server: Server;
	/** Closed first, while calls are still served: what no call needs and what is slow to stop. */
	readonly stopBeside?: () => Promise<unknown>;
	/** In this order, after both. */
	readonly stop: readonly (() => Promise<unknown>)[];
}
