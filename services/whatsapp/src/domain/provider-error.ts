import type { FailureCode } from "./failure.ts";

export interface ProviderError {
	readonly code: number | undefined;
	readonly subcode?: number | undefined;
	/** 0 when it came in a callback. */
	readonly httpStatus: number;
	readonly isTransient: boolean;
}

type ErrorVerdict =
	| { readonly kind: "retry" }
	/** The number sends too fast: all of its messages wait. */
	| { readonly kind: "throttled" }
	/** Too many to this recipient: all messages to it wait. */
	| { readonly kind: "recipient_paced" }
	| { readonly kind: "failed"; readonly failure: FailureCode }
	/** No message of this number will be taken until somebody mends it. */
	| { readonly kind: "stop_number" };

const RETRY = new Set([1, 2, 131_000, 131_016, 131_057]);
const THROTTLED = new Set([4, 80_007, 130_429]);
const RECIPIENT_PACED = 131_056;
const STOP_NUMBER = new Set([
	0, 3, 10, 33, 190, 368, 131_005, 131_031, 131_037, 131_042, 131_045, 131_048,
	131_064, 133_010,
]);
/** With this subcode the number's id itself is refused: it is wrong, or the token may not use it any more. */
const INVALID_PARAMETER = 100;
const NO_SUCH_OBJECT = 33;
/** The user has stopped marketing messages of the number; we send none, but the provider may take one for such. */
export const MARKETING_STOPPED = 131_050;
const FIRST_PERMISSION_ERROR = 200;
const LAST_PERMISSION_ERROR = 299;

/** Codes about the recipient. Codes about the request or the template, and those not listed, are `rejected`. */
const RECIPIENT_FAILURES: ReadonlyMap<number, FailureCode> = new Map([
	[131_021, "rejected"],
	[131_026, "undeliverable"],
	[131_030, "rejected"],
	[131_049, "blocked"],
	[MARKETING_STOPPED, "blocked"],
	[131_062, "undeliverable"],
	[130_472, "blocked"],
]);

/** Decides on codes alone where there are any: texts of the provider change. Source: Meta's Cloud API error codes. */
export function judgeError(error: ProviderError): ErrorVerdict {
	const { code, subcode, httpStatus, isTransient } = error;
	if (code === RECIPIENT_PACED) return { kind: "recipient_paced" };
	if (code !== undefined) {
		if (THROTTLED.has(code)) return { kind: "throttled" };
		if (RETRY.has(code)) return { kind: "retry" };
		if (stopsNumber(code, subcode)) return { kind: "stop_number" };
		const failure = RECIPIENT_FAILURES.get(code);
		if (failure !== undefined) return { kind: "failed", failure };
	}
	if (isTransient || httpStatus >= 500) return { kind: "retry" };
	if (httpStatus === 429) return { kind: "throttled" };
	if (httpStatus === 401) return { kind: "stop_number" };
	// The provider's refusals have a code: a page of whatever stands before it says nothing of the message.
	if (code === undefined) return { kind: "retry" };
	return { kind: "failed", failure: "rejected" };
}

/** True for what is said of a template: that there is none, or that it is paused, disabled or has other places. */
export function isTemplateError(code: number | undefined): boolean {
	return code !== undefined && code >= 132_000 && code <= 132_999;
}

/** The public reason of a failure that a status callback reports: it is final, whatever its code. */
export function failureFromStatus(code: number | undefined): FailureCode {
	if (code === undefined) return "undeliverable";
	const verdict = judgeError({ code, httpStatus: 0, isTransient: false });
	return verdict.kind === "failed" ? verdict.failure : "operator_error";
}

function stopsNumber(code: number, subcode: number | undefined): boolean {
	if (code === INVALID_PARAMETER) return subcode === NO_SUCH_OBJECT;
	const isPermission =
		code >= FIRST_PERMISSION_ERROR && code <= LAST_PERMISSION_ERROR;
	return isPermission || STOP_NUMBER.has(code);
}
