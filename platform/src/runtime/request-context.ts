import { AsyncLocalStorage } from "node:async_hooks";
import { uuidv7 } from "./ids.ts";

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

const requestIds = new AsyncLocalStorage<string>();

export function withRequestId<T>(requestId: string, work: () => T): T {
	return requestIds.run(requestId, work);
}

/** The caller's id when it is well-formed, a new one otherwise. */
export function toRequestId(given: unknown): string {
	return typeof given === "string" && REQUEST_ID.test(given) ? given : uuidv7();
}

export function currentRequestId(): string | undefined {
	return requestIds.getStore();
}
