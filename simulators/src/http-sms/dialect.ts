import type { Outcome } from "./behaviour.ts";

/** What an operator's interface looks like on the wire. */
export interface Dialect {
	/** Path of the sends, as a route of Fastify. */
	readonly path: string;
	/** Path of a call that sends nothing and needs the account, as a route of Fastify. */
	readonly checkPath: string;
	/** HTTP status of that call. */
	checkStatus(request: SendRequest): number;
	/** Whether a callback that is not taken comes again. */
	readonly repeatsCallbacks: boolean;
	/** The messages of a request; undefined where the account or its secret is wrong. */
	readSends(request: SendRequest): readonly Send[] | undefined;
	accepted(send: Send, ids: readonly string[]): Reply;
	refused(why: "account" | "reject" | "throttle", send?: Send): Reply;
	/** One response from those to each message. Absent: a request has one message. */
	together?(replies: readonly Reply[]): Reply;
	newId(): string;
	/** How many ids a message gets. */
	countIds(send: Send): number;
	receipt(send: Send, id: string, outcome: Outcome): CallbackRequest;
	/** What brings texts of phones to a URL that the account has set for it. */
	inbound(texts: readonly PhoneText[], url: string): CallbackRequest[];
}

/** What a phone writes to a number of the account's; both with "+" or as a short code. */
export interface PhoneText {
	readonly from: string;
	readonly to: string;
	readonly text: string;
}

export interface SendRequest {
	readonly params: Readonly<Record<string, string>>;
	readonly query: Readonly<Record<string, string>>;
	readonly headers: Readonly<Record<string, unknown>>;
	readonly body: string;
}

export interface Send {
	/** As it was given. */
	readonly to: string;
	readonly from: string;
	readonly text: string;
	readonly callbackUrl: string;
	/** All fields of the request. */
	readonly fields: Readonly<Record<string, unknown>>;
}

export interface Reply {
	readonly status: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body: object;
}

export interface CallbackRequest {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}
