import { Pool } from "undici";
import type { PublicApi } from "../demo/public-api.ts";

/** Sends messages that differ by their number, over connections with one request in flight each. */
export interface SmsClient {
	/** Sends the message of this number; `onStatus` gets the response's status, or 0 when there was none. */
	send(number: number, onStatus: (status: number) => void): void;
	close(): Promise<void>;
}

/** The client references are `<run>-<number>`. */
export function createSmsClient(
	{ baseUrl, apiKey }: PublicApi,
	connections: number,
	run: string,
): SmsClient {
	const { origin, pathname } = new URL(`${baseUrl}/sms/send`);
	const pool = new Pool(origin, { connections, pipelining: 1 });
	const headers = {
		authorization: `Bearer ${apiKey}`,
		"content-type": "application/json",
	};
	return {
		send(number, onStatus) {
			let status = 0;
			const request = {
				path: pathname,
				method: "POST",
				headers,
				body: toBody(run, number),
			} as const;
			pool.dispatch(request, {
				onRequestStart() {},
				onResponseStart(_controller, statusCode) {
					status = statusCode;
				},
				onResponseData() {},
				onResponseEnd: () => onStatus(status),
				onResponseError: () => onStatus(0),
			});
		},
		close: () => pool.destroy(),
	};
}

/** Recipients end above the digits on which the SMSC simulator acts out trouble. */
function toBody(run: string, number: number): string {
	return JSON.stringify({
		to: `+3361${String(number % 1_000).padStart(3, "0")}${1_000 + (number % 9_000)}`,
		message: `Your code is ${number}`,
		clientReference: `${run}-${number}`,
	});
}
