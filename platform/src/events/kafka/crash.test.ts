import {
	KafkaJSConnectionError,
	KafkaJSGroupCoordinatorNotFound,
	KafkaJSNonRetriableError,
	KafkaJSNumberOfRetriesExceeded,
	KafkaJSProtocolError,
	KafkaJSSASLAuthenticationError,
} from "kafkajs";
import { describe, expect, it } from "vitest";
import { isFinalCrash } from "./crash.ts";

const refused = Object.assign(new Error("connect ECONNREFUSED"), {
	code: "ECONNREFUSED",
});

/** The library's types leave out the message that its constructors need. */
function thrown(kind: new () => Error): unknown {
	return Reflect.construct(kind, ["reason"]);
}

function refusal(type: string, retriable: boolean): KafkaJSProtocolError {
	const error = Object.assign(new Error(type), { type, retriable, code: 1 });
	return new KafkaJSProtocolError(error);
}

describe("the crash of a consumer", () => {
	it.each([
		["a coordinator not found", thrown(KafkaJSGroupCoordinatorNotFound)],
		["a refused connection", new KafkaJSConnectionError(refused)],
		[
			"exhausted tries",
			new KafkaJSNumberOfRetriesExceeded(refused, {
				retryCount: 6,
				retryTime: 1,
			}),
		],
		["a loading coordinator", refusal("GROUP_LOAD_IN_PROGRESS", true)],
		[
			"a lost membership",
			new KafkaJSNonRetriableError(refusal("ILLEGAL_GENERATION", false)),
		],
		["a broken socket", refused],
		["a session not renewed", refusal("ILLEGAL_SASL_STATE", false)],
	])("is passing for %s", (_name, error) => {
		expect(isFinalCrash(error)).toBe(false);
	});

	it.each([
		[
			"a session time-out that the broker refuses",
			refusal("INVALID_SESSION_TIMEOUT", false),
		],
		["a missing right", refusal("GROUP_AUTHORIZATION_FAILED", false)],
		["a wrong password", thrown(KafkaJSSASLAuthenticationError)],
		["a bug", new TypeError("undefined is not a function")],
		["what is no error", "text"],
	])("is final for %s", (_name, error) => {
		expect(isFinalCrash(error)).toBe(true);
	});
});
