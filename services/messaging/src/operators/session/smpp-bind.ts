import type { Socket } from "node:net";
import type { Logger } from "@airtower/platform/runtime/log";
import { createWaker } from "@airtower/platform/runtime/waiting";
import type { HostAddress } from "../route/route-hosts.ts";
import { type BindRole, requestBind, unbind } from "./bind-request.ts";
import { type BindGate, BindRetries } from "./bind-timing.ts";
import type { LiveRoute } from "./live-route.ts";
import type { RouteHosts } from "./route-hosts.ts";
import { SmppConnection } from "./smpp-connection.ts";
import type { Pdu } from "./smpp-pdu.ts";

export interface BindSetup {
	/** What each new connection is made with. */
	readonly live: LiveRoute;
	readonly role: BindRole;
	readonly gate: BindGate;
	readonly hosts: RouteHosts;
	readonly log: Logger;
	/** Looked at right before each bind. */
	readonly mayOpen: () => boolean;
	readonly onUp: () => void;
	readonly onDelivery: (pdu: Pdu, connection: SmppConnection) => void;
	readonly onStrayResponse: (pdu: Pdu) => void;
}

const SILENT = "no response to enquire_link";

/** Keeps one bind to the operator up: connects, binds, and starts again when it ends. */
export class SmppBind {
	readonly #setup: BindSetup;
	readonly #retries: BindRetries;
	readonly #stopping = new AbortController();
	readonly #waker = createWaker(this.#stopping.signal);
	#running: Promise<void> = Promise.resolve();
	#connection: SmppConnection | undefined;
	#host: HostAddress;
	/** False while a connection is up that is not bound yet, or no longer takes requests. */
	#usable: boolean = false;
	/** True while the operator leaves an enquire_link without a response. */
	#silent: boolean = false;
	#lastError: string | undefined;
	/** End of the wait before the next attempt, a time of `performance.now()`. */
	#waitsUntil = 0;

	constructor(setup: BindSetup) {
		this.#setup = setup;
		this.#retries = new BindRetries(setup.live);
		this.#host = setup.hosts.next;
	}

	get connection(): SmppConnection | undefined {
		return this.#usable && !this.#silent ? this.#connection : undefined;
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

	/** That the connection is to, or the last one was. */
	get host(): HostAddress {
		return this.#host;
	}

	/** Time until the next attempt, ms; undefined while there is a connection, or an attempt to make one. */
	get nextTryMs(): number | undefined {
		if (this.#connection !== undefined) return undefined;
		const ownMs = this.#waitsUntil - performance.now();
		const waitMs = Math.max(ownMs, this.#setup.gate.waitMs);
		return waitMs > 0 ? waitMs : undefined;
	}

	start(): void {
		this.#running = this.#run();
	}

	/** Ends the wait before the next attempt, and begins with short ones again. */
	retryNow(): void {
		if (this.connection !== undefined) return;
		this.#retries.restart();
		this.#waker.wake();
	}

	/** Takes no more requests, and closes the session a little later: responses may be on their way. */
	retire(why: string): void {
		const connection = this.#connection;
		if (!this.#usable || connection === undefined) return;
		this.#usable = false;
		this.#setup.log.warn(this.#context(), `SMPP session given up: ${why}`);
		const { unbindTimeoutMs } = this.#setup.live.limits;
		setTimeout(() => connection.end(why), unbindTimeoutMs).unref();
	}

	/** Takes no more requests, waits so long for the responses to earlier ones, ms, and unbinds. */
	async stop(drainMs = 0): Promise<void> {
		const connection = this.#usable ? this.#connection : undefined;
		this.#usable = false;
		this.#stopping.abort();
		if (connection !== undefined) {
			const { unbindTimeoutMs } = this.#setup.live.limits;
			await unbind(connection, { drainMs, unbindTimeoutMs });
		} else this.#connection?.destroy("stopped");
		await this.#running;
	}

	async #run(): Promise<void> {
		const { signal } = this.#stopping;
		while (!signal.aborted) {
			const { boundMs, problem, mayGoOn } = await this.#session();
			const waitMs = mayGoOn ? 0 : this.#retries.nextWait(boundMs);
			this.#waitsUntil = performance.now() + waitMs;
			if (problem !== undefined) this.#failed(problem);
			await this.#waker.wait(waitMs);
			this.#waitsUntil = 0;
			this.#waker.reset();
		}
	}

	/** Returns once the session is over, or could not be made; `mayGoOn` where another host is to be tried at once. */
	async #session(): Promise<{
		boundMs: number;
		problem?: string;
		mayGoOn: boolean;
	}> {
		const { gate, hosts, live } = this.#setup;
		const closed = Promise.withResolvers<void>();
		try {
			await gate.enter(() => this.#open(closed), this.#stopping.signal);
		} catch (error) {
			const problem = error instanceof Error ? error.message : String(error);
			return { boundMs: 0, problem, mayGoOn: this.#leaveHost(problem) };
		}
		const boundAt = performance.now();
		this.#up();
		await closed.promise;
		const boundMs = performance.now() - boundAt;
		gate.noteHeld(boundMs);
		hosts.noteHeld(this.#host, boundMs);
		const isLost = boundMs < live.limits.stableAfterMs;
		const why = this.#lastError ?? "the session ended";
		return { boundMs, mayGoOn: isLost && this.#leaveHost(why) };
	}

	/** Returns whether the next host may be tried at once; after refused credentials the gate is closed all the same. */
	#leaveHost(problem: string): boolean {
		const { hosts, mayOpen } = this.#setup;
		const isOurs = this.#stopping.signal.aborted || !mayOpen();
		if (isOurs || this.#retries.isTaken()) return false;
		return hosts.leave(this.#host, problem);
	}

	/** Connects and binds. Rejects once the connection is closed: its end would be taken for that of the next one. */
	async #open(closed: PromiseWithResolvers<void>): Promise<void> {
		const { live, role, gate, hosts, mayOpen } = this.#setup;
		this.#host = hosts.next;
		const socket = await hosts.connect(this.#host, this.#stopping.signal);
		const connection = this.#connect(socket, closed);
		this.#connection = connection;
		if (!mayOpen()) {
			connection.destroy("the lease is over");
			await closed.promise;
			throw new Error("the lease is over");
		}
		const mostMs = hosts.bindTimeoutMs;
		const problem = await requestBind(connection, role, live.route, mostMs);
		this.#retries.note(problem);
		if (problem === undefined) {
			gate.admit();
			connection.keepAlive();
			return;
		}
		if (problem.isRefusal && !this.#retries.isTaken()) gate.refuse();
		connection.end(problem.why);
		await closed.promise;
		throw new Error(problem.why);
	}

	#connect(socket: Socket, closed: PromiseWithResolvers<void>): SmppConnection {
		const { live, onDelivery, onStrayResponse } = this.#setup;
		const connection = new SmppConnection(socket, live.limits, {
			onDelivery: (pdu) => onDelivery(pdu, connection),
			onStrayResponse,
			onUnbind: () => this.retire("the operator unbound"),
			onSilence: (isSilent) => this.#noteSilence(connection, isSilent),
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
		this.#silent = false;
		this.#setup.log.info(this.#context(), "SMPP bound");
		this.#setup.onUp();
	}

	/** A peer that stands still may go on: until it is given up, its responses are waited for. */
	#noteSilence(connection: SmppConnection, isSilent: boolean): void {
		if (connection !== this.#connection || !this.#usable) return;
		this.#silent = isSilent;
		const { log, onUp } = this.#setup;
		if (isSilent) {
			this.#lastError = SILENT;
			log.error(this.#context(), `SMPP session down: ${SILENT}`);
			return;
		}
		this.#lastError = undefined;
		log.info(this.#context(), "SMPP session up: the operator responds again");
		onUp();
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
		const level = this.#retries.isTaken() ? "info" : "error";
		const nextTryMs = Math.ceil(this.nextTryMs ?? 0);
		const nextTryAt = new Date(Date.now() + nextTryMs);
		this.#setup.log[level](
			{ ...this.#context(), nextTryAt },
			`SMPP bind failed: ${why}; next try in ${(nextTryMs / 1_000).toFixed(1)} s`,
		);
	}

	#context() {
		const { live, role } = this.#setup;
		const { code, systemId } = live.route;
		return { route: code, ...this.#host, systemId, role };
	}
}
