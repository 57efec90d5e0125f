import { spawn } from "node:child_process";
import { once } from "node:events";
import Fastify from "fastify";
import { runWrk } from "./wrk.ts";

const SECONDS = 6;
const WARM_UP_S = 2;
const BODY = {
	type: "object",
	required: ["to", "message"],
	additionalProperties: false,
	properties: {
		to: { type: "string", minLength: 1, maxLength: 32 },
		message: { type: "string", minLength: 1, maxLength: 1_600 },
		clientReference: { type: "string", maxLength: 128 },
	},
};
const SUCCESS = { success: { type: "boolean" } };
const RESPONSE = { type: "object", properties: SUCCESS };

/** The yardstick, the least that a service behind this framework must do for a POST: its requests per second. */
export type EmptyRates = Readonly<Record<64 | 256, number>>;

if (import.meta.main) await serve();

/** Measures an empty route in a process of its own. */
export async function measureEmptyRoute(): Promise<EmptyRates> {
	const child = spawn(process.execPath, [import.meta.filename], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const [address] = await once(child.stdout.setEncoding("utf8"), "data");
	const target = { baseUrl: String(address).trim(), apiKey: "none" };
	const rate = async (connections: number, seconds: number) =>
		(await runWrk(target, connections, seconds)).perSecond;
	try {
		await rate(256, WARM_UP_S);
		return { 64: await rate(64, SECONDS), 256: await rate(256, SECONDS) };
	} finally {
		child.kill("SIGKILL");
	}
}

async function serve(): Promise<void> {
	const app = Fastify();
	const schema = { body: BODY, response: { 202: RESPONSE } };
	app.post("/sms/send", { schema }, (_request, reply) =>
		reply.code(202).send({ success: true }),
	);
	console.log(await app.listen({ port: 0, host: "127.0.0.1" }));
}
