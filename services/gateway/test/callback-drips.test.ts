import { createHmac } from "node:crypto";
import type { Socket } from "node:net";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, expect, test } from "vitest";
import { APP_SECRET } from "./fakes/whatsapp.ts";
import { openSocket, statusesOf, textOf } from "./raw.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
let url: string;

beforeAll(async () => {
	world = await startWorld({ env: { TRUST_PROXY: "127.0.0.1" } });
	url = new URL("/callbacks/whatsapp", world.baseUrl).href;
});
afterAll(() => world.close());

/** A callback whose body does not end; the gateway has begun to read it once it says 100. */
async function drip(address: string, announcedBytes: number) {
	const socket = openSocket(world.baseUrl);
	const text = textOf(socket);
	const begun = new Promise((resolve) => socket.once("data", resolve));
	const head = [
		"POST /callbacks/whatsapp HTTP/1.1",
		"host: x",
		"expect: 100-continue",
		`x-forwarded-for: ${address}`,
		`content-length: ${announcedBytes}`,
	];
	socket.write(`${head.join("\r\n")}\r\n\r\n{`);
	await begun;
	return { socket, text };
}

const dripTimes = (times: number, address: string, announcedBytes: number) =>
	Promise.all(
		Array.from({ length: times }, () => drip(address, announcedBytes)),
	);

async function postGenuine(address: string): Promise<number> {
	const body = Buffer.from("{}");
	const digest = createHmac("sha256", APP_SECRET).update(body).digest("hex");
	const headers = {
		"x-forwarded-for": address,
		"x-hub-signature-256": `sha256=${digest}`,
	};
	return (await fetch(url, { method: "POST", body, headers })).status;
}

const postCrowd = (address: string) =>
	Promise.all(Array.from({ length: 40 }, () => postGenuine(address)));

test.each([
	["few", 1_000],
	["many", 2 * 1_048_576],
])(
	"bodies that announce %s bytes and drip shut out no genuine callback, of their own address neither",
	async (_name, announcedBytes) => {
		const addresses = Array.from({ length: 4 }, (_, nth) => `10.0.0.${nth}`);
		const drips = await Promise.all(
			addresses.map((one) => dripTimes(64, one, announcedBytes)),
		);
		expect(await postGenuine("10.0.0.0")).toBe(200);
		expect(await postGenuine("10.0.0.9")).toBe(200);
		for (const { socket } of drips.flat()) socket.destroy();
	},
);

test.each([
	["that is late", "10.0.1.1", [100, 408], () => {}],
	["that is cut off", "10.0.1.2", [100], (one: Socket) => one.destroy()],
])(
	"a body %s ends its connection within seconds and counts as forged",
	async (_name, address, statuses, treat) => {
		expect(new Set(await postCrowd(address))).toEqual(new Set([200]));
		const drips = await dripTimes(60, address, 1_000);
		for (const { socket } of drips) treat(socket);
		const texts = await Promise.all(drips.map(({ text }) => text));
		expect(new Set(texts.map((text) => `${statusesOf(text)}`))).toEqual(
			new Set([`${statuses}`]),
		);
		await eventually(async () =>
			expect(new Set(await postCrowd(address))).toEqual(new Set([200, 429])),
		);
		expect(await postGenuine(address)).toBe(200);
	},
);
