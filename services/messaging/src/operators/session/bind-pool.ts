import type { OperatorStatus } from "../operator.ts";
import { type BindSetup, SmppBind } from "./smpp-bind.ts";
import { BindGate } from "./smpp-bind-gate.ts";
import type { SmppConnection } from "./smpp-connection.ts";

export interface FreeBind {
	readonly bind: SmppBind;
	readonly connection: SmppConnection;
}

const ROLES = {
	transceiver: ["transceiver"],
	pair: ["transmitter", "receiver"],
} as const;

/** All connections of one route. */
export class BindPool {
	readonly #binds: readonly SmppBind[];
	readonly #submitting: readonly SmppBind[];
	readonly #gate: BindGate;
	readonly #window: number;

	constructor(setup: Omit<BindSetup, "role" | "gate">) {
		const { route, limits } = setup;
		const gate = new BindGate(limits);
		this.#gate = gate;
		this.#window = route.window;
		this.#binds = Array.from({ length: route.binds }, () => ROLES[route.mode])
			.flat()
			.map((role) => new SmppBind({ ...setup, role, gate }));
		this.#submitting = this.#binds.filter((bind) => bind.canSubmit);
	}

	start(): void {
		for (const bind of this.#binds) bind.start();
	}

	/** Tries what is not bound now, also after a refusal of the credentials. */
	reconnect(): void {
		this.#gate.retryNow();
		for (const bind of this.#binds) bind.retryNow();
	}

	async stop(): Promise<void> {
		await Promise.all(this.#binds.map((bind) => bind.stop()));
	}

	/** submit_sm without a response. */
	get outstanding(): number {
		return this.#submitting.reduce((sum, bind) => sum + bind.outstanding, 0);
	}

	/** Free places of all windows. */
	get room(): number {
		return this.#submitting.reduce((sum, bind) => sum + this.#roomOf(bind), 0);
	}

	/** The bind with the most room, if any has some. */
	freest(): FreeBind | undefined {
		let freest: FreeBind | undefined;
		let most = 0;
		for (const bind of this.#submitting) {
			const { connection } = bind;
			const room = this.#roomOf(bind);
			if (connection === undefined || room <= most) continue;
			freest = { bind, connection };
			most = room;
		}
		return freest;
	}

	status(): Pick<
		OperatorStatus,
		"bound" | "binds" | "bindsWanted" | "lastError"
	> {
		const up = this.#binds.filter((bind) => bind.connection !== undefined);
		const lastError = this.#binds.find((bind) => bind.lastError)?.lastError;
		return {
			bound: up.some((bind) => bind.canSubmit),
			binds: up.length,
			bindsWanted: this.#binds.length,
			...(lastError !== undefined && { lastError }),
		};
	}

	#roomOf({ connection }: SmppBind): number {
		return connection === undefined ? 0 : this.#window - connection.outstanding;
	}
}
