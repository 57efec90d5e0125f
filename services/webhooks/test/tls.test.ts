import { readFile } from "node:fs/promises";
import { beforeEach, describe, expect, it } from "vitest";
import type { Poster } from "../src/sending/poster.ts";
import { localPoster } from "./support/poster.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";

const read = (name: string) =>
	readFile(new URL(`./support/${name}`, import.meta.url), "utf8");
const tls = {
	cert: await read("receiver.cert.pem"),
	key: await read("receiver.key.pem"),
};
let secure: Receiver;
let trusting: Poster;
let doubting: Poster;

beforeEach(async () => {
	secure = await startReceiver(tls);
	trusting = localPoster({ ca: tls.cert });
	doubting = localPoster();
	return async () => {
		await Promise.all([trusting.close(), doubting.close()]);
		await secure.close();
	};
});

const urlOf = (name: string) => `https://${name}:${secure.port}/hook`;
const post = (url: string, from: Poster) =>
	from.post({ url, headers: ["x-a", "b"], body: "{}", mayWrite: () => true });

describe("over TLS", () => {
	it("a trusted certificate for the name is accepted", async () => {
		for (let i = 0; i < 10; i++)
			expect(await post(urlOf("receiver.test"), trusting)).toMatchObject({
				status: 200,
			});
		expect(secure.connections()).toBeLessThanOrEqual(2);
	});

	it("a certificate nobody vouches for is refused before anything is sent", async () => {
		expect(await post(urlOf("receiver.test"), doubting)).toEqual({
			error: "tls_failed",
		});
		expect(secure.received).toHaveLength(0);
	});

	it("a certificate for another name is refused before anything is sent", async () => {
		for (const host of ["other.test", "127.0.0.1"])
			expect(await post(urlOf(host), trusting)).toEqual({
				error: "tls_failed",
			});
		expect(secure.received).toHaveLength(0);
	});

	it("a server that does not speak TLS is refused", async () => {
		const plain = await startReceiver();
		const url = plain.url.replace("http:", "https:");
		expect(await post(url, doubting)).toEqual({ error: "tls_failed" });
		expect(plain.received).toHaveLength(0);
		await plain.close();
	});
});
