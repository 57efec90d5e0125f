import type { Telemetry } from "./telemetry.ts";

/** A request as it is logged: without texts, secrets and whole phone numbers. */
export interface RequestLine {
	readonly organizationId: string;
	readonly createdAt: Date;
	readonly id: string;
	readonly requestId: string;
	readonly method: string;
	/** As the OpenAPI document writes it; null for a path that no operation has. */
	readonly route: string | null;
	readonly path: string;
	readonly status: number;
	readonly durationMs: number;
	readonly apiKeyId: string;
	readonly apiKeyPrefix: string;
	readonly errorCode: string | null;
	readonly details: readonly LoggedDetail[] | null;
	/** Of a refused request. */
	readonly request: { readonly query: unknown; readonly body: unknown } | null;
}

interface LoggedDetail {
	readonly field: string;
	readonly code: string;
}

export interface WaitingLine extends RequestLine {
	/** Requests of the organization before this one that were too many to be logged. */
	readonly omitted: number;
}

/** An organization, and one of its two kinds of lines. */
interface Owner {
	readonly organizationId: string;
	readonly refused: boolean;
}

/** Lines that wait to be stored. */
export interface RequestLog {
	/** Takes a line, which is made only where there is room for it. */
	add(owner: Owner, toLine: () => RequestLine): void;
	/** The oldest ones; they wait on until they are dropped. */
	peek(limit: number): readonly WaitingLine[];
	/**
	 * Forgets the oldest ones, so many, which were stored.
	 * @returns whose lines, of one kind, were stored so many times since it was last told
	 */
	drop(count: number, times: number): readonly Owner[];
}

/**
 * Of one organization, of those that were refused and of the others each. They are stored every second, so that no
 * flood of one organization takes more of the database, and none takes the place of what was refused.
 */
export const MAX_WAITING_OF_ONE = 250;
/** Of all organizations, 30 MB: with a database that is away, those of a hundred. */
const MAX_WAITING = 50_000;

export function createRequestLog({
	requestsNotLogged,
}: Pick<Telemetry, "requestsNotLogged">): RequestLog {
	let waiting: WaitingLine[] = [];
	const waitingOf = new Map<string, number>();
	const storedOf = new Map<string, number>();
	const omitted = new Map<string, number>();

	return {
		add: ({ organizationId, refused }, toLine) => {
			const owner = `${organizationId} ${refused}`;
			const count = waitingOf.get(owner) ?? 0;
			const before = omitted.get(organizationId) ?? 0;
			if (count >= MAX_WAITING_OF_ONE || waiting.length >= MAX_WAITING) {
				omitted.set(organizationId, before + 1);
				requestsNotLogged.inc();
				return;
			}
			waitingOf.set(owner, count + 1);
			if (before > 0) omitted.delete(organizationId);
			waiting.push({ ...toLine(), omitted: before });
		},
		peek: (limit) => waiting.slice(0, limit),
		drop: (count, times) => {
			const due: Owner[] = [];
			for (const line of waiting.slice(0, count)) {
				const { organizationId } = line;
				const refused = isRefused(line.status);
				const owner = `${organizationId} ${refused}`;
				const left = (waitingOf.get(owner) ?? 0) - 1;
				if (left > 0) waitingOf.set(owner, left);
				else waitingOf.delete(owner);
				const stored = (storedOf.get(owner) ?? 0) + 1;
				storedOf.set(owner, stored % times);
				if (stored === times) due.push({ organizationId, refused });
			}
			waiting = waiting.slice(count);
			return due;
		},
	};
}

export function isRefused(status: number): boolean {
	return status >= 400;
}
