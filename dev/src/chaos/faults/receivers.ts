import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { makeCertificate } from "@airtower/platform/rpc/testing/certificate";
import { callApi } from "../../demo/public-api.ts";
import { addEndpoint } from "../../load/receiver.ts";
import {
	type Behaviour,
	REDIRECT_TARGET,
} from "../../load/receiver-behaviour.ts";
import { until } from "../target/watch.ts";
import type { Fault, Trial } from "../trial.ts";

const BEHAVIOURS: readonly Behaviour[] = [
	...(["hang", "drip", "huge", "redirect", "gone"] as const),
];
const HOLD_MS = { short: 6_000, long: 60_000 };
const DEAD_MS = 60_000;
/** What the webhook service reads of a response, and what a socket may have buffered beyond it. */
const MAX_READ_BYTES = 16 * 1_024 * 1_024;

/** 14 */
export const receiverTrouble: Fault = {
	number: 14,
	name: "receiver hangs, drips, sends 1 GB, redirects, has bad TLS, responds 410",
	act: async (trial) => {
		const { target, tenants, run } = trial;
		const api = { baseUrl: target.system.baseUrl, apiKey: tenants.a.apiKey };
		const unsafe = await startUntrusted();
		const paths = BEHAVIOURS.map((behaviour) => {
			const path = `/${behaviour}/${run}`;
			target.receiver.behave(path, behaviour);
			return path;
		});
		const urls = paths.map((path) => `${target.receiver.url}${path}`);
		const ids: string[] = [];
		for (const url of [...urls, unsafe.url])
			ids.push((await addEndpoint(api, url)).webhookEndpoint.id);
		await delay(HOLD_MS[trial.isLong ? "long" : "short"]);
		const wrong = await judge(trial, paths, unsafe.requests());
		for (const id of ids) await callApi(api, "DELETE", `/webhooks/${id}`);
		await untilDead(trial, ids);
		await unsafe.close();
		return wrong;
	},
};

async function judge(
	{ target, run }: Trial,
	paths: readonly string[],
	untrustedRequests: number,
): Promise<string[]> {
	const { receiver, sql } = target;
	const silent = paths.filter((path) => receiver.eventsAt(path).size === 0);
	const bytes = receiver.bytesSentBy(`/huge/${run}`);
	const attempts = receiver.eventsAt(`/huge/${run}`).size;
	const [gone] = await sql<{ status: string }[]>`
		select status
		from webhooks.endpoints
		where url like ${`%/gone/${run}`}
	`;
	return [
		...silent.map((path) => `nothing was posted to ${path}`),
		...(receiver.eventsAt(REDIRECT_TARGET).size > 0
			? ["a redirect was followed"]
			: []),
		...(untrustedRequests > 0 ? ["a bad certificate was accepted"] : []),
		...(bytes > attempts * MAX_READ_BYTES
			? [`${bytes} bytes were read of ${attempts} responses`]
			: []),
		...(gone?.status === "disabled" ? [] : [`after 410 it is ${gone?.status}`]),
	];
}

/** Whatever was still to be sent to the deleted endpoints is visibly dead. */
async function untilDead(
	{ target: { sql } }: Trial,
	ids: readonly string[],
): Promise<void> {
	await until(
		async () => {
			const [row] = await sql<{ count: number }[]>`
				select count(*)::int as count
				from webhooks.delivery_queue
				where endpoint_id = any (${ids as string[]})
			`;
			return row?.count === 0;
		},
		DEAD_MS,
		"deliveries to deleted endpoints did not end",
	);
}

/** An HTTPS server whose certificate nobody trusts. */
async function startUntrusted() {
	let requests = 0;
	const server = createServer(makeCertificate("untrusted"), (_, response) => {
		requests++;
		response.writeHead(200).end();
	});
	await new Promise<void>((resolve) => {
		server.listen(0, "127.0.0.1", resolve);
	});
	const { port } = server.address() as AddressInfo;
	return {
		url: `https://127.0.0.1:${port}/`,
		requests: () => requests,
		close: () =>
			new Promise<void>((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
