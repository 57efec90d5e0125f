import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "@airtower/platform/runtime/log";
import type { PartResult, SubmitResult } from "../domain/submit-result.ts";
import type {
	Operator,
	OperatorHandlers,
	OperatorStatus,
	OutgoingMessage,
} from "./operator.ts";
import { type BindRole, SmppBind } from "./smpp-bind.ts";
import { BindGate } from "./smpp-bind-gate.ts";
import { defaultLimits, type SmppLimits } from "./smpp-limits.ts";
import { type Pdu, textField } from "./smpp-pdu.ts";
import { SmppReceiver } from "./smpp-receiver.ts";
import type { SmppRoute } from "./smpp-route.ts";
import { submitFields } from "./smpp-submit.ts";
import { SmppSubmitter } from "./smpp-submitter.ts";

const ROLES = {
	transceiver: ["transceiver"],
	pair: ["transmitter", "receiver"],
} as const satisfies Record<string, readonly BindRole[]>;

const EXPIRY_SWEEP_MS = 500;
const DRAIN_POLL_MS = 10;

export function createSmppOperator(
	route: SmppRoute,
	log: Logger,
	limits: Partial<SmppLimits> = {},
): Operator {
	return new SmppOperator(route, log, {
		...defaultLimits,
		enquireLinkMs: route.enquireSeconds * 1_000,
		responseTimeoutMs: route.timeoutSeconds * 1_000,
		...limits,
	});
}

class SmppOperator implements Operator {
	readonly code: string;
	readonly account: string;
	readonly window: number;
	readonly #route: SmppRoute;
	readonly #limits: SmppLimits;
	readonly #log: Logger;
	readonly #binds: readonly SmppBind[];
	readonly #submitter: SmppSubmitter;
	readonly #listeners: (() => void)[] = [];
	#receiver: SmppReceiver | undefined;
	#sweep: NodeJS.Timeout | undefined;
	#notice: NodeJS.Immediate | undefined;
	#closing: Promise<void> | undefined;

	constructor(route: SmppRoute, log: Logger, limits: SmppLimits) {
		this.code = route.code;
		this.account = route.account;
		this.window = route.window * route.binds;
		this.#route = route;
		this.#limits = limits;
		this.#log = log;
		this.#binds = this.#createBinds();
		this.#submitter = new SmppSubmitter(route, limits, this.#binds, () =>
			this.#changed(),
		);
	}

	capacity(): number {
		return this.#closing === undefined ? this.#submitter.capacity() : 0;
	}

	onCapacity(listener: () => void): void {
		this.#listeners.push(listener);
	}

	async submit(
		message: OutgoingMessage,
		mayWrite: () => boolean = () => true,
	): Promise<SubmitResult> {
		const all = submitFields(message, this.#route);
		const total = Math.max(1, all.length);
		const wanted = message.onlyParts ?? range(total);
		const inFlight = { refused: false, mayWrite };
		const results = wanted.map((part) => {
			const fields = all[part - 1];
			if (fields === undefined) return noSuchPart(part);
			if (this.#closing !== undefined) return stopped(part);
			return this.#submitter.add(part, fields, inFlight);
		});
		this.#submitter.pump();
		return { total, parts: await Promise.all(results) };
	}

	async start(handlers: OperatorHandlers): Promise<void> {
		const { maxReceiptsInFlight } = this.#limits;
		this.#receiver = new SmppReceiver(
			this.#route,
			maxReceiptsInFlight,
			this.#log,
			handlers,
		);
		this.#sweep = setInterval(
			() => this.#submitter.giveBackExpired(),
			EXPIRY_SWEEP_MS,
		);
		for (const bind of this.#binds) bind.start();
	}

	status(): OperatorStatus {
		const up = this.#binds.filter((bind) => bind.connection !== undefined);
		const pauseMs = this.#submitter.pauseMs;
		const lastError = this.#binds.find((bind) => bind.lastError)?.lastError;
		return {
			bound: up.some((bind) => bind.canSubmit),
			binds: up.length,
			bindsWanted: this.#binds.length,
			outstanding: this.#submitter.outstanding,
			queued: this.#submitter.queued,
			...(pauseMs > 0 && { pausedUntil: new Date(Date.now() + pauseMs) }),
			...(lastError !== undefined && { lastError }),
		};
	}

	close(): Promise<void> {
		this.#closing ??= this.#close();
		return this.#closing;
	}

	async #close(): Promise<void> {
		this.#submitter.giveBackAll("stopped");
		const deadline = performance.now() + this.#limits.drainMs;
		while (this.#isBusy() && performance.now() < deadline)
			await delay(DRAIN_POLL_MS);
		clearInterval(this.#sweep);
		clearImmediate(this.#notice);
		await Promise.all(this.#binds.map((bind) => bind.stop()));
		this.#submitter.stop();
	}

	#isBusy(): boolean {
		const storing = this.#receiver?.inFlight ?? 0;
		return this.#submitter.outstanding > 0 || storing > 0;
	}

	#createBinds(): SmppBind[] {
		const roles = ROLES[this.#route.mode];
		const gate = new BindGate(this.#limits);
		return Array.from({ length: this.#route.binds }, () => roles)
			.flat()
			.map((role) => this.#createBind(role, gate));
	}

	#createBind(role: BindRole, gate: BindGate): SmppBind {
		return new SmppBind({
			route: this.#route,
			role,
			limits: this.#limits,
			gate,
			log: this.#log,
			onUp: () => {
				this.#submitter.pump();
				this.#changed();
			},
			onDelivery: (pdu, connection) => this.#receiver?.take(pdu, connection),
			onStrayAnswer: (pdu) => this.#logStray(pdu),
		});
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
			"SMPP answer to nothing, or too late",
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
