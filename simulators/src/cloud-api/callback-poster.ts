import { createHmac } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

/** One item of a callback: what stands in `changes[]`. */
export interface Change {
	readonly field: string;
	readonly value: object;
}

export interface PosterOptions {
	readonly callbackUrl: string;
	readonly appSecret: string;
	readonly wabaId: string;
}

/** Changes in one callback. */
const MAX_BATCH = 50;
const MAX_IN_FLIGHT = 4;
const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 10_000;
const POST_TIMEOUT_MS = 10_000;

interface Waiting {
	readonly change: Change;
	readonly done: () => void;
}

/**
 * Posts signed callbacks, several changes together when they pile up, each again until it is
 * taken with 200: at least once, in no certain order.
 */
export class CallbackPoster {
	readonly #options: PosterOptions;
	readonly #stop = new AbortController();
	#waiting: Waiting[] = [];
	#inFlight = 0;
	#posted = 0;

	constructor(options: PosterOptions) {
		this.#options = options;
	}

	/** Callbacks that were taken with 200. */
	get posted(): number {
		return this.#posted;
	}

	/** Changes that are not yet taken. */
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
		const response = await fetch(this.#options.callbackUrl, {
			method: "POST",
			headers: {
				"content-type": "application/json",
				"x-hub-signature-256": `sha256=${digest}`,
			},
			body,
			signal: AbortSignal.any([
				this.#stop.signal,
				AbortSignal.timeout(POST_TIMEOUT_MS),
			]),
		});
		await response.arrayBuffer();
		return response.status;
	}

	close(): void {
		this.#stop.abort();
	}

	#postNext(): void {
		if (this.#inFlight >= MAX_IN_FLIGHT || this.#waiting.length === 0) return;
		const batch = this.#waiting.slice(0, MAX_BATCH);
		this.#waiting = this.#waiting.slice(MAX_BATCH);
		this.#inFlight++;
		void this.#postUntilTaken(batch).finally(() => {
			this.#inFlight--;
			this.#postNext();
		});
	}

	async #postUntilTaken(batch: readonly Waiting[]): Promise<void> {
		const body = this.#toBody(batch.map(({ change }) => change));
		let pauseMs = FIRST_RETRY_MS;
		while (!this.#stop.signal.aborted) {
			const status = await this.postRaw(body).catch(() => 0);
			if (status === 200) break;
			await delay(pauseMs, undefined, { signal: this.#stop.signal }).catch(
				() => {},
			);
			pauseMs = Math.min(pauseMs * 2, LONGEST_RETRY_MS);
		}
		this.#posted++;
		for (const { done } of batch) done();
	}

	#toBody(changes: readonly Change[]): string {
		return JSON.stringify({
			object: "whatsapp_business_account",
			entry: [
				{
					id: this.#options.wabaId,
					time: Math.floor(Date.now() / 1_000),
					changes,
				},
			],
		});
	}
}
