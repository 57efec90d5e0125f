import type { Socket } from "node:net";
import {
	chooseFirst,
	type HostChoice,
	hasHeld,
	leaveHost,
	seeFirst,
} from "../../domain/host-choice.ts";
import {
	type HostAddress,
	hostsOf,
	hostText,
	isSameHost,
} from "../route/route-hosts.ts";
import type { SmppRoute } from "../route/smpp-route.ts";
import type { LiveRoute } from "./live-route.ts";
import { openSocket } from "./smpp-socket.ts";

/** The hosts of a route as one process finds them, for all of its connections. */
export class RouteHosts {
	readonly #live: LiveRoute;
	readonly #stopping = new AbortController();
	/** That the choice was made for. */
	#route: SmppRoute;
	#choice: HostChoice;
	/** Why the first host was left. */
	#whyLeft: string | undefined;
	/** True from the move of a first connection back until the first host is left. */
	#isTried: boolean = false;
	#isLooking: boolean = false;
	/** A time of `performance.now()`. */
	#nextLookAt = 0;

	constructor(live: LiveRoute) {
		this.#live = live;
		this.#route = live.route;
		this.#choice = this.#first();
	}

	/** Where the next connection goes. */
	get next(): HostAddress {
		const hosts = this.#follow();
		return hosts[this.#choice.at] ?? this.#live.route;
	}

	/** Rejects with the reason. */
	connect({ host, port }: HostAddress, signal: AbortSignal): Promise<Socket> {
		const { route, limits } = this.#live;
		const address = { ...route, host, port };
		return openSocket(address, limits.connectTimeoutMs, signal);
	}

	/**
	 * A host that takes connections and does not respond to binds is left soon, where there is another; else undefined.
	 */
	get bindTimeoutMs(): number | undefined {
		const { route, limits } = this.#live;
		return route.furtherHosts.length > 0 ? limits.connectTimeoutMs : undefined;
	}

	/** A host could not be bound. Returns whether there is a later one to try. */
	leave(host: HostAddress, why: string): boolean {
		const hosts = this.#follow();
		const index = hosts.findIndex((one) => isSameHost(one, host));
		if (index === 0) {
			this.#whyLeft = why;
			this.#isTried = false;
		}
		this.#choice = leaveHost(this.#choice, index, hosts.length);
		return this.#choice.at > 0;
	}

	/** A session at a host is over that was bound for so long, ms. */
	noteHeld(host: HostAddress, heldMs: number): void {
		const isFirst = isSameHost(host, this.#live.route);
		if (isFirst && heldMs >= this.#choice.holdMs) this.#choice = this.#first();
	}

	/** For people: why a connection is at this host; undefined where it is at the first. */
	explain(host: HostAddress): string | undefined {
		const first = this.#live.route;
		if (isSameHost(host, first)) return undefined;
		const why = this.#whyLeft === undefined ? "" : `: ${this.#whyLeft}`;
		return `at ${hostText(host)} instead of ${hostText(first)}${why}`;
	}

	/**
	 * Looks from time to time whether the first host takes connections, while there are some at others.
	 * @param places hosts of the connections that are up
	 */
	async look(places: readonly HostAddress[]): Promise<void> {
		this.#follow();
		const isAway = this.#choice.at > 0 || this.#findAway(places) >= 0;
		const now = performance.now();
		if (!isAway || this.#isLooking || now < this.#nextLookAt) return;
		this.#nextLookAt = now + this.#live.limits.lookAtHostMs;
		this.#isLooking = true;
		const isUp = await this.#isFirstUp();
		this.#isLooking = false;
		this.#choice = seeFirst(this.#choice, isUp, performance.now());
	}

	/**
	 * Which of the connections is to be moved to the first host now: one to try it, and others once one is there.
	 * @param places hosts of the connections that are up
	 */
	findToMove(places: readonly HostAddress[]): number | undefined {
		this.#follow();
		const index = this.#findAway(places);
		if (index < 0 || !hasHeld(this.#choice, performance.now()))
			return undefined;
		const isProven = places.some((place) => this.#isFirst(place));
		if (this.#isTried && !isProven) return undefined;
		this.#isTried = true;
		return index;
	}

	stop(): void {
		this.#stopping.abort();
	}

	async #isFirstUp(): Promise<boolean> {
		try {
			const { signal } = this.#stopping;
			const socket = await this.connect(this.#live.route, signal);
			socket.on("error", () => {}).destroy();
			return true;
		} catch {
			return false;
		}
	}

	#first(): HostChoice {
		return chooseFirst(this.#live.limits.firstHostHeldMs);
	}

	#isFirst(place: HostAddress): boolean {
		return isSameHost(place, this.#live.route);
	}

	#findAway(places: readonly HostAddress[]): number {
		return places.findIndex((place) => !this.#isFirst(place));
	}

	/** A first host that is another one now is tried at once; otherwise the host in use is kept, where it still is one. */
	#follow(): readonly HostAddress[] {
		const { route } = this.#live;
		const hosts = hostsOf(route);
		if (route === this.#route) return hosts;
		const before = hostsOf(this.#route)[this.#choice.at] ?? this.#route;
		const at = hosts.findIndex((host) => isSameHost(host, before));
		this.#choice =
			at >= 0 && isSameHost(this.#route, route)
				? { ...this.#choice, at }
				: this.#first();
		this.#route = route;
		return hosts;
	}
}
