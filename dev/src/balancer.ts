import { connect, createServer, type Socket } from "node:net";

/** What a load balancer does in front of several gateways: each connection goes to the next one that takes it. */

const { BALANCER_PORT, BALANCER_TARGETS = "" } = process.env;
const targets = BALANCER_TARGETS.split(",").map((target) => new URL(target));
let turn = 0;

const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) =>
	forward(client.pause(), turn++, targets.length),
);
server.listen({ host: "127.0.0.1", port: Number(BALANCER_PORT) });
process.once("SIGTERM", () => process.exit(0));

function forward(client: Socket, turn: number, tries: number): void {
	const { hostname, port } = targets[turn % targets.length] as URL;
	const gateway = connect({
		...{ host: hostname, port: Number(port) },
		...{ allowHalfOpen: true, noDelay: true },
	});
	let isConnected = false;
	gateway.once("connect", () => {
		isConnected = true;
		client.pipe(gateway).pipe(client);
	});
	gateway.on("error", () => {
		if (isConnected || tries === 1) client.destroy();
		else forward(client, turn + 1, tries - 1);
	});
	client.on("error", () => gateway.destroy());
	client.on("close", () => gateway.destroy());
}
