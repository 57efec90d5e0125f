import { callApi } from "../demo/public-api.ts";
import { type CallbackBody, startReceiver } from "../receiver.ts";
import type { BenchSystem } from "./bench-system.ts";

/** One message that a callback reported for the first time. */
export interface Report {
	/** Unix ms. */
	readonly receivedAt: number;
	/** From the outcome to the callback, ms. */
	readonly delayMs: number;
}

/** A customer's receiver, which remembers the callbacks of one load. */
export interface CallbackSink {
	/**
	 * Forgets all, and from now on takes the callbacks of messages whose client reference begins with `<run>-`;
	 * `onReport` is called for each message.
	 */
	begin(run: string, onReport?: () => void): void;
	/** One for each message, in order of arrival. */
	readonly reports: readonly Report[];
	close(): Promise<void>;
}

/** Registers a local receiver as a webhook endpoint. */
export async function openCallbackSink({
	target,
}: BenchSystem): Promise<CallbackSink> {
	const messages = new Set<string>();
	const reports: Report[] = [];
	let prefix = "";
	let onReport = () => {};
	const receiver = await startReceiver({
		onCallback: ({ body, receivedAt }) => {
			const { data } = JSON.parse(body) as CallbackBody;
			if (data.client_reference?.startsWith(prefix) !== true) return;
			if (messages.has(data.message_id)) return;
			messages.add(data.message_id);
			const delayMs = receivedAt - Date.parse(data.occurred_at);
			reports.push({ receivedAt, delayMs });
			onReport();
		},
	});
	await callApi(target, "POST", "/webhooks", {
		url: receiver.url,
		subscribed_events: ["message.delivered", "message.failed"],
	});
	return {
		begin(run, then = () => {}) {
			prefix = `${run}-`;
			onReport = then;
			messages.clear();
			reports.length = 0;
		},
		reports,
		close: () => receiver.close(),
	};
}
