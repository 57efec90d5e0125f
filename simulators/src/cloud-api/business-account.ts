import { CallbackPoster } from "./callback-poster.ts";
import {
	toInboundChange,
	toPreferenceChange,
	type UserPreference,
} from "./changes.ts";
import type { CloudApiOptions } from "./cloud-api-options.ts";
import { InboundStore } from "./inbound-store.ts";
import { SendHandler } from "./send-handler.ts";
import { newMessageId, SendLog } from "./send-log.ts";
import {
	toTemplateCategoryChange,
	toTemplateStatusChange,
} from "./template-changes.ts";
import { TemplateStore } from "./template-store.ts";

interface InboundText {
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

interface TemplatePatch {
	readonly name: string;
	readonly language: string;
	readonly status?: string | undefined;
	readonly category?: string | undefined;
	/** False: changed without a callback, as Meta sometimes does. */
	readonly notify?: boolean | undefined;
}

export type BusinessAccount = ReturnType<typeof createBusinessAccount>;

export function createBusinessAccount(options: CloudApiOptions) {
	const templates = new TemplateStore(options.templates);
	const poster = new CallbackPoster(options);
	const log = new SendLog(options.logFile);
	const inbound = new InboundStore(options.inboundFile);
	const handler = new SendHandler({ log, templates, inbound, poster });

	/** Resolves with the message's id once the callback is taken. */
	async function receiveText(message: InboundText): Promise<string> {
		const { from, userId, text = "Hello", id = newMessageId() } = message;
		const timestamp = message.timestamp ?? Math.floor(Date.now() / 1_000);
		const [firstNumber = ""] = options.phoneNumberIds;
		const phoneNumberId = message.phoneNumberId ?? firstNumber;
		if (from !== undefined) inbound.add({ phoneNumberId, from, timestamp });
		const received = { id, phoneNumberId, from, userId, text, timestamp };
		await poster.post(toInboundChange(received));
		return id;
	}

	/** Resolves once the callback is taken. */
	async function changePreference(
		preference: Omit<UserPreference, "phoneNumberId" | "timestamp"> &
			Partial<UserPreference>,
	): Promise<void> {
		const [phoneNumberId = ""] = options.phoneNumberIds;
		const timestamp = Math.floor(Date.now() / 1_000);
		const given = { phoneNumberId, timestamp, ...preference };
		await poster.post(toPreferenceChange(given));
	}

	/** False when there is no template of these names. */
	async function changeTemplate(patch: TemplatePatch): Promise<boolean> {
		const { name, language, status, category, notify = true } = patch;
		const template = templates.find(name, language);
		if (template === undefined) return false;
		const before = template.category;
		template.status = status ?? template.status;
		template.category = category ?? before;
		if (notify && status !== undefined)
			await poster.post(toTemplateStatusChange(template));
		if (notify && category !== undefined)
			await poster.post(toTemplateCategoryChange(template, before));
		return true;
	}

	return {
		templates,
		poster,
		receiveText,
		changePreference,
		changeTemplate,
		sends: log.entries,
		refuseNext: handler.refuseNext,
		send: handler.take,
		countRefused: () => handler.refused,
		close(): void {
			handler.close();
			poster.close();
			log.close();
		},
	};
}
