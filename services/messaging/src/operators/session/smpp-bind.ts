import type { Socket } from "node:net";
import type { Logger } from "@airtower/platform/runtime/log";
import { createWaker } from "@airtower/platform/runtime/waiting";
import type { SmppRoute } from "../route/smpp-route.ts";
import { type BindRole, requestBind } from "./bind-request.ts";
import { nextFailures, reconnectDelay } from "./reconnect-delay.ts";
import type { BindGate } from "./smpp-bind-gate.ts";
import { SmppConnection } from "./smpp-connection.ts";
import type { SmppLimits } from "./smpp-limits.ts";
import type { Pdu } from "./smpp-pdu.ts";
import { openSocket } from "./smpp-socket.ts";
import { TakenBind } from "./taken-bind.ts";
import { unbind } from "./unbind.ts";

export interface BindSetup {
	readonly route: SmppRoute;
	readonly role: BindRole;
	readonly limits: SmppLimits;
	readonly gate: BindGate;
	readonly log: Logger;
	/** Looked at right before each bind. */
	readonly mayOpen: () => boolean;
	readonly onUp: () => void;
	readonly onDelivery: (pdu: Pdu, connection: SmppConnection) => void;
	readonly onStrayResponse: (pdu: Pdu) => void;
}

/** Keeps one bind to the operator up: connects, binds, and starts again when it ends. */
export class SmppBind {
	readonly #setup: BindSetup;
	readonly #taken: TakenBind;
	readonly #stopping = new AbortController();
	readonly #waker = createWaker(this.#stopping.signal);
	#failures = 0;
	#running: Promise<void> = Promise.resolve();
	#connection: SmppConnection | undefined;
	/** False while a connection is up that is not bound yet, or no longer takes requests. */
	#usable: boolean = false;
	#lastError: string | undefined;

	constructor(setup: BindSetup) {
		this.#setup = setup;
		this.#taken = new TakenBind(setup.limits.takenMs);
	}

	get connection(): SmppConnection | undefined {
		return this.#usable ? this.#connection : undefined;
	}

	/** submit_sm without a response, also those of a connection that takes no new ones. */
	get outstanding(): number {
		return this.#connection?.outstanding ?? 0;
	}

	get canSubmit(): boolean {
		return this.#setup.role !== "receiver";
	}

	get lastError(): string | undefined {
		return this.#lastError;
	}

	start(): void {
		this.#running = this.#run();
	}

	/** Ends the wait before the next attempt, and begins with short ones again. */
	retryNow(): void {
		if (this.connection !== undefined) return;
		this.#failures = 0;
		this.#waker.wake();
	}

	/** Takes no more requests, and closes the session a little later: responses may be on their way. */
	retire(why: string): void {
		const connection = this.#connection;
		if (!this.#usable || connection === undefined) return;
		this.#usable = false;
		this.#setup.log.warn(this.#context(), `SMPP session given up: ${why}`);
		const { unbindTimeoutMs } = this.#setup.limits;
		setTimeout(() => connection.end(why), unbindTimeoutMs).unref();
	}

	/** Takes no more requests, waits so long for the responses to earlier ones, ms, and unbinds. */
	async stop(drainMs = 0): Promise<void> {
		const connection = this.connection;
		this.#usable = false;
		this.#stopping.abort();
		if (connection !== undefined) {
			const { unbindTimeoutMs } = this.#setup.limits;
			await unbind(connection, { drainMs, unbindTimeoutMs });
		} else this.#connection?.destroy("stopped");
		await this.#running;
	}

	async #run(): Promise<void> {
		const { limits } = this.#setup;
		const { signal } = this.#stopping;
		while (!signal.aborted) {
			const boundMs = await this.#session();
			this.#failures = nextFailures(this.#failures, boundMs, limits);
			const pauseMs = reconnectDelay(this.#failures, Math.random(), limits);
			const mostMs = this.#taken.isWaitedOut() ? limits.takenRetryMs : pauseMs;
			await this.#waker.wait(Math.min(pauseMs, mostMs));
			this.#waker.reset();
		}
	}

	async #session(): Promise<number> {
		const closed = Promise.withResolvers<void>();
		try {
			await this.#setup.gate.enter(
				() => this.#open(closed),
				this.#stopping.signal,
			);
		} catch (error) {
			this.#failed(error instanceof Error ? error.message : String(error));
			return 0;
		}
		const boundAt = performance.now();
		this.#up();
		await closed.promise;
		return performance.now() - boundAt;
	}

	/** Connects and binds. Rejects once the connection is closed: its end would be taken for that of the next one. */
	async #open(closed: PromiseWithResolvers<void>): Promise<void> {
		const { route, role, limits, gate, mayOpen } = this.#setup;
		const { signal } = this.#stopping;
		const socket = await openSocket(route, limits.connectTimeoutMs, signal);
		const connection = this.#connect(socket, closed);
		this.#connection = connection;
		if (!mayOpen()) {
			connection.destroy("the lease is over");
			await closed.promise;
			throw new Error("the lease is over");
		}
		const problem = await requestBind(connection, role, route);
		this.#taken.note(problem);
		if (problem === undefined) {
			connection.keepAlive();
			return;
		}
		if (problem.isRefusal && !this.#taken.isWaitedOut()) gate.refuse();
		connection.end(problem.why);
		await closed.promise;
		throw new Error(problem.why);
	}

	#connect(socket: Socket, closed: PromiseWithResolvers<void>): SmppConnection {
		const { limits, onDelivery, onStrayResponse } = this.#setup;
		const connection = new SmppConnection(socket, limits, {
			onDelivery: (pdu) => onDelivery(pdu, connection),
			onStrayResponse,
			onUnbind: () => this.retire("the operator unbound"),
			onClose: (why) => {
				this.#down(why);
				closed.resolve();
			},
		});
		return connection;
	}

	#up(): void {
		this.#lastError = undefined;
		this.#usable = this.#connection !== undefined;
		this.#setup.log.info(this.#context(), "SMPP bound");
		this.#setup.onUp();
	}

	#down(why: string): void {
		const wasUsable = this.#usable;
		this.#usable = false;
		this.#connection = undefined;
		this.#lastError = why;
		if (wasUsable && !this.#stopping.signal.aborted)
			this.#setup.log.warn(this.#context(), `SMPP session ended: ${why}`);
	}

	#failed(why: string): void {
		if (this.#stopping.signal.aborted) return;
		this.#lastError = why;
		const level = this.#taken.isWaitedOut() ? "info" : "error";
		this.#setup.log[level](this.#context(), `SMPP bind failed: ${why}`);
	}

	#context() {
		const { route, role } = this.#setup;
		const { code, host, port, systemId } = route;
		return { route: code, host, port, systemId, role };
	}
}
