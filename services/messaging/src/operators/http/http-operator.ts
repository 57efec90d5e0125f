import type { Logger } from "@airtower/platform/runtime/log";
import { waitWhile } from "@airtower/platform/runtime/waiting";
import type { UnknownPolicy } from "../../domain/attempt-outcome.ts";
import { type Lane, OTP } from "../../domain/lanes.ts";
import type { PartOutcome, SubmitResult } from "../../domain/submit-result.ts";
import type {
	Operator,
	OperatorHandlers,
	OperatorStatus,
} from "../operator.ts";
import type { OutgoingMessage } from "../outgoing-message.ts";
import type { OperatorRoute } from "../route/operator-route.ts";
import {
	Availability,
	defaultLimits,
	type HttpLimits,
} from "./availability.ts";
import type { Egress } from "./egress.ts";
import type { HttpRoute } from "./http-route.ts";
import { HttpSubmitter } from "./http-submitter.ts";
import { whole } from "./submit-results.ts";

interface HttpOperatorSetup {
	readonly route: HttpRoute;
	readonly log: Logger;
	readonly egress: Egress;
	readonly limits?: Partial<HttpLimits>;
}

const EXPIRY_SWEEP_MS = 500;

export function createHttpOperator(setup: HttpOperatorSetup): Operator {
	return new HttpOperator(setup);
}

/**
 * A request has one message, or as many as the route's `batch` allows; the operator makes the segments. A connection
 * carries one request at a time, so that the connections that this process holds are its window, and bring their shares
 * of the route's rate. None is opened before there is something to send.
 */
class HttpOperator implements Operator {
	readonly #limits: HttpLimits;
	readonly #availability: Availability;
	readonly #submitter: HttpSubmitter;
	readonly #listeners: (() => void)[] = [];
	#onResponse: OperatorHandlers["onResponse"];
	#route: HttpRoute;
	#held: readonly number[] = [];
	#givenUp: readonly number[] = [];
	#sweep: NodeJS.Timeout | undefined;
	#closing: Promise<void> | undefined;

	constructor({ limits, ...setup }: HttpOperatorSetup) {
		this.#route = setup.route;
		this.#limits = { ...defaultLimits, ...limits };
		this.#availability = new Availability(this.#limits);
		this.#submitter = new HttpSubmitter({
			...setup,
			limits: this.#limits,
			availability: this.#availability,
			onChange: () => this.#changed(),
			onResponse: (ms) => this.#onResponse?.(ms),
		});
	}

	get code(): string {
		return this.#route.code;
	}

	get account(): string {
		return this.#route.account;
	}

	/** Operators that list the segments of a message have counted them by themselves. */
	get mayAddParts(): boolean {
		return this.#route.description.response.segments !== undefined;
	}

	get unknownPolicy(): UnknownPolicy {
		return this.#route.unknownPolicy;
	}

	get binds(): number {
		return this.#route.binds;
	}

	get window(): number {
		return this.#submitter.window;
	}

	capacity(lane: Lane = OTP): number {
		return this.#closing === undefined
			? this.#submitter.queue.capacity(lane)
			: 0;
	}

	onCapacity(listener: () => void): void {
		this.#listeners.push(listener);
	}

	async submit(
		message: OutgoingMessage,
		mayWrite: () => boolean = () => true,
	): Promise<SubmitResult> {
		if (this.#closing !== undefined)
			return whole({ kind: "unsent", why: "stopped" });
		if (message.onlyParts !== undefined) return whole(NO_SUCH_PART);
		return this.#submitter.add(message, mayWrite);
	}

	/** Receipts do not come over these connections: the operator calls back. */
	start({ onResponse }: OperatorHandlers): void {
		this.#onResponse = onResponse;
		this.#sweep = setInterval(
			() => this.#submitter.queue.giveBackExpired(),
			EXPIRY_SWEEP_MS,
		);
	}

	change(route: OperatorRoute): void {
		if (route.kind !== "http") throw new Error("An operator keeps its kind.");
		this.#route = route;
		this.#submitter.change(route);
		// An operator that could not be reached, or refused the account, may do neither now.
		this.reconnect();
	}

	hold(slots: readonly number[], mayOpen: () => boolean): void {
		if (this.#closing !== undefined) return;
		this.#givenUp = this.open().filter((slot) => !slots.includes(slot));
		this.#held = [...slots];
		this.#submitter.hold(slots, mayOpen);
		this.#changed();
	}

	/** Which of several connections is still busy makes no difference: as many as there are requests. */
	open(): readonly number[] {
		const busy = this.#submitter.outstanding - this.#held.length;
		return [...this.#held, ...this.#givenUp.slice(0, Math.max(0, busy))];
	}

	reconnect(): void {
		this.#availability.tryNow(performance.now());
		this.#submitter.reconnect();
		this.#submitter.queue.pump();
		this.#changed();
	}

	status(): OperatorStatus {
		const now = performance.now();
		const { isDown, ...waits } = this.#availability.status(now);
		return {
			bound: !isDown && this.#held.length > 0,
			binds: isDown ? 0 : this.#held.length,
			bindsWanted: this.#held.length,
			outstanding: this.#submitter.outstanding,
			queued: this.#submitter.queue.length,
			...waits,
			...this.#submitter.queue.pace.status(now),
		};
	}

	close(): Promise<void> {
		this.#closing ??= this.#close();
		return this.#closing;
	}

	async #close(): Promise<void> {
		this.#submitter.queue.giveBackAll("stopped");
		await waitWhile(
			() => this.#submitter.outstanding > 0,
			this.#limits.drainMs,
		);
		this.#submitter.queue.giveBackAll("stopped");
		clearInterval(this.#sweep);
		await this.#submitter.stop();
	}

	#changed(): void {
		if (this.capacity() === 0) return;
		for (const listener of this.#listeners) listener();
	}
}

/** The operator, or that of another route, has some parts of it, and a request is a whole message. */
const NO_SUCH_PART: PartOutcome = {
	kind: "refused",
	permanent: true,
	reason: "rejected",
	operatorError: "no such part",
};
