import { Delays } from "../delays.ts";
import { type Behaviour, findBehaviour, OUTSIDE_WINDOW } from "./behaviour.ts";
import type { CallbackPoster } from "./callback-poster.ts";
import { toStatusChange } from "./changes.ts";
import { type CheckedSend, checkSend } from "./check-send.ts";
import type { InboundStore } from "./inbound-store.ts";
import { type MetaError, metaError } from "./meta-error.ts";
import { type AcceptedSend, newMessageId, type SendLog } from "./send-log.ts";
import type { TemplateStore } from "./template-store.ts";

interface SendParts {
	readonly log: SendLog;
	readonly templates: TemplateStore;
	readonly inbound: InboundStore;
	readonly poster: CallbackPoster;
}

/** "lost": taken, and there will be no response. */
type SendResult =
	| { readonly kind: "taken"; readonly body: object }
	| { readonly kind: "refused"; readonly error: MetaError }
	| { readonly kind: "lost" };

/** Takes or refuses sends as the behaving numbers want it, and plans their statuses. */
export class SendHandler {
	readonly #parts: SendParts;
	readonly #refusals = new Refusals();
	readonly #delays = new Delays();
	refused = 0;

	constructor(parts: SendParts) {
		this.#parts = parts;
	}

	/** The next sends are refused with these errors, in order. */
	readonly refuseNext = (...errors: MetaError[]): void => {
		this.#refusals.scripted.push(...errors);
	};

	readonly take = async (
		phoneNumberId: string,
		body: string,
	): Promise<SendResult> => {
		const request = parseJson(body);
		const send = checkSend(request, this.#parts.templates);
		const error = "code" in send ? send : this.#refusals.next(send);
		if (error === undefined)
			return this.#accept(
				phoneNumberId,
				send as CheckedSend,
				request as object,
			);
		this.refused++;
		return { kind: "refused", error };
	};

	close(): void {
		this.#delays.stop();
	}

	async #accept(
		phoneNumberId: string,
		send: CheckedSend,
		request: object,
	): Promise<SendResult> {
		const behaviour = this.#findBehaviour(phoneNumberId, send);
		const isLost = behaviour.response === "lose";
		const { to, type, opaque, category } = send;
		const entry: AcceptedSend = {
			at: Date.now(),
			id: newMessageId(),
			phoneNumberId,
			to,
			type,
			opaque,
			answered: !isLost,
			request,
		};
		this.#parts.log.append(entry);
		const posted = this.#postStatuses(entry, behaviour, category);
		if (behaviour.statusesFirst) await posted;
		if (isLost) return { kind: "lost" };
		const body = {
			messaging_product: "whatsapp",
			contacts: [{ input: to, wa_id: to }],
			messages: [{ id: entry.id, message_status: "accepted" }],
		};
		return { kind: "taken", body };
	}

	/** A text to a user without an open window is taken, and fails afterwards. */
	#findBehaviour(phoneNumberId: string, send: CheckedSend): Behaviour {
		const isOpen = this.#parts.inbound.isOpen(phoneNumberId, send.to);
		if (send.type === "text" && !isOpen) return OUTSIDE_WINDOW;
		return findBehaviour(send.to);
	}

	async #postStatuses(
		entry: AcceptedSend,
		{ statuses, statusesFirst }: Behaviour,
		category: string,
	): Promise<void> {
		const posts = statuses.map(async (planned) => {
			if (!statusesFirst) await this.#delays.wait(planned.afterMs);
			await this.#parts.poster.post(toStatusChange(entry, planned, category));
		});
		await Promise.all(posts);
	}
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const THROTTLES = 2;

class Refusals {
	readonly #throttled = new Map<string, number>();
	readonly scripted: MetaError[] = [];

	next(send: CheckedSend): MetaError | undefined {
		return this.scripted.shift() ?? this.#byNumber(send);
	}

	#byNumber(send: CheckedSend): MetaError | undefined {
		const { response } = findBehaviour(send.to);
		if (response === "reject")
			return metaError(send.type === "template" ? 132_000 : 131_008);
		if (response !== "throttle") return undefined;
		const key = send.opaque === "" ? send.to : send.opaque;
		const times = (this.#throttled.get(key) ?? 0) + 1;
		this.#throttled.set(key, times);
		return times <= THROTTLES ? metaError(130_429) : undefined;
	}
}
