import type { TypedClient } from "./client.ts";

/** One row of the contract's endpoint table. */
export interface Row {
	/** As the OpenAPI document names it: "get /contacts". */
	readonly operation: string;
	readonly success: number;
	readonly scope: string;
	/** A request that succeeds, each time it is asked for. */
	request(owner: Owner): Promise<ApiRequest> | ApiRequest;
	/** Queries or bodies that are 400, with the field that is named. */
	readonly invalid: readonly Invalid[];
	/** The response to an id that nobody has. */
	readonly unknown?: { readonly path: string; readonly code: string };
	/** A DELETE of which the second one changes nothing and gets the same response. */
	readonly isRepeatable?: true;
	/** True for a POST that changes nothing and does not look at an Idempotency-Key. */
	readonly takesNoKey?: boolean;
	/** True for a table in place of JSON. */
	readonly isCsv?: true;
	/** A body that is 409 the second time. */
	readonly conflict?: () => Record<string, unknown>;
}

export interface ApiRequest {
	readonly path: string;
	readonly body?: Readonly<Record<string, unknown>>;
}

export interface Invalid {
	readonly query?: string;
	readonly body?: Readonly<Record<string, unknown>>;
	readonly field: string;
}

/** Who makes the requests. */
export interface Owner {
	readonly client: TypedClient;
	readonly senderId: string;
	readonly phoneNumberId: string;
}
