import { type RateShare, rateShare } from "../../domain/bind-share.ts";
import type { OperatorStatus } from "../operator.ts";
import { isSameHost } from "../route/route-hosts.ts";
import { BindGate } from "./bind-timing.ts";
import { RouteHosts } from "./route-hosts.ts";
import { type BindSetup, SmppBind } from "./smpp-bind.ts";
import type { SmppConnection } from "./smpp-connection.ts";

export interface FreeBind {
	readonly bind: SmppBind;
	readonly connection: SmppConnection;
}

/** One of the connections that the operator grants: a bind, or a pair of them. */
interface Slot {
	readonly binds: readonly SmppBind[];
	/** A time of `performance.now()`. */
	readonly heldSince: number;
	isGivenUp: boolean;
}

export const ROLES = {
	transceiver: ["transceiver"],
	pair: ["transmitter", "receiver"],
} as const;

/** The connections of one route that this process holds. */
export class BindPool {
	readonly #setup: Omit<BindSetup, "role">;
	readonly #gate: BindGate;
	readonly #hosts: RouteHosts;
	readonly #slots = new Map<number, Slot>();
	#submitting: readonly SmppBind[] = [];
	#mayOpen = () => false;

	constructor(setup: Omit<BindSetup, "role" | "gate" | "hosts" | "mayOpen">) {
		const gate = new BindGate(setup.live.limits);
		const hosts = new RouteHosts(setup.live);
		this.#gate = gate;
		this.#hosts = hosts;
		this.#setup = { ...setup, gate, hosts, mayOpen: () => this.#mayOpen() };
	}

	/** Keeps up these connections; others are closed once what they have sent is responded to. */
	hold(numbers: readonly number[], mayOpen: () => boolean): void {
		this.#mayOpen = mayOpen;
		for (const [number, slot] of this.#slots)
			if (!slot.isGivenUp && !numbers.includes(number))
				void this.#giveUp(number, slot);
		for (const number of numbers)
			if (!this.#slots.has(number)) this.#slots.set(number, this.#open());
		this.#noteSubmitting();
	}

	/** Numbers of the connections that are owned or not closed yet. */
	get open(): readonly number[] {
		return [...this.#slots.keys()];
	}

	/** Tries what is not bound now, also after a refusal of the credentials. */
	reconnect(): void {
		this.#gate.retryNow();
		for (const { binds } of this.#slots.values())
			for (const bind of binds) bind.retryNow();
	}

	/** Closes the connections once what they have sent is responded to; the next {@link hold} opens them anew. */
	renew(): void {
		this.#gate.retryNow();
		for (const [number, slot] of this.#slots)
			if (!slot.isGivenUp) void this.#giveUp(number, slot);
	}

	/**
	 * Looks whether the first host is to be used again. Connections go back there one after another, each as one that is
	 * given up; the next {@link hold} opens it anew.
	 */
	async followHosts(): Promise<void> {
		if (this.#slots.size === 0 || !this.#mayOpen()) return;
		await this.#hosts.look(this.#places().map(({ host }) => host));
		if (this.#slots.size > this.#owned().length) return;
		const places = this.#places();
		const index = this.#hosts.findToMove(places.map(({ host }) => host));
		const place = index === undefined ? undefined : places[index];
		if (place !== undefined) await this.#giveUp(place.number, place.slot);
	}

	async stop(): Promise<void> {
		this.#hosts.stop();
		const all = [...this.#slots.values()].flatMap(({ binds }) => binds);
		await Promise.all(all.map((bind) => bind.stop()));
	}

	/** Most submit_sm without a response. */
	get window(): number {
		return this.#owned().length * this.#setup.live.route.window;
	}

	/** The part of the route's rates that these connections bring. */
	get rates(): RateShare {
		const { route, limits } = this.#setup.live;
		const until = performance.now() - limits.rateAfterMs;
		const slots = this.#owned().filter(
			([, { heldSince }]) => heldSince <= until,
		);
		return rateShare(
			route,
			slots.map(([number]) => number),
		);
	}

	/** submit_sm without a response. */
	get outstanding(): number {
		return this.#submitting.reduce((sum, bind) => sum + bind.outstanding, 0);
	}

	/** Free slots of all windows. */
	get freeSlots(): number {
		return this.#submitting.reduce(
			(sum, bind) => sum + this.#freeSlotsOf(bind),
			0,
		);
	}

	/** The bind with the most free slots, if any has some. */
	freest(): FreeBind | undefined {
		let freest: FreeBind | undefined;
		let most = 0;
		for (const bind of this.#submitting) {
			const { connection } = bind;
			const freeSlots = this.#freeSlotsOf(bind);
			if (connection === undefined || freeSlots <= most) continue;
			freest = { bind, connection };
			most = freeSlots;
		}
		return freest;
	}

	hasFreeSlot({ bind }: FreeBind): boolean {
		return this.#freeSlotsOf(bind) > 0;
	}

	status(): Pick<
		OperatorStatus,
		"bound" | "binds" | "bindsWanted" | "lastError" | "nextTryAt"
	> {
		const binds = this.#owned().flatMap(([, slot]) => slot.binds);
		const up = binds.filter((bind) => bind.connection !== undefined);
		const lastError =
			binds.find((bind) => bind.lastError)?.lastError ??
			up.map(({ host }) => this.#hosts.explain(host)).find(Boolean);
		const waits = binds.flatMap(({ nextTryMs }) => nextTryMs ?? []);
		return {
			bound: up.some((bind) => bind.canSubmit),
			binds: up.length,
			bindsWanted: binds.length,
			...(lastError !== undefined && { lastError }),
			...(waits.length > 0 && { nextTryAt: secondIn(Math.min(...waits)) }),
		};
	}

	#open(): Slot {
		const binds = ROLES[this.#setup.live.route.mode].map(
			(role) => new SmppBind({ ...this.#setup, role }),
		);
		for (const bind of binds) bind.start();
		return { binds, heldSince: performance.now(), isGivenUp: false };
	}

	async #giveUp(number: number, slot: Slot): Promise<void> {
		slot.isGivenUp = true;
		const { drainMs } = this.#setup.live.limits;
		await Promise.all(slot.binds.map((bind) => bind.stop(drainMs)));
		this.#slots.delete(number);
		this.#noteSubmitting();
	}

	#owned(): [number, Slot][] {
		return [...this.#slots].filter(([, slot]) => !slot.isGivenUp);
	}

	/** Connections that are up, each with a host that it is at: another than the first, where one of a pair is there. */
	#places() {
		return this.#owned().flatMap(([number, slot]) => {
			const { binds } = slot;
			if (binds.some((bind) => bind.connection === undefined)) return [];
			const first = this.#setup.live.route;
			const away = binds.find(({ host }) => !isSameHost(host, first));
			return [{ number, slot, host: away?.host ?? first }];
		});
	}

	#noteSubmitting(): void {
		this.#submitting = [...this.#slots.values()]
			.flatMap(({ binds }) => binds)
			.filter((bind) => bind.canSubmit);
	}

	#freeSlotsOf({ connection }: SmppBind): number {
		return connection === undefined
			? 0
			: this.#setup.live.route.window - connection.outstanding;
	}
}

/** The whole second at or after so many ms from now: who asks twice is told the same. */
function secondIn(ms: number): Date {
	return new Date(Math.ceil((Date.now() + ms) / 1_000) * 1_000);
}
