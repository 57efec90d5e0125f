import { readFile } from "node:fs/promises";

const MAX_SEEN = 3_000;

/** What one check says of one response. */
export interface Finding {
	readonly check: string;
	/** "GET /contacts"; "Stateful tests" for a finding of a chain of requests. */
	readonly operation: string;
	/** Codes of the response's details, else its error's code, else its status. */
	readonly codes: readonly string[];
	/** The request and the response, to be read by people. */
	readonly seen: string;
}

interface Bytes {
	readonly $base64: string;
}

interface Failure {
	readonly name: string;
	readonly failure_info?: {
		readonly failure: { readonly operation: string; readonly message: string };
	};
}

interface Interaction {
	readonly request: {
		readonly method: string;
		readonly uri: string;
		readonly body?: Bytes | null;
	};
	readonly response?: {
		readonly status_code: number;
		readonly content?: Bytes | null;
	} | null;
}

interface Recorder {
	readonly checks?: Readonly<Record<string, readonly Failure[]>>;
	readonly interactions?: Readonly<Record<string, Interaction>>;
}

export interface RunReport {
	readonly findings: readonly Finding[];
	/** Requests that were sent. */
	readonly requests: number;
	/** What went wrong beside the checks. */
	readonly errors: readonly string[];
}

/** Reads the events of a run, one a line. */
export async function readReport(path: string): Promise<RunReport> {
	const lines = (await readFile(path, "utf8")).split("\n").filter(Boolean);
	const events: Record<string, { readonly recorder?: Recorder }>[] = lines.map(
		(line) => JSON.parse(line),
	);
	const recorders = events.flatMap(
		({ ScenarioFinished }) => ScenarioFinished?.recorder ?? [],
	);
	return {
		findings: recorders.flatMap(findingsIn),
		requests: recorders.reduce(
			(sum, { interactions = {} }) => sum + Object.keys(interactions).length,
			0,
		),
		errors: events.flatMap((event) =>
			"NonFatalError" in event || "FatalError" in event
				? [JSON.stringify(event).slice(0, 2_000)]
				: [],
		),
	};
}

function findingsIn({ checks = {}, interactions = {} }: Recorder): Finding[] {
	return Object.entries(checks).flatMap(([id, results]) =>
		results.flatMap(({ name, failure_info }) => {
			if (failure_info === undefined || failure_info === null) return [];
			const { operation, message } = failure_info.failure;
			const interaction = interactions[id];
			return {
				check: name,
				operation,
				codes: codesIn(interaction),
				seen: `${name}: ${message}\n${textOf(interaction)}`.slice(0, MAX_SEEN),
			};
		}),
	);
}

function codesIn(interaction: Interaction | undefined): readonly string[] {
	const { response } = interaction ?? {};
	try {
		const { error } = JSON.parse(decode(response?.content));
		const details: readonly { code: string }[] = error.details;
		return details.length > 0 ? details.map(({ code }) => code) : [error.code];
	} catch {
		return [String(response?.status_code)];
	}
}

function textOf(interaction: Interaction | undefined): string {
	if (interaction === undefined) return "no request was kept";
	const { request, response } = interaction;
	return [
		`${request.method} ${request.uri} ${decode(request.body)}`,
		`${response?.status_code} ${decode(response?.content)}`,
	].join("\n");
}

function decode(bytes: Bytes | null | undefined): string {
	return Buffer.from(bytes?.$base64 ?? "", "base64").toString();
}
