import { type Resources, readResources } from "../target/resources.ts";
import type { Trial } from "../trial.ts";
import type { Invariant } from "./invariant.ts";

/** A process that has just started, or has compiled more, differs by so much from one that has not, MB. */
const MEMORY_SLACK_MB = 150;
/** Connections of clients that are still open, files of the runtime. */
const HANDLE_SLACK = 60;
const CONNECTION_SLACK = 15;

/** Tables whose rows are work that is left. */
const QUEUES = [
	"accounts.outbox",
	"messaging.outbox",
	"whatsapp.outbox",
	"messaging.dispatch",
	"messaging.scheduled_messages",
	"messaging.quota_releases",
	"whatsapp.dispatch",
];

/** I10: memory, connections, handles and backlog are back at what they were. */
export const resourcesComeBack: Invariant = {
	name: "I10",
	waits: true,
	check: async (trial) => {
		const now = await readResources(trial.target);
		return [...grown(trial.baseline, now), ...(await backlog(trial))];
	},
};

function grown(before: Resources, now: Resources): string[] {
	const above = (
		what: string,
		slack: number,
		was: ReadonlyMap<string, number>,
		is: ReadonlyMap<string, number>,
	) =>
		[...is]
			.filter(([name, value]) => value > (was.get(name) ?? 0) + slack)
			.map(
				([name, value]) => `${name} has ${value} ${what}, had ${was.get(name)}`,
			);
	return [
		...above("MB", MEMORY_SLACK_MB, before.memoryMb, now.memoryMb),
		...above("handles", HANDLE_SLACK, before.handles, now.handles),
		...(now.connections > before.connections + CONNECTION_SLACK
			? [`${now.connections} database connections, were ${before.connections}`]
			: []),
	];
}

async function backlog({ target: { sql } }: Trial): Promise<string[]> {
	const left: string[] = [];
	for (const queue of QUEUES) {
		const [row] = await sql<{ count: number }[]>`
			select count(*)::int as count
			from ${sql(queue)}
		`;
		if (row !== undefined && row.count > 0)
			left.push(`${row.count} rows in ${queue}`);
	}
	return left;
}
