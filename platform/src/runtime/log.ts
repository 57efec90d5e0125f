import {
	type DestinationStream,
	type Logger,
	pino,
	stdSerializers,
} from "pino";
import { traceIds } from "../tracing/spans.ts";
import { currentRequestId } from "./request-context.ts";

export type { Logger } from "pino";

interface LoggerOptions {
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
	if (options.destination !== undefined)
		return pino(settings, options.destination);
	standardOutput ??= openStandardOutput();
	return pino(settings, standardOutput);
}

/** One for all loggers of the process. */
let standardOutput: DestinationStream | undefined;

/** Lines that may wait for an output that takes none, characters. */
const MOST_WAITING = 4 * 1_048_576;

/**
 * An output that takes nothing, as a file on a full disk, costs lines: no process ends or stands still for them. What
 * waits is written once there is room again.
 */
function openStandardOutput(): DestinationStream {
	const output = pino.destination({ fd: 1, maxLength: MOST_WAITING });
	let isFailing = false;
	output.on("error", () => {
		isFailing = true;
	});
	output.on("write", () => {
		isFailing = false;
	});
	// At its end a process writes what is left, again and again until it is taken.
	process.prependListener("exit", () => {
		if (isFailing) output.destroy();
	});
	return output;
}

/** Trouble that lasts is said again so long after, ms. */
const REPEAT_EVERY_MS = 300_000;
/** Different messages that are remembered. */
const MOST_MESSAGES = 100;

/**
 * Trouble that comes again and again: it is said at once, then each five minutes with its count, and once it is over.
 */
export interface RepeatedTrouble {
	/** A line for each level and error, unless there was one in the last five minutes. */
	tell(level: "warn" | "error", fields: TroubleFields, text: string): void;
	/** Says how often it came, when it came more than once since the last time. */
	over(text: string): void;
}

type TroubleFields = Readonly<Record<string, unknown>> & {
	readonly err: unknown;
};

export function createRepeatedTrouble(
	log: Logger,
	common: Readonly<Record<string, unknown>> = {},
	everyMs = REPEAT_EVERY_MS,
): RepeatedTrouble {
	const toldAt = new Map<string, number>();
	let count = 0;
	return {
		tell(level, fields, text) {
			count++;
			const { err } = fields;
			const key = `${level} ${err instanceof Error ? err.message : err}`;
			const last = toldAt.get(key) ?? Number.NEGATIVE_INFINITY;
			if (performance.now() - last < everyMs) return;
			if (toldAt.size >= MOST_MESSAGES) toldAt.clear();
			toldAt.set(key, performance.now());
			log[level]({ ...common, ...fields, count }, text);
		},
		over(text) {
			if (count > 1) log.info({ ...common, count }, text);
			count = 0;
		},
	};
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
