import type { Logger } from "@airtower/platform/runtime/log";
import { waitWhile } from "@airtower/platform/runtime/waiting";
import { currentSpan } from "@airtower/platform/tracing/spans";
import type { UnknownPolicy } from "../domain/attempt-outcome.ts";
import { type Lane, OTP } from "../domain/lanes.ts";
import type { PartResult, SubmitResult } from "../domain/submit-result.ts";
import type { Operator, OperatorHandlers, OperatorStatus } from "./operator.ts";
import type { OutgoingMessage } from "./outgoing-message.ts";
import { needsReconnect } from "./route/needs-reconnect.ts";
import type { OperatorRoute } from "./route/operator-route.ts";
import type { SmppRoute } from "./route/smpp-route.ts";
import { BindPool } from "./session/bind-pool.ts";
import { type LiveRoute, toLiveRoute } from "./session/live-route.ts";
import type { SmppLimits } from "./session/smpp-limits.ts";
import { type Pdu, textField } from "./session/smpp-pdu.ts";
import { SmppReceiver } from "./smpp-receiver.ts";
import { mayAddParts, splitOf, submitFields } from "./smpp-submit.ts";
import { SmppSubmitter } from "./smpp-submitter.ts";

const SWEEP_EVERY_MS = 500;

export function createSmppOperator(
	route: SmppRoute,
	log: Logger,
	limits: Partial<SmppLimits> = {},
): Operator {
	return new SmppOperator(route, log, limits);
}

class SmppOperator implements Operator {
	readonly #log: Logger;
	readonly #limits: Partial<SmppLimits>;
	readonly #live: LiveRoute;
	readonly #pool: BindPool;
	readonly #submitter: SmppSubmitter;
	readonly #listeners: (() => void)[] = [];
	#receiver: SmppReceiver | undefined;
	#onResponse: OperatorHandlers["onResponse"];
	#sweep: NodeJS.Timeout | undefined;
	#notice: NodeJS.Immediate | undefined;
	#closing: Promise<void> | undefined;

	constructor(route: SmppRoute, log: Logger, limits: Partial<SmppLimits>) {
		this.#log = log;
		this.#limits = limits;
		this.#live = toLiveRoute(route, limits);
		const setup = { live: this.#live, log };
		this.#pool = new BindPool({
			...setup,
			onUp: () => {
				this.#submitter.queue.pump();
				this.#changed();
			},
			onDelivery: (pdu, connection) => this.#receiver?.take(pdu, connection),
			onStrayResponse: (pdu) => this.#logStray(pdu),
		});
		const onChange = () => this.#changed();
		this.#submitter = new SmppSubmitter({
			...setup,
			binds: this.#pool,
			onChange,
			onResponse: (ms) => this.#onResponse?.(ms),
		});
	}

	get code(): string {
		return this.#live.route.code;
	}

	get account(): string {
		return this.#live.route.account;
	}

	get mayAddParts(): boolean {
		return mayAddParts(this.#live.route);
	}

	get unknownPolicy(): UnknownPolicy {
		return this.#live.route.unknownPolicy;
	}

	get binds(): number {
		return this.#live.route.binds;
	}

	get window(): number {
		return this.#pool.window;
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
		const all = submitFields(message, this.#live.route);
		const total = Math.max(1, all.length);
		const split = splitOf(all);
		const { onlyParts, partCount = total, split: before = split } = message;
		const isResplit = partCount !== total || before !== split;
		const wanted = isResplit ? range(total) : (onlyParts ?? range(total));
		const span = currentSpan();
		const inFlight = { lane: message.lane, refused: false, mayWrite, span };
		const { sender, attempt } = message;
		const { queue } = this.#submitter;
		const away = queue.postponed(sender, wanted.length, attempt > 1);
		const results = wanted.map((part) => {
			const fields = all[part - 1];
			if (fields === undefined) return noSuchPart(part);
			if (this.#closing !== undefined) return stopped(part);
			if (away !== undefined) return { part, ...away };
			return this.#submitter.add(part, fields, sender, inFlight);
		});
		queue.pump();
		const parts = await Promise.all(results);
		return {
			total,
			parts,
			...(split !== undefined && { split }),
			...(isResplit && { isResplit }),
		};
	}

	start(handlers: OperatorHandlers): void {
		const setup = { live: this.#live, log: this.#log };
		this.#onResponse = handlers.onResponse;
		this.#receiver = new SmppReceiver({ ...handlers, ...setup });
		this.#sweep = setInterval(() => {
			this.#submitter.queue.giveBackExpired();
			void this.#pool.followHosts();
		}, SWEEP_EVERY_MS);
	}

	change(route: OperatorRoute): void {
		if (route.kind !== "smpp") throw new Error("An operator keeps its kind.");
		const isOther = needsReconnect(this.#live.route, route);
		Object.assign(this.#live, toLiveRoute(route, this.#limits));
		if (isOther) this.#pool.renew();
		this.#changed();
	}

	hold(slots: readonly number[], mayOpen: () => boolean): void {
		if (this.#closing !== undefined) return;
		this.#pool.hold(slots, mayOpen);
		this.#submitter.queue.limitTo(this.#pool.rates);
		if (slots.length === 0) this.#submitter.queue.giveBackAll("not bound");
	}

	open(): readonly number[] {
		return this.#pool.open;
	}

	reconnect(): void {
		this.#pool.reconnect();
	}

	status(): OperatorStatus {
		return {
			...this.#pool.status(),
			outstanding: this.#pool.outstanding,
			queued: this.#submitter.queue.length,
			...this.#submitter.queue.pace.status(performance.now()),
		};
	}

	close(): Promise<void> {
		this.#closing ??= this.#close();
		return this.#closing;
	}

	async #close(): Promise<void> {
		this.#submitter.queue.giveBackAll("stopped");
		await waitWhile(() => this.#isBusy(), this.#live.limits.drainMs);
		clearInterval(this.#sweep);
		clearImmediate(this.#notice);
		await this.#pool.stop();
		this.#submitter.queue.stop();
	}

	#isBusy(): boolean {
		const storing = this.#receiver?.inFlight ?? 0;
		return this.#pool.outstanding > 0 || storing > 0;
	}

	#changed(): void {
		this.#notice ??= setImmediate(() => {
			this.#notice = undefined;
			if (this.capacity() === 0) return;
			for (const listener of this.#listeners) listener();
		});
	}

	#logStray(pdu: Pdu): void {
		const { command, status, sequence } = pdu;
		const operatorMessageId = textField(pdu, "message_id");
		this.#log.warn(
			{ route: this.code, command, status, sequence, operatorMessageId },
			"SMPP response to nothing, or too late",
		);
	}
}

const range = (total: number) => Array.from({ length: total }, (_, i) => i + 1);

async function noSuchPart(part: number): Promise<PartResult> {
	return {
		part,
		kind: "refused",
		permanent: true,
		reason: "rejected",
		operatorError: "no such part",
	};
}

async function stopped(part: number): Promise<PartResult> {
	return { part, kind: "unsent", why: "stopped" };
}
