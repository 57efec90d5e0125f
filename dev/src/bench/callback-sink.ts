import type { PublicApi } from "../demo/public-api.ts";
import {
	addEndpoint,
	type CallbackBody,
	startReceiver,
} from "../load/receiver.ts";

/** A customer's endpoint that notes when the first callback of each message came, and how long after its outcome. */
export async function openCallbackSink(target: PublicApi) {
	const messages = new Set<string>();
	const reports: { receivedAt: number; delayMs: number }[] = [];
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
	await addEndpoint(target, receiver.url);
	return {
		/** Forgets all reports; from now on counts only messages whose client reference begins with `<run>-`. */
		begin(run: string, whenReported = () => {}): void {
			prefix = `${run}-`;
			onReport = whenReported;
			messages.clear();
			reports.length = 0;
		},
		reports,
		close: () => receiver.close(),
	};
}
