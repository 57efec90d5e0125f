import { callApi } from "../demo/public-api.ts";
import { type CallbackBody, startReceiver } from "../receiver.ts";
import type { BenchSystem } from "./bench-system.ts";

/** What a receiver has seen of one load: callbacks by the client reference's prefix. */
export interface CallbackSink {
	/** Forgets all and counts only callbacks of this run from now on. */
	begin(run: string): void;
	/** Distinct messages reported so far. */
	seen(): number;
	/** When each distinct message was first reported, Unix ms, in order of arrival. */
	readonly receivedAtMs: readonly number[];
	/** From the outcome to the first attempt of each distinct message, ms. */
	readonly attemptDelaysMs: readonly number[];
	close(): Promise<void>;
}

/** Registers a local receiver as a webhook endpoint and counts what comes. */
export async function openCallbackSink(
	bench: BenchSystem,
): Promise<CallbackSink> {
	const messages = new Set<string>();
	const receivedAtMs: number[] = [];
	const attemptDelaysMs: number[] = [];
	let prefix = "";
	const receiver = await startReceiver({
		onCallback: ({ body, receivedAt }) => {
			const { data } = JSON.parse(body) as CallbackBody;
			if (data.client_reference?.startsWith(prefix) !== true) return;
			if (messages.has(data.message_id)) return;
			messages.add(data.message_id);
			receivedAtMs.push(receivedAt);
			attemptDelaysMs.push(receivedAt - Date.parse(data.occurred_at));
		},
	});
	const api = { baseUrl: bench.system.baseUrl, apiKey: bench.apiKey };
	const { body } = await callApi<{ webhookEndpoint: { id: string } }>(
		api,
		"POST",
		"/webhooks",
		{
			url: receiver.url,
			subscribed_events: ["message.delivered", "message.failed"],
		},
	);
	return {
		begin(run) {
			prefix = `${run}-`;
			messages.clear();
			receivedAtMs.length = 0;
			attemptDelaysMs.length = 0;
		},
		seen: () => messages.size,
		receivedAtMs,
		attemptDelaysMs,
		close: async () => {
			await callApi(api, "DELETE", `/webhooks/${body.webhookEndpoint.id}`);
			await receiver.close();
		},
	};
}
