import {
	type DestinationStream,
	type Logger,
	pino,
	stdSerializers,
} from "pino";
import { traceIds } from "../tracing/spans.ts";
import { currentRequestId } from "./request-context.ts";

export type { Logger } from "pino";

export interface LoggerOptions {
	readonly service: string;
	readonly level: string;
	readonly destination?: DestinationStream;
}

const SECRET_FIELDS = [
	"authorization",
	"apiKey",
	"api_key",
	"password",
	"secret",
	"signingSecret",
	"token",
	"body",
	"message_template",
	"parameters",
];

export function createLogger(options: LoggerOptions): Logger {
	const settings = {
		level: options.level,
		base: { service: options.service },
		timestamp: () => `,"time":"${new Date().toISOString()}"`,
		serializers: { err: withoutRows },
		formatters: { level: (label: string) => ({ level: label }) },
		mixin: () => {
			const requestId = currentRequestId();
			return { ...(requestId !== undefined && { requestId }), ...traceIds() };
		},
		redact: {
			paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]),
			censor: "[redacted]",
		},
	};
	return options.destination === undefined
		? pino(settings)
		: pino(settings, options.destination);
}

/** What the database says of an error beside its message: it quotes whole rows, bodies included. */
const ROW_FIELDS = ["detail", "where", "query", "parameters", "args"];

function withoutRows(error: unknown): Record<string, unknown> {
	if (!(error instanceof Error)) return { message: String(error) };
	const fields = Object.entries(stdSerializers.err(error));
	return Object.fromEntries(
		fields.filter(([name]) => !ROW_FIELDS.includes(name)),
	);
}
