import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "@airtower/platform/runtime/log";
import { isBindRefusal, statusText } from "../domain/smpp-status.ts";
import type { BindGate } from "./smpp-bind-gate.ts";
import { type Answer, SmppConnection } from "./smpp-connection.ts";
import { reconnectDelay, type SmppLimits } from "./smpp-limits.ts";
import type { Pdu, PduFields } from "./smpp-pdu.ts";
import type { SmppRoute } from "./smpp-route.ts";
import { openSocket } from "./smpp-socket.ts";

export type BindRole = "transceiver" | "transmitter" | "receiver";

export interface BindSetup {
	readonly route: SmppRoute;
	readonly role: BindRole;
	readonly limits: SmppLimits;
	readonly gate: BindGate;
	readonly log: Logger;
	readonly onUp: () => void;
	readonly onDelivery: (pdu: Pdu, connection: SmppConnection) => void;
	readonly onStrayAnswer: (pdu: Pdu) => void;
}

const VERSION = 0x34;

/** Keeps one bind to the operator up: connects, binds, and starts again when it ends. */
export class SmppBind {
	readonly #setup: BindSetup;
	readonly #stopping = new AbortController();
	#running: Promise<void> = Promise.resolve();
	#connection: SmppConnection | undefined;
	/** False while a connection is up that is not bound yet, or no longer takes requests. */
	#usable: boolean = false;
	#lastError: string | undefined;

	constructor(setup: BindSetup) {
		this.#setup = setup;
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

	/** Takes no more requests on this session, and closes it soon: responses on their way may still come. */
	retire(why: string): void {
		const connection = this.#connection;
		if (!this.#usable || connection === undefined) return;
		this.#usable = false;
		this.#setup.log.warn(this.#context(), `SMPP session given up: ${why}`);
		const { goodbyeMs } = this.#setup.limits;
		setTimeout(() => connection.end(why), goodbyeMs).unref();
	}

	async stop(): Promise<void> {
		this.#stopping.abort();
		const connection = this.connection;
		if (connection !== undefined) {
			await this.#goodbye(connection);
			connection.end("stopped");
		} else this.#connection?.destroy("stopped");
		await this.#running;
	}

	async #run(): Promise<void> {
		const { limits } = this.#setup;
		const { signal } = this.#stopping;
		let failures = 0;
		while (!signal.aborted) {
			const boundMs = await this.#session();
			failures = boundMs >= limits.stableAfterMs ? 1 : failures + 1;
			const pause = reconnectDelay(failures, Math.random(), limits);
			await delay(pause, undefined, { signal }).catch(() => undefined);
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

	/**
	 * Connects and binds. Rejects once the connection is closed: its end, which the operator may put off, would be taken
	 * for that of the next one.
	 */
	async #open(closed: PromiseWithResolvers<void>): Promise<void> {
		const { route, limits } = this.#setup;
		const { signal } = this.#stopping;
		const socket = await openSocket(route, limits.connectTimeoutMs, signal);
		const connection = new SmppConnection(socket, limits, {
			onDelivery: (pdu) => this.#setup.onDelivery(pdu, connection),
			onStrayAnswer: this.#setup.onStrayAnswer,
			onUnbind: () => this.retire("the operator unbound"),
			onClose: (why) => {
				this.#down(why);
				closed.resolve();
			},
		});
		this.#connection = connection;
		const answer = await this.#bind(connection);
		const problem = this.#problemOf(answer);
		if (problem === undefined) {
			connection.keepAlive();
			return;
		}
		connection.end(problem);
		await closed.promise;
		throw new Error(problem);
	}

	#bind(connection: SmppConnection): Promise<Answer> {
		const { route, role } = this.#setup;
		const fields: PduFields = {
			system_id: route.systemId,
			password: route.password,
			system_type: route.systemType,
			interface_version: VERSION,
		};
		return new Promise((resolve) =>
			connection.request(`bind_${role}`, fields, resolve),
		);
	}

	#problemOf(answer: Answer): string | undefined {
		if (answer.kind !== "answered") return `no answer to bind: ${answer.why}`;
		const { status } = answer.pdu;
		if (status === 0) return undefined;
		if (!isBindRefusal(status)) return `bind failed: ${statusText(status)}`;
		this.#setup.gate.refuse();
		return `bind refused: ${statusText(status)}`;
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
		this.#setup.log.error(this.#context(), `SMPP bind failed: ${why}`);
	}

	#context() {
		const { route, role } = this.#setup;
		const { code, host, port, systemId } = route;
		return { route: code, host, port, systemId, role };
	}

	#goodbye(connection: SmppConnection): Promise<void> {
		return new Promise((resolve) => {
			setTimeout(resolve, this.#setup.limits.goodbyeMs).unref();
			connection.request("unbind", {}, () => resolve());
		});
	}
}
