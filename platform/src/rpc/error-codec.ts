import {
	type ErrorDetail,
	ErrorDetailSchema,
} from "@airtower/proto/common/v1/error_detail";
import { Code, ConnectError } from "@connectrpc/connect";
import {
	DomainError,
	type ErrorKind,
	unavailable,
} from "../runtime/domain-error.ts";

const CODES: Record<ErrorKind, Code> = {
	invalid: Code.InvalidArgument,
	unauthenticated: Code.Unauthenticated,
	forbidden: Code.PermissionDenied,
	not_found: Code.NotFound,
	conflict: Code.FailedPrecondition,
	exhausted: Code.ResourceExhausted,
	unavailable: Code.Unavailable,
};

const KINDS = new Map<Code, ErrorKind>(
	(Object.keys(CODES) as ErrorKind[]).map((kind) => [CODES[kind], kind]),
);

/** Codes that, without a detail, say that no service could serve the call. */
const UNREACHED: ReadonlySet<Code> = new Set([
	Code.Aborted,
	Code.Canceled,
	Code.DeadlineExceeded,
	Code.ResourceExhausted,
	Code.Unavailable,
]);

export function toConnectError(error: DomainError): ConnectError {
	const { kind, reason, field = "", message } = error;
	return new ConnectError(
		message,
		CODES[kind],
		undefined,
		[{ desc: ErrorDetailSchema, value: { reason, field, message } }],
		error.cause,
	);
}

export function internalError(cause: unknown): ConnectError {
	const { Internal } = Code;
	return new ConnectError(
		"internal error",
		Internal,
		undefined,
		undefined,
		cause,
	);
}

/** Undefined for what is the caller's own internal error: a refused token is not its client's fault. */
export function domainErrorFrom(error: unknown): DomainError | undefined {
	if (error instanceof DomainError) return error;
	if (!(error instanceof ConnectError)) return undefined;
	const [detail] = error.findDetails(ErrorDetailSchema);
	if (detail !== undefined) return fromDetail(error, detail);
	if (!UNREACHED.has(error.code) && !isTransportFault(error)) return undefined;
	return unavailable(
		"service_unavailable",
		"A service that is needed for this request did not respond.",
		{ cause: error },
	);
}

function fromDetail(
	error: ConnectError,
	detail: ErrorDetail,
): DomainError | undefined {
	const kind = KINDS.get(error.code);
	if (kind === undefined) return undefined;
	const { reason, message, field } = detail;
	return new DomainError({
		kind,
		reason,
		message,
		...(field === "" ? {} : { field }),
		cause: error,
	});
}

/** A broken connection may surface as "internal", without a code that a server sent. */
function isTransportFault(error: ConnectError): boolean {
	return error.code === Code.Internal && !error.isWireError;
}
