import { eventually } from "@airtower/platform/testing/eventually";
import { expect, test } from "vitest";
import { type RouteWorld, startRouteWorld } from "./support/route-world.ts";
import { type SmscProcess, startSmscProcess } from "./support/smsc-process.ts";

const PATIENT = { timeoutMs: 180_000, everyMs: 200 } as const;
const TIMEOUT_MS = 600_000;
/** Two routes that share such messages have all some of so many. */
const BATCH = 20;

/** The route "one" to an operator that is well, and "two" to a process. */
async function startTwoRoutes() {
	const world = await startRouteWorld(["one"], 1);
	const smsc = await startSmscProcess();
	await world.accepting.admin.addRoute({
		code: "two",
		kind: "smpp",
		settings: {
			address: `smpp://airtower@127.0.0.1:${smsc.port}`,
			password: "airtower",
			ids: "hex",
		},
	});
	return { world, smsc };
}

/** Has messages accepted, of which none may be refused; returns the routes that they were given. */
async function routesOfNew(world: RouteWorld): Promise<string[]> {
	const ids = await world.accept(BATCH);
	const rows = await world.database.sql<{ route: string }[]>`
		select distinct route
		from messages
		where id = any (${ids})
		order by route
	`;
	return rows.map(({ route }) => route);
}

async function routeTwo({ accepting }: RouteWorld) {
	const { routes } = await accepting.admin.listRoutes({});
	return routes.find(({ code }) => code === "two");
}

/** Left alone, a connection is tried within a minute. */
async function connectNow({ accepting }: RouteWorld): Promise<void> {
	await accepting.admin.reconnectRoute({ code: "two" });
}

/** Traffic goes on while it is waited. */
async function eventuallyBy(
	world: RouteWorld,
	routes: readonly string[],
	health: "up" | "down",
): Promise<void> {
	await eventually(async () => {
		expect(await routesOfNew(world)).toEqual(routes);
		expect(await routeTwo(world)).toMatchObject({ health });
	}, PATIENT);
}

const FAILURES: readonly {
	readonly reasons: readonly string[];
	readonly fail: (smsc: SmscProcess) => unknown;
	readonly recover: (smsc: SmscProcess) => unknown;
}[] = [
	{
		reasons: ["not_connected"],
		fail: ({ kill }) => kill(),
		recover: ({ restart }) => restart(),
	},
	{
		// Later its connection is given up.
		reasons: ["no_response", "not_connected"],
		fail: ({ signal }) => signal("SIGSTOP"),
		recover: ({ signal }) => signal("SIGCONT"),
	},
];

test(
	"while an operator is killed or frozen, new messages go by another route, and wait where there is none; they go by both once it is back",
	async () => {
		const { world, smsc } = await startTwoRoutes();
		await eventuallyBy(world, ["one", "two"], "up");
		for (const { reasons, fail, recover } of FAILURES) {
			await fail(smsc);
			await eventuallyBy(world, ["one"], "down");
			await eventually(
				async () =>
					expect(reasons).toContain((await routeTwo(world))?.healthReason),
				PATIENT,
			);
			await recover(smsc);
			await connectNow(world);
			await eventuallyBy(world, ["one", "two"], "up");
		}

		await world.accepting.admin.setRouteState({ code: "one", state: "paused" });
		await smsc.kill();
		await eventuallyBy(world, ["two"], "down");
		const ids = await world.accept(1);
		await smsc.restart();
		await connectNow(world);
		await eventually(async () => {
			const rows = await world.database.sql`
				select status
				from messages
				where id = any (${ids})
			`;
			expect(rows).toMatchObject([{ status: "delivered" }]);
			expect(await routeTwo(world)).toMatchObject({ health: "up" });
		}, PATIENT);
	},
	TIMEOUT_MS,
);
