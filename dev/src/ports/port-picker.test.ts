import { createServer } from "node:net";
import { isFree } from "@airtower/platform/runtime/ports";
import { expect, test } from "vitest";
import { claimPorts } from "./port-picker.ts";

test("two systems that start together never get the same port", async () => {
	const pickers = await Promise.all(
		Array.from({ length: 20 }, () => claimPorts()),
	);
	const picked = await Promise.all(
		pickers.flatMap(({ pick }) => [pick(), pick(), pick()]),
	);
	expect(new Set(picked).size).toBe(60);
	for (const picker of pickers) picker.release();
});

test("two systems that start together never get the same well-known port", async () => {
	const pickers = [await claimPorts(), await claimPorts(), await claimPorts()];
	const [known = 0] = await Promise.all(pickers.map(({ pick }) => pick()));
	const [, ...others] = pickers;
	const picked = await Promise.all(
		others.map(({ pickKnown }) => pickKnown(known)),
	);
	expect(new Set(picked).size).toBe(2);
	for (const picker of pickers) picker.release();
});

test("a preferred port is taken when it is free, and given once", async () => {
	const picker = await claimPorts();
	const wanted = await picker.pick();
	const server = createServer().listen(wanted, "127.0.0.1");
	const other = await claimPorts();
	expect(await isFree(wanted)).toBe(false);
	expect(await other.pick(wanted)).not.toBe(wanted);
	await new Promise((resolve) => server.close(resolve));
	expect(await other.pick(wanted)).toBe(wanted);
	expect(await other.pick(wanted)).not.toBe(wanted);
	picker.release();
	other.release();
});
