import { AsyncLocalStorage } from "node:async_hooks";

const requestIds = new AsyncLocalStorage<string>();

export function withRequestId<T>(requestId: string, work: () => T): T {
	return requestIds.run(requestId, work);
}

export function currentRequestId(): string | undefined {
	return requestIds.getStore();
}
