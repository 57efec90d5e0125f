import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "@airtower/platform/testing/eventually";
import { expect } from "vitest";
import { type ApiClient, type ApiResponse, apiClient } from "./api.ts";
import type { openLedgers } from "./invariants.ts";
import type { TestOrganization } from "./organization.ts";

const CLIENTS = 32;
/** From the request until its message is due, ms: longer than a request takes on a busy machine. */
const AHEAD_MS = 20_000;
/** A message is canceled so long before it is due, at most, or so long after it, ms. */
const AROUND_MS = 1_000;
const RETRY_MS = 100;

/** Texts of messages, by what the API said last of their cancellation. */
interface CancelRace {
	readonly canceled: readonly string[];
	readonly kept: readonly string[];
}

/**
 * Schedules messages and cancels each of them about when it is due, as a careful client does: it repeats what had no
 * response.
 */
export async function raceCancels(
	baseUrl: string,
	organization: TestOrganization,
	count: number,
): Promise<CancelRace> {
	const client = apiClient(baseUrl, organization.apiKey, 2 * CLIENTS);
	const canceled: string[] = [];
	const kept: string[] = [];
	const numbers = Array.from({ length: count }, (_, nth) => nth).values();
	const cancels: Promise<void>[] = [];
	const runClient = async () => {
		for (const nth of numbers) {
			const { text, id, dueAt } = await schedule(client, nth);
			cancels.push(
				cancelAround(client, id, dueAt).then((isCanceled) => {
					(isCanceled ? canceled : kept).push(text);
				}),
			);
		}
	};
	await Promise.all(Array.from({ length: CLIENTS }, runClient));
	await Promise.all(cancels);
	await client.close();
	return { canceled, kept };
}

/** Waits until each message is delivered or canceled, as the API said, and only the delivered ones are paid for. */
export async function expectRaceEnded(
	ledgers: ReturnType<typeof openLedgers>,
	{ id, quota }: { readonly id: string; readonly quota: number },
	{ canceled, kept }: CancelRace,
	timeoutMs: number,
): Promise<void> {
	const left = quota - kept.length;
	const check = async () => {
		const statuses = await ledgers.statuses(id);
		const { delivered = 0, canceled: taken = 0, ...others } = statuses;
		expect(others).toEqual({});
		expect([delivered, taken]).toEqual([kept.length, canceled.length]);
		expect(await ledgers.accounting(id)).toEqual({
			balance: left,
			ledger: left,
			messages: kept.length,
		});
	};
	await eventually(check, { timeoutMs, everyMs: 500 });
}

/** A request whose time passed before it was accepted is made anew, for a later one. */
async function schedule(client: ApiClient, nth: number) {
	for (let time = 1; ; time++) {
		const text = `later ${nth} ${time}`;
		const dueAt = Date.now() + AHEAD_MS;
		const send_at = new Date(dueAt).toISOString();
		const body = { to: "+33612349999", message: text, send_at };
		const key = { "idempotency-key": text.replaceAll(" ", "-") };
		const sent = await repeat(() => client.post("/sms/send", body, key));
		if (sent.status === 202) {
			const { messageId: id } = sent.body.provider as { messageId: string };
			return { text, id, dueAt };
		}
		if (!sent.text.includes("invalid_send_at"))
			throw new Error(`${text}: ${sent.text}`);
	}
}

/** Returns whether it was canceled. */
async function cancelAround(
	client: ApiClient,
	id: string,
	dueAt: number,
): Promise<boolean> {
	const at = dueAt + (2 * Math.random() - 1) * AROUND_MS;
	await delay(Math.max(0, at - Date.now()));
	const { status, text } = await repeat(() =>
		client.delete(`/sms/messages/${id}`),
	);
	if (status === 200) return true;
	if (status === 409 && text.includes("not_cancelable")) return false;
	throw new Error(`${id}: ${status} ${text}`);
}

/** Until there is a response that is final. */
async function repeat(call: () => Promise<ApiResponse>): Promise<ApiResponse> {
	for (;;) {
		const response = await call().catch(() => undefined);
		const isFinal =
			response !== undefined &&
			response.status < 500 &&
			!response.text.includes("idempotency_key_in_use");
		if (isFinal) return response;
		await delay(RETRY_MS);
	}
}
