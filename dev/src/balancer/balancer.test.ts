import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "@airtower/platform/testing/eventually";
import { expect, onTestFinished, test } from "vitest";
import { type Backend, openBalancer } from "./balancer.ts";

/** In which a balancer sees that a backend is not ready, ms. */
const LEAVES_MS = 1_000;

async function startBackend(name: string) {
	let isReady = true;
	const server: Server = createServer((request, response) => {
		const isCheck = request.url === "/ready";
		response.writeHead(isCheck && !isReady ? 503 : 200, {
			connection: "close",
		});
		response.end(name);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	const close = () =>
		new Promise<void>((resolve) => {
			server.close(() => resolve());
			server.closeAllConnections();
		});
	onTestFinished(close);
	return {
		backend: { port, readyUrl: `http://127.0.0.1:${port}/ready` },
		leave: () => {
			isReady = false;
		},
		comeBack: () => {
			isReady = true;
		},
		close,
	};
}

async function balancerOf(names: readonly string[], patienceMs = 0) {
	const balancer = await openBalancer({ patienceMs });
	onTestFinished(balancer.close);
	const backends = await Promise.all(names.map(startBackend));
	for (const { backend } of backends) balancer.add(backend);
	const ask = async () => {
		const response = await fetch(`http://127.0.0.1:${balancer.port}/`, {
			headers: { connection: "close" },
		});
		return response.text();
	};
	const add = (backend: Backend) => balancer.add(backend);
	const askOften = () => Promise.all(Array.from({ length: 8 }, ask));
	return { backends, add, askOften };
}

test("new connections go to the backends in turn, and past one that is not ready", async () => {
	const { backends, askOften } = await balancerOf(["a", "b"]);
	expect(new Set(await askOften())).toEqual(new Set(["a", "b"]));
	backends[0]?.leave();
	await eventually(async () =>
		expect(new Set(await askOften())).toEqual(new Set(["b"])),
	);
});

test("a backend that is gone fails no connection while another is there", async () => {
	const { backends, askOften } = await balancerOf(["a", "b"]);
	await backends[1]?.close();
	expect(new Set(await askOften())).toEqual(new Set(["a"]));
});

test("a connection waits for a backend while there is none, as long as the balancer is patient", async () => {
	const { add, askOften } = await balancerOf([], 30_000);
	const asked = askOften();
	const late = await startBackend("late");
	add(late.backend);
	expect(new Set(await asked)).toEqual(new Set(["late"]));
	const impatient = await balancerOf([]);
	await expect(impatient.askOften()).rejects.toThrow("fetch failed");
});

test("while no backend is ready, a connection waits for one and is not given to one that stops", async () => {
	const { backends, askOften } = await balancerOf(["a", "b"], 30_000);
	const [a, b] = backends;
	a?.leave();
	await eventually(async () =>
		expect(new Set(await askOften())).toEqual(new Set(["b"])),
	);
	b?.leave();
	await delay(LEAVES_MS);
	const asked = askOften();
	await delay(LEAVES_MS);
	a?.comeBack();
	expect(new Set(await asked)).toEqual(new Set(["a"]));
});
