import { Readable } from "node:stream";
import type { Logger } from "@airtower/platform/runtime/log";
import { Agent, request } from "undici";
import type { SubmitResult } from "../domain/attempt-outcome.ts";
import { type Endpoint, readLimited } from "./http.ts";
import { listTemplates } from "./list-templates.ts";
import { messageBody } from "./message-body.ts";
import type { OutgoingMessage, Provider } from "./provider.ts";
import { clip, parseSubmitResponse } from "./submit-response.ts";

interface CloudApiOptions {
	/** For example https://graph.facebook.com, without the version. */
	readonly baseUrl: string;
	readonly version: string;
	/** For one request and its whole response, ms. */
	readonly timeoutMs: number;
	readonly log: Logger;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Shorter than servers keep idle connections: one that closes under a request makes it unknown. */
const KEEP_ALIVE_MS = 2_000;
const MAX_RESPONSE_BYTES = 64 * 1_024;

/** Meta's Cloud API over HTTP. Opens as many connections as there are requests in flight. */
export function createCloudApi(options: CloudApiOptions): Provider {
	const { baseUrl, version, timeoutMs, log } = options;
	const dispatcher = new Agent({
		// Over HTTP/2 a server may refuse a request it was sent, and one that is mute at first can block the process.
		allowH2: false,
		connect: { timeout: CONNECT_TIMEOUT_MS },
		keepAliveTimeout: KEEP_ALIVE_MS,
		keepAliveMaxTimeout: KEEP_ALIVE_MS,
		pipelining: 1,
	});
	const base = `${baseUrl.replace(/\/+$/, "")}/${version}`;
	const endpoint = { base, dispatcher, timeoutMs };
	return {
		submit: (message, mayWrite) => submit(endpoint, message, mayWrite),
		listTemplates: (accountId, accessToken) =>
			listTemplates(endpoint, accountId, accessToken, log),
		close: () => dispatcher.destroy(),
	};
}

async function submit(
	{ base, dispatcher, timeoutMs }: Endpoint,
	message: OutgoingMessage,
	mayWrite: () => boolean,
): Promise<SubmitResult> {
	const body = createWatchedBody(
		JSON.stringify(messageBody(message)),
		mayWrite,
	);
	try {
		const response = await request(
			`${base}/${encodeURIComponent(message.providerPhoneNumberId)}/messages`,
			{
				dispatcher,
				method: "POST",
				headers: {
					authorization: `Bearer ${message.accessToken}`,
					"content-type": "application/json",
					"content-length": String(body.bytes.length),
				},
				body: body.stream,
				signal: AbortSignal.timeout(timeoutMs),
			},
		);
		const text = await readLimited(response.body, MAX_RESPONSE_BYTES);
		return parseSubmitResponse(response.statusCode, text);
	} catch (error) {
		const code = (error as { code?: unknown }).code;
		const kind = body.wasRead() ? "unknown" : "unsent";
		return { kind, text: clip(`${String(code)}: ${String(error)}`) };
	}
}

/**
 * The headers go with the first of the body: one that was not read was not sent. An error does not tell: a time-out may
 * end the wait to connect.
 */
function createWatchedBody(text: string, mayWrite: () => boolean) {
	const bytes = Buffer.from(text);
	let wasRead = false;
	const stream = new Readable({
		read() {
			if (!mayWrite())
				return void this.destroy(new Error("no longer this process's to send"));
			wasRead = true;
			this.push(bytes);
			this.push(null);
		},
	});
	return { bytes, stream, wasRead: () => wasRead };
}
