import { createHmac } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

/** What stands in `changes[]` of a callback. */
export interface Change {
	readonly field: string;
	readonly value: object;
}

interface PosterOptions {
	readonly callbackUrl: string;
	readonly appSecret: string;
	readonly wabaId: string;
}

const MAX_BATCH = 50;
const MAX_IN_FLIGHT = 4;
const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 10_000;
const POST_TIMEOUT_MS = 10_000;

interface Waiting {
	readonly change: Change;
	readonly done: () => void;
}

/** Posts changes together when they pile up, each again until it is taken with 200: at least once, in any order. */
export class CallbackPoster {
	readonly #options: PosterOptions;
	readonly #stop = new AbortController();
	#waiting: Waiting[] = [];
	#inFlight = 0;
	posted = 0;

	constructor(options: PosterOptions) {
		this.#options = options;
	}

	get pending(): number {
		return this.#waiting.length + this.#inFlight;
	}

	/** Resolves once the change is taken. */
	post(change: Change): Promise<void> {
		return new Promise((done) => {
			this.#waiting.push({ change, done });
			this.#postNext();
		});
	}

	/** Posts a body as it is, signed with the app secret or another; resolves with the HTTP status. */
	async postRaw(
		body: string,
		secret = this.#options.appSecret,
	): Promise<number> {
		const digest = createHmac("sha256", secret).update(body).digest("hex");
		const timeout = AbortSignal.timeout(POST_TIMEOUT_MS);
		const response = await fetch(this.#options.callbackUrl, {
			method: "POST",
			headers: {
				"content-type": "application/json",
				"x-hub-signature-256": `sha256=${digest}`,
			},
			body,
			signal: AbortSignal.any([this.#stop.signal, timeout]),
		});
		await response.arrayBuffer();
		return response.status;
	}

	close(): void {
		this.#stop.abort();
	}

	#postNext(): void {
		if (this.#inFlight >= MAX_IN_FLIGHT || this.#waiting.length === 0) return;
		const batch = this.#waiting.splice(0, MAX_BATCH);
		this.#inFlight++;
		void this.#postUntilTaken(batch).finally(() => {
			this.#inFlight--;
			this.#postNext();
		});
	}

	async #postUntilTaken(batch: readonly Waiting[]): Promise<void> {
		const { signal } = this.#stop;
		const changes = batch.map(({ change }) => change);
		const time = Math.floor(Date.now() / 1_000);
		const entry = [{ id: this.#options.wabaId, time, changes }];
		const body = JSON.stringify({ object: "whatsapp_business_account", entry });
		let pauseMs = FIRST_RETRY_MS;
		while (!signal.aborted && (await this.#tryToPost(body)) !== 200) {
			await delay(pauseMs, undefined, { signal }).catch(() => {});
			pauseMs = Math.min(pauseMs * 2, LONGEST_RETRY_MS);
		}
		this.posted++;
		for (const { done } of batch) done();
	}

	#tryToPost(body: string): Promise<number> {
		return this.postRaw(body).catch(() => 0);
	}
}
