import kafkajs from "kafkajs";

/** The error classes are not among the names that Node finds in a CommonJS module. */
const {
	KafkaJSError,
	KafkaJSNotImplemented,
	KafkaJSProtocolError,
	KafkaJSSASLAuthenticationError,
	KafkaJSServerDoesNotSupportApiKey,
	KafkaJSUnsupportedMagicByteInMessageSet,
} = kafkajs;

const FINAL_ERRORS = [
	KafkaJSNotImplemented,
	KafkaJSSASLAuthenticationError,
	KafkaJSServerDoesNotSupportApiKey,
	KafkaJSUnsupportedMagicByteInMessageSet,
];

/** Responses that the library takes for final, and that a broker gives while it comes and goes. */
const PASSING_TYPES = new Set([
	"UNKNOWN",
	"BROKER_NOT_AVAILABLE",
	"STALE_BROKER_EPOCH",
	"ILLEGAL_GENERATION",
	"UNKNOWN_MEMBER_ID",
	"REBALANCE_IN_PROGRESS",
	// On a connection whose session could not be renewed.
	"ILLEGAL_SASL_STATE",
]);

/** True for the end of a consumer that joining again would not mend: the broker's refusal, or a bug. */
export function isFinalCrash(error: unknown): boolean {
	if (!(error instanceof Error)) return true;
	if (error.cause !== undefined) return isFinalCrash(error.cause);
	if (error instanceof KafkaJSProtocolError)
		return !error.retriable && !PASSING_TYPES.has(error.type);
	if (error instanceof KafkaJSError)
		return FINAL_ERRORS.some((kind) => error instanceof kind);
	return !("code" in error);
}
