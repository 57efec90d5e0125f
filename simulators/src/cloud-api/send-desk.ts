import { type Behaviour, behaviourOf, OUTSIDE_WINDOW } from "./behaviour.ts";
import type { CallbackPoster } from "./callback-poster.ts";
import { statusChange } from "./changes.ts";
import { type CheckedSend, checkSend } from "./check-send.ts";
import type { InboundBook } from "./inbound-book.ts";
import { newMessageId } from "./message-id.ts";
import { type MetaError, metaError } from "./meta-error.ts";
import type { AcceptedSend, SendLog } from "./send-log.ts";
import type { TemplateBook } from "./template-book.ts";

/** Sends that a throttling number refuses before it takes one. */
const THROTTLES = 2;

/** Takes or refuses sends as the behaving numbers want it, and plans their statuses. */
export class SendDesk {
	readonly #log: SendLog;
	readonly #templates: TemplateBook;
	readonly #poster: CallbackPoster;
	readonly #throttled = new Map<string, number>();
	readonly #inbound: InboundBook;
	readonly #timers = new Set<NodeJS.Timeout>();
	/** Refusals to come, for every number. */
	#refusals: MetaError[] = [];
	#refused = 0;

	/** Texts to users without an open window in `inbound` are taken, and fail afterwards. */
	constructor(
		log: SendLog,
		templates: TemplateBook,
		inbound: InboundBook,
		poster: CallbackPoster,
	) {
		this.#log = log;
		this.#inbound = inbound;
		this.#templates = templates;
		this.#poster = poster;
	}

	/** Sends that were answered with an error. */
	get refused(): number {
		return this.#refused;
	}

	/** The next sends are refused with these errors, in order. */
	refuseNext(...errors: MetaError[]): void {
		this.#refusals.push(...errors);
	}

	/** Answers Meta's success body, its error, or that the answer is lost. */
	async take(
		phoneNumberId: string,
		body: string,
	): Promise<object | MetaError | "lost"> {
		const request = parseJson(body);
		const send = checkSend(request, this.#templates);
		const refusal =
			"code" in send ? send : (this.#refusals.shift() ?? this.#refusal(send));
		if (refusal !== undefined) {
			this.#refused++;
			return refusal;
		}
		if ("code" in send) return send;
		return this.#accept(phoneNumberId, send, request);
	}

	close(): void {
		for (const timer of this.#timers) clearTimeout(timer);
	}

	#refusal(send: CheckedSend): MetaError | undefined {
		const { answer } = behaviourOf(send.to);
		if (answer === "reject")
			return metaError(send.type === "template" ? 132_000 : 131_008);
		if (answer !== "throttle") return undefined;
		const key = send.opaque === "" ? send.to : send.opaque;
		const times = (this.#throttled.get(key) ?? 0) + 1;
		this.#throttled.set(key, times);
		return times <= THROTTLES ? metaError(130_429) : undefined;
	}

	async #accept(
		phoneNumberId: string,
		send: CheckedSend,
		request: unknown,
	): Promise<object | "lost"> {
		const behaviour = this.#behaviour(phoneNumberId, send);
		const isLost = behaviour.answer === "lose";
		const entry: AcceptedSend = {
			at: Date.now(),
			id: newMessageId(),
			...{ phoneNumberId, to: send.to, type: send.type, opaque: send.opaque },
			answered: !isLost,
			request: request as object,
		};
		this.#log.append(entry);
		const told = this.#planStatuses(entry, behaviour, send.category);
		if (behaviour.statusesFirst) await told;
		if (isLost) return "lost";
		return {
			messaging_product: "whatsapp",
			contacts: [{ input: send.to, wa_id: send.to }],
			messages: [{ id: entry.id, message_status: "accepted" }],
		};
	}

	#behaviour(phoneNumberId: string, send: CheckedSend): Behaviour {
		const isOpen = this.#inbound.isOpen(phoneNumberId, send.to);
		if (send.type === "text" && !isOpen) return OUTSIDE_WINDOW;
		return behaviourOf(send.to);
	}

	/** Resolves when all statuses are taken. */
	async #planStatuses(
		entry: AcceptedSend,
		{ statuses, statusesFirst }: Behaviour,
		category: string,
	): Promise<void> {
		const posts = statuses.map((planned) => {
			const post = () =>
				this.#poster.post(statusChange(entry, planned, category));
			return statusesFirst ? post() : this.#later(planned.afterMs, post);
		});
		await Promise.all(posts);
	}

	#later(ms: number, work: () => Promise<void>): Promise<void> {
		return new Promise((resolve) => {
			const timer = setTimeout(() => {
				this.#timers.delete(timer);
				void work().then(resolve);
			}, ms);
			this.#timers.add(timer);
		});
	}
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
