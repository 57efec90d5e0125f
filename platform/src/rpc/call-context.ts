import { createContextKey } from "@connectrpc/connect";
import type { Caller } from "./caller-token.ts";

/** One served call, from its headers to its last byte. */
export interface CallRecord {
	readonly requestId: string;
	/** True once the handler has returned without an error. */
	succeeded: boolean;
}

export const callRecordKey = createContextKey<CallRecord | undefined>(
	undefined,
	{ description: "call record" },
);

export const callerKey = createContextKey<Caller | undefined>(undefined, {
	description: "verified caller",
});
