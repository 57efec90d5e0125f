import type { Smsc } from "@airtower/simulators/smsc/smsc";
import { expect, test } from "vitest";
import { startRouteWorld } from "../support/route-world.ts";

/** Two moves: more than a look at a queue takes. */
const COUNT = 600;
/** Also of those that a process sends at a time. */
const WINDOW = 50;
/** A busy machine starts three processes, and one of them is missed for its lease. */
const PATIENCE = { timeout: 500_000 } as const;
const DELIVERED_WITHIN_MS = 240_000;
const SOON = { DISPATCH_LEASE_MS: "10000", UNKNOWN_WAIT_S: "1" };

test(
	"killed in the middle of a move, a process leaves each message to one route, and another process sends them on, in order",
	PATIENCE,
	async () => {
		const world = await startRouteWorld(["first", "second"], 0);
		const { sql } = world.database;
		const { first, second } = world.smscs;
		await first?.close();
		const ids = [
			...(await world.accept(COUNT / 2)),
			...(await world.accept(COUNT / 2)),
		];
		await sql`
			update dispatch
			set due_at = now() - interval '1 minute' + place * interval '1 millisecond'
			from unnest(${ids}::uuid[]) with ordinality as given (id, place)
			where message_id = id
		`;
		const dying = await world.deliver({
			...SOON,
			FAULT_POINTS: "messaging.before_move_commit:2",
		});
		await world.accepting.admin.addRoute({
			code: "second",
			kind: "smpp",
			settings: { ...world.settingsTo("second"), window: String(WINDOW) },
		});
		expect(await dying.ended).toBe("SIGKILL");
		const places = await sql<{ queued: string; told: string; sum: number }[]>`
			select dispatch.route as queued, messages.route as told, count(*) as sum
			from dispatch
			join messages on messages.id = message_id
			group by dispatch.route, messages.route
			order by dispatch.route
		`;
		expect(places.map(({ queued, told }) => [queued, told])).toEqual([
			["first", "first"],
			["second", "second"],
		]);

		await world.deliver({ UNKNOWN_WAIT_S: "1" });
		await world.delivered(DELIVERED_WITHIN_MS);
		const rows = await sql<{ id: string; marked: boolean }[]>`
			select id, possible_duplicate as marked
			from messages
			where route = 'second'
			and first_route = 'first'
		`;
		const taken = textsOf(second);
		const marked = new Set(
			rows.filter((row) => row.marked).map((row) => toText(ids, row.id)),
		);
		expect(rows).toHaveLength(COUNT);
		expect(new Set(taken).size).toBe(COUNT);
		const once = taken.filter((text) => !marked.has(text));
		expect(once).toHaveLength(COUNT - marked.size);
		expect(marked.size).toBeLessThanOrEqual(WINDOW);
		const inOrder = once.toSorted((a, b) => toPlace(a) - toPlace(b));
		for (const [place, text] of once.entries())
			expect(Math.abs(inOrder.indexOf(text) - place)).toBeLessThanOrEqual(
				WINDOW,
			);
	},
);

function textsOf(smsc: Smsc | undefined): string[] {
	return (smsc?.log.taken() ?? []).map(({ text }) => text);
}

function toText(ids: readonly string[], id: string): string {
	return `message ${ids.indexOf(id)}`;
}

function toPlace(text: string): number {
	return Number(text.slice("message ".length));
}
