import { CallbackPoster } from "./callback-poster.ts";
import {
	toInboundChange,
	toTemplateCategoryChange,
	toTemplateStatusChange,
} from "./changes.ts";
import type { CloudApiOptions } from "./cloud-api-options.ts";
import { InboundStore } from "./inbound-store.ts";
import { newMessageId } from "./message-id.ts";
import type { MetaError } from "./meta-error.ts";
import { SendHandler, type SendResult } from "./send-handler.ts";
import { type AcceptedSend, SendLog } from "./send-log.ts";
import { TemplateStore } from "./template-store.ts";

export interface InboundText {
	/** "Hello" when absent. */
	readonly text?: string | undefined;
	/** Digits; the user hides the number when absent. */
	readonly from?: string | undefined;
	readonly userId?: string | undefined;
	/** The account's first number when absent. */
	readonly phoneNumberId?: string | undefined;
	/** Unix seconds; now when absent. */
	readonly timestamp?: number | undefined;
	readonly id?: string;
}

export interface TemplatePatch {
	readonly name: string;
	readonly language: string;
	readonly status?: string | undefined;
	readonly category?: string | undefined;
	/** False: changed without a callback, as Meta sometimes does. */
	readonly notify?: boolean | undefined;
}

/** A business account with its numbers, templates and messages. */
export class BusinessAccount {
	readonly templates: TemplateStore;
	readonly poster: CallbackPoster;
	readonly #options: CloudApiOptions;
	readonly #log: SendLog;
	readonly #inbound: InboundStore;
	readonly #handler: SendHandler;

	constructor(options: CloudApiOptions) {
		this.#options = options;
		this.templates = new TemplateStore(options.templates);
		this.poster = new CallbackPoster(options);
		this.#log = new SendLog(options.logFile);
		this.#inbound = new InboundStore(options.inboundFile);
		this.#handler = new SendHandler({
			...{ log: this.#log, templates: this.templates },
			...{ inbound: this.#inbound, poster: this.poster },
		});
	}

	/** Everything that was taken, oldest first. */
	get sends(): readonly AcceptedSend[] {
		return this.#log.entries;
	}

	/** Sends that were refused. */
	get refused(): number {
		return this.#handler.refused;
	}

	/** The next sends are refused with these errors, in order. */
	refuseNext(...errors: MetaError[]): void {
		this.#handler.refuseNext(errors);
	}

	/** Takes the body of a request to send. */
	send(phoneNumberId: string, body: string): Promise<SendResult> {
		return this.#handler.take(phoneNumberId, body);
	}

	/** A user writes; resolves with the message's id once the callback is taken. */
	async receiveText(message: InboundText): Promise<string> {
		const { from, userId, text = "Hello", id = newMessageId() } = message;
		const timestamp = message.timestamp ?? Math.floor(Date.now() / 1_000);
		const [firstNumber = ""] = this.#options.phoneNumberIds;
		const phoneNumberId = message.phoneNumberId ?? firstNumber;
		if (from !== undefined)
			this.#inbound.add({ phoneNumberId, from, timestamp });
		const received = { id, phoneNumberId, from, userId, text, timestamp };
		await this.poster.post(toInboundChange(received));
		return id;
	}

	/** Changes a template; false when there is none of these names. */
	async changeTemplate(patch: TemplatePatch): Promise<boolean> {
		const { name, language, status, category, notify = true } = patch;
		const template = this.templates.find(name, language);
		if (template === undefined) return false;
		const before = template.category;
		template.status = status ?? template.status;
		template.category = category ?? before;
		if (notify && status !== undefined)
			await this.poster.post(toTemplateStatusChange(template));
		if (notify && category !== undefined)
			await this.poster.post(toTemplateCategoryChange(template, before));
		return true;
	}

	close(): void {
		this.#handler.close();
		this.poster.close();
		this.#log.close();
	}
}
