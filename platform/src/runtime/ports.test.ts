import { once } from "node:events";
import { createServer, Server } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { freePort, isFree, portState } from "./ports.ts";

/** Where Linux begins to take ports for outgoing connections; other systems begin higher. */
const FIRST_EPHEMERAL = 32_768;

async function listenOn(port: number): Promise<void> {
	const server = createServer().listen(port, "127.0.0.1");
	onTestFinished(() => {
		server.close();
	});
	await once(server, "listening");
}

test("a free port is given once, and lies where no outgoing connection takes it", async () => {
	const ports = [];
	for (let count = 0; count < 20; count++) ports.push(await freePort());
	expect(new Set(ports).size).toBe(20);
	expect(Math.max(...ports)).toBeLessThan(FIRST_EPHEMERAL);
});

test("a port that has a server is not free", async () => {
	const port = await freePort();
	expect(await isFree(port)).toBe(true);
	await listenOn(port);
	expect(await isFree(port)).toBe(false);
	expect(await portState(port)).toBe("taken");
});

test("a port that the user has no right to is forbidden, not taken", async () => {
	const refusal = Object.assign(new Error("no right"), { code: "EACCES" });
	const listen = vi.spyOn(Server.prototype, "listen");
	onTestFinished(() => listen.mockRestore());
	listen.mockImplementationOnce(function (this: Server) {
		process.nextTick(() => this.emit("error", refusal));
		return this;
	});
	expect(await portState(80)).toBe("forbidden");
});

test("a taken port is passed over", async () => {
	const port = await freePort();
	await listenOn(port + 1);
	expect(await freePort()).not.toBe(port + 1);
});
