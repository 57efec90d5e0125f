import type { PublicApi } from "../demo/public-api.ts";
import { type ApiRequest, openLoadClient } from "./client.ts";
import { type OpenLoop, runOpenLoop } from "./open-loop.ts";

interface SmsLoad extends OpenLoop {
	readonly connections: number;
	/** Begins each client reference. */
	readonly run: string;
}

interface SmsSent {
	readonly total: number;
	/** From the moment that each was due until its response, ms. */
	readonly latenciesMs: readonly number[];
	/** Client references. */
	readonly accepted: ReadonlySet<string>;
	/** A sentence for each message that was not accepted. */
	readonly failures: readonly string[];
}

/** Sends messages at a steady rate, each once. */
export async function sendSms(api: PublicApi, load: SmsLoad): Promise<SmsSent> {
	const { run, connections } = load;
	const client = openLoadClient(connections);
	const accepted = new Set<string>();
	const failures: string[] = [];
	const latenciesMs = await runOpenLoop(load, async (number) => {
		try {
			const request = smsRequest(run, number);
			const { status, text } = await client.post(api, request);
			if (status === 202) accepted.add(toReference(run, number));
			else failures.push(`${status} ${text}`);
		} catch (error) {
			failures.push((error as Error).message);
		}
	});
	await client.close();
	return { total: latenciesMs.length, latenciesMs, accepted, failures };
}

/** Sends as above and returns the latencies, ms. @throws Error when a message was not accepted */
export async function measureSms(
	api: PublicApi,
	load: SmsLoad,
): Promise<readonly number[]> {
	const { total, failures, latenciesMs } = await sendSms(api, load);
	if (failures.length > 0)
		throw new Error(
			`of ${total} messages ${failures.length} were not accepted: ${failures[0]}`,
		);
	return latenciesMs;
}

/** A short message, no two of a run alike: the client reference stands in its text too. */
export function smsRequest(run: string, number: number): ApiRequest {
	const clientReference = toReference(run, number);
	const message = `Your code is ${clientReference}`;
	return {
		path: "/sms/send",
		body: { to: phone(number), message, clientReference },
	};
}

/** A French mobile number. From 1000 on, the last four digits ask the simulators for nothing special. */
export function phone(number: number, lastDigits?: string): string {
	const thousand = String(number % 10_000).padStart(4, "0");
	return `+336${thousand}${lastDigits ?? 1_000 + (number % 9_000)}`;
}

function toReference(run: string, number: number): string {
	return `${run}-${number}`;
}
