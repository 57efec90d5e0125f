import { createServer, type Server } from "node:net";
import { freePort } from "@airtower/platform/runtime/ports";
import { afterEach, expect, test } from "vitest";
import { onOwnPorts } from "./on-own-ports.ts";

const strangers: Server[] = [];

afterEach(async () => {
	for (const stranger of strangers.splice(0)) stranger.close();
});

async function takePort(port: number): Promise<void> {
	const stranger = createServer();
	strangers.push(stranger);
	await new Promise<void>((resolve) =>
		stranger.listen(port, "127.0.0.1", resolve),
	);
}

test("other ports are chosen when one was taken between the choice and the start", async () => {
	let choices = 0;
	const { ports } = await onOwnPorts(async () => {
		const [port, second] = [await freePort(), await freePort()];
		const isLost = ++choices === 1;
		if (isLost) await takePort(second);
		const start = async () => {
			if (isLost) throw new Error("Port is taken.");
		};
		return { ports: [port, second], start };
	});
	expect(choices).toBe(2);
	expect(ports).toHaveLength(2);
});

test("other ports are chosen when the one who took one has left it again", async () => {
	let choices = 0;
	const { ports } = await onOwnPorts(async () => {
		const isLost = ++choices === 1;
		const port = await freePort();
		const start = async () => {
			if (isLost) throw new Error(`Port ${port} is taken by another process.`);
		};
		return { ports: [port], start };
	});
	expect(choices).toBe(2);
	expect(ports).toHaveLength(1);
});

test("what fails on free ports is not tried again", async () => {
	let choices = 0;
	const attempt = onOwnPorts(async () => {
		choices++;
		const start = () => Promise.reject(new Error("No such program."));
		return { ports: [await freePort()], start };
	});
	await expect(attempt).rejects.toThrow("No such program.");
	expect(choices).toBe(1);
});

test("a start that was called off is not tried again, though its ports are still taken", async () => {
	let choices = 0;
	const callOff = new AbortController();
	const attempt = onOwnPorts(async () => {
		choices++;
		const port = await freePort();
		const start = async () => {
			await takePort(port);
			callOff.abort(new Error("called off"));
			throw new Error("It failed.");
		};
		return { ports: [port], start };
	}, callOff.signal);
	await expect(attempt).rejects.toThrow("called off");
	expect(choices).toBe(1);
});

test("a machine that takes every port is not tried for ever", async () => {
	let choices = 0;
	const attempt = onOwnPorts(async () => {
		choices++;
		const port = await freePort();
		await takePort(port);
		const start = () => Promise.reject(new Error(`Port ${port} is taken.`));
		return { ports: [port], start };
	});
	await expect(attempt).rejects.toThrow(/^Port \d+ is taken/);
	expect(choices).toBe(4);
});
