import { once } from "node:events";
import { connect } from "node:http2";
import { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { startWire } from "../../testing/wire.ts";
import { request, startServer } from "../testing/client.ts";
import { mintTestToken, SERVICE, valid } from "../testing/logged-server.ts";
import { stockGrpc } from "../testing/stock-grpc.ts";

const ANY_STREAM = 2 ** 31 - 1;

test("a server that closes sends GOAWAY twice: for any stream, and a round trip later for what came", async () => {
	const finish = Promise.withResolvers<void>();
	const begun = Promise.withResolvers<void>();
	const { port, close } = await startServer({
		webhooks: {
			listEndpoints: async () => {
				begun.resolve();
				await finish.promise;
				return {};
			},
		},
	});
	const session = connect(`http://127.0.0.1:${port}`);
	const last: number[] = [];
	session.on("goaway", (_code, lastStream) => last.push(lastStream));
	const stream = session.request({
		":method": "POST",
		":path": `/${SERVICE}/ListEndpoints`,
		"content-type": "application/json",
		authorization: `Bearer ${await mintTestToken()}`,
	});
	stream.resume().end(JSON.stringify(valid));
	await begun.promise;
	const closed = close();
	await eventually(() => expect(last).toEqual([ANY_STREAM, 1]));
	finish.resolve();
	const [headers] = await once(stream, "response");
	expect(headers).toMatchObject({ ":status": 200 });
	await closed;
});

/** Clients as others write them, which repeat nothing. */
const stockClients = {
	"gRPC (grpc-js)": (port: number) => {
		const grpc = stockGrpc(port, { "grpc.enable_retries": 0 });
		onTestFinished(() => grpc.close());
		return (token: string) =>
			grpc.unary(`${SERVICE}/ListEndpoints`, valid, { token });
	},
	"Connect (connect-node)": (port: number) => {
		const baseUrl = `http://127.0.0.1:${port}`;
		const transport = createConnectTransport({ baseUrl, httpVersion: "2" });
		const client = createClient(WebhooksService, transport);
		return (token: string) => {
			const headers = { authorization: `Bearer ${token}` };
			return client.listEndpoints(request, { headers });
		};
	},
};

test.each(Object.entries(stockClients))(
	"a call of a stock client of %s that is opened while its GOAWAY is on its way is served",
	async (_name, clientOn) => {
		const finish = Promise.withResolvers<void>();
		let calls = 0;
		const server = await startServer({
			webhooks: {
				listEndpoints: async () => {
					if (++calls === 1) await finish.promise;
					return {};
				},
			},
		});
		const wire = await startWire(server.port);
		const call = clientOn(wire.port);
		const token = await mintTestToken();
		const first = call(token);
		await eventually(() => expect(calls).toBe(1));
		wire.holdResponses();
		const closed = server.close();
		const raced = call(token);
		await eventually(() => expect(calls).toBe(2));
		wire.release();
		await raced;
		finish.resolve();
		await first;
		await closed;
	},
);
