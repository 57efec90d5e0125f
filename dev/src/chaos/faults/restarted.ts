import { Agent, get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { startSecond } from "../target/second-process.ts";
import type { Fault, Trial } from "../trial.ts";

/** Of clients between two requests on their connection, ms. */
const PAUSES_MS = [0, 30, 150, 400, 700];
const RESTARTS = { short: 1, long: 10 };

/** 22 */
export const gatewayRestarted: Fault = {
	number: 22,
	name: "one gateway of two restarted under kept-alive requests: none fails",
	act: async (trial) => {
		const { target, load, isLong } = trial;
		const second = await startSecond(target, "gateway");
		const before = load.ledger.failedTries;
		const clients = startClients(trial);
		for (let at = 0; at < RESTARTS[isLong ? "long" : "short"]; at++) {
			await target.restart("gateway");
			await second.restart();
		}
		const { served, failures } = await clients.stop();
		await second.stop();
		const failed = load.ledger.failedTries - before;
		trial.note = `${served} requests of clients with pauses up to ${PAUSES_MS.at(-1)} ms`;
		const all = [...failures, ...(failed > 0 ? load.ledger.failures : [])];
		return all.length === 0
			? []
			: [`${failures.length + failed} requests failed: ${all[0]}`];
	},
};

/** Each with one connection that it keeps, as long as the server lets it. */
function startClients({ target, tenants }: Trial) {
	const stopping = new AbortController();
	const failures: string[] = [];
	let served = 0;
	const headers = { authorization: `Bearer ${tenants.a.apiKey}` };
	const clients = PAUSES_MS.map(async (pauseMs) => {
		const agent = new Agent({ keepAlive: true, maxSockets: 1 });
		while (!stopping.signal.aborted) {
			const url = `${target.apiUrl}/account`;
			const result = await ask(url, { agent, headers });
			if (result === "200") served++;
			else failures.push(result);
			await delay(pauseMs);
		}
		agent.destroy();
	});
	return {
		stop: async () => {
			stopping.abort();
			await Promise.all(clients);
			return { served, failures };
		},
	};
}

/** The status of the response, or what was there in its place. */
function ask(url: string, options: Parameters<typeof get>[1]): Promise<string> {
	return new Promise((resolve) => {
		get(url, options, (response) => {
			response.resume().on("end", () => resolve(`${response.statusCode}`));
		}).on("error", ({ message }) => resolve(message));
	});
}
