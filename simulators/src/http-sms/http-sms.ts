import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyRequest } from "fastify";
import { createControlServer } from "../control-server.ts";
import { Delays } from "../delays.ts";
import { LogFile } from "../log-file.ts";
import { type Behaviour, findBehaviour } from "./behaviour.ts";
import type {
	CallbackRequest,
	Dialect,
	Reply,
	Send,
	SendRequest,
} from "./dialect.ts";

interface HttpSmsOptions {
	readonly dialect: Dialect;
	readonly host?: string;
	/** 0, the default: any that is free. */
	readonly port?: number;
	/** File to which every part of a message that is taken is appended, one JSON object a line, before the response. */
	readonly logFile?: string;
}

/** A message that was taken, with the ids that it got. */
interface TakenSend extends Send {
	readonly ids: readonly string[];
}

export interface HttpSms {
	/** `http://host:port`. */
	readonly url: string;
	readonly sends: readonly TakenSend[];
	/** Requests so far, those that were refused too. */
	readonly requests: number;
	/** HTTP statuses that callbacks were responded to with, in order; 0 where nobody responded. */
	readonly callbackStatuses: readonly number[];
	/** Responds to the next requests so and takes nothing; "hang" never responds. */
	respondNext(...replies: (Reply | "hang")[]): void;
	/** Content types and bodies of the responses to callbacks, in order. */
	readonly callbackReplies: readonly string[];
	/** Posts a callback and returns the HTTP status. */
	post(callback: CallbackRequest): Promise<number>;
	close(): Promise<void>;
}

const THROTTLED_TIMES = 2;
const FIRST_REPEAT_MS = 100;
const LONGEST_REPEAT_MS = 5_000;
const POST_TIMEOUT_MS = 10_000;

/** An operator that is called over HTTP, with behaving numbers. */
export async function startHttpSms(options: HttpSmsOptions): Promise<HttpSms> {
	const { dialect, host = "127.0.0.1", port = 0 } = options;
	const sends: TakenSend[] = [];
	const scripted: (Reply | "hang")[] = [];
	const callbackStatuses: number[] = [];
	const callbackReplies: string[] = [];
	const throttled = new Map<string, number>();
	const delays = new Delays();
	const log = new LogFile(options.logFile);
	const stop = new AbortController();
	let requests = 0;

	function isThrottled({ to }: Send): boolean {
		const times = throttled.get(to) ?? 0;
		if (findBehaviour(to).response !== "throttle" || times >= THROTTLED_TIMES)
			return false;
		throttled.set(to, times + 1);
		return true;
	}

	/** Undefined for a message whose response is lost. */
	async function take(send: Send): Promise<Reply | undefined> {
		const behaviour = findBehaviour(send.to);
		if (behaviour.response === "reject") return dialect.refused("reject", send);
		const ids = Array.from({ length: dialect.countIds(send) }, dialect.newId);
		const taken = { ...send, ids };
		sends.push(taken);
		logParts(log, taken);
		const reported = report(taken, behaviour);
		if (behaviour.receiptFirst) await reported;
		return behaviour.response === "lose"
			? undefined
			: dialect.accepted(send, ids);
	}

	/** Undefined where the response is lost; what throttles one message throttles the request. */
	async function respond(request: SendRequest): Promise<Reply | undefined> {
		const messages = dialect.readSends(request);
		if (messages === undefined) return dialect.refused("account");
		const early = messages.find(isThrottled);
		if (early !== undefined) return dialect.refused("throttle", early);
		const replies = await Promise.all(messages.map(take));
		const known = replies.filter((reply) => reply !== undefined);
		if (known.length < replies.length) return undefined;
		return known.length === 1 ? known[0] : dialect.together?.(known);
	}

	async function post(callback: CallbackRequest): Promise<number> {
		const { url, headers, body } = callback;
		const timeout = AbortSignal.timeout(POST_TIMEOUT_MS);
		const signal = AbortSignal.any([stop.signal, timeout]);
		const status = await fetch(url, { method: "POST", headers, body, signal })
			.then(async (response) => {
				const type = response.headers.get("content-type");
				callbackReplies.push(`${type} ${await response.text()}`);
				return response.status;
			})
			.catch(() => 0);
		callbackStatuses.push(status);
		return status;
	}

	async function postUntilTaken(callback: CallbackRequest): Promise<void> {
		let pauseMs = FIRST_REPEAT_MS;
		while (!stop.signal.aborted) {
			const status = await post(callback);
			if (status === 200 || !dialect.repeatsCallbacks) return;
			await delay(pauseMs, undefined, { signal: stop.signal }).catch(() => {});
			pauseMs = Math.min(pauseMs * 2, LONGEST_REPEAT_MS);
		}
	}

	async function report(send: TakenSend, behaviour: Behaviour): Promise<void> {
		const { receipts, outcome, receiptDelayMs, receiptFirst } = behaviour;
		if (!receiptFirst) await delays.wait(receiptDelayMs);
		for (let nth = 0; nth < receipts; nth++)
			for (const id of send.ids)
				await postUntilTaken(dialect.receipt(send, id, outcome));
	}

	const app = createControlServer();
	app.get("/control/sends", async () => ({ sends }));
	app.get(dialect.checkPath, async (request, reply) =>
		reply.code(dialect.checkStatus(toSendRequest(request))).send({}),
	);
	app.post(dialect.path, async (request: FastifyRequest, reply) => {
		requests++;
		const next = scripted.shift();
		if (next === "hang") return new Promise(() => {});
		const response = next ?? (await respond(toSendRequest(request)));
		if (response === undefined) {
			request.raw.socket.destroy();
			return new Promise(() => {});
		}
		const { status, headers = {}, body } = response;
		return reply.code(status).headers(headers).send(body);
	});
	await app.listen({ host, port });
	const { port: bound } = app.server.address() as AddressInfo;
	return {
		url: `http://${host}:${bound}`,
		sends,
		get requests() {
			return requests;
		},
		callbackStatuses,
		callbackReplies,
		respondNext: (...replies) => void scripted.push(...replies),
		post,
		close: async () => {
			stop.abort();
			delays.stop();
			await app.close();
			log.close();
		},
	};
}

/** As the simulated SMSC writes its parts; the text is that of the whole message. */
function logParts(log: LogFile, { to, from, text, ids }: TakenSend): void {
	const destination = to.replace("+", "");
	const common = { at: Date.now(), status: 0, source: from, destination, text };
	for (const [index, id] of ids.entries())
		log.append({ ...common, id, part: index + 1, total: ids.length });
	log.flush();
}

function toSendRequest(request: FastifyRequest): SendRequest {
	return {
		params: request.params as Record<string, string>,
		query: request.query as Record<string, string>,
		headers: request.headers,
		body: String(request.body),
	};
}
