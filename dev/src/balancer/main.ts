import { openBalancer } from "./balancer.ts";

/** Stands before the gateways of `npm start -- --replicas`, as a load balancer does. */

/** Longer than a gateway takes to stop and to be back, also on a busy machine, where a start takes 15 s; ms. */
const PATIENCE_MS = 60_000;

const { BALANCER_PORT, BALANCER_TARGETS = "[]" } = process.env;
const balancer = await openBalancer({
	port: Number(BALANCER_PORT),
	patienceMs: PATIENCE_MS,
});
for (const backend of JSON.parse(BALANCER_TARGETS)) balancer.add(backend);
process.once("SIGTERM", () => process.exit(0));
