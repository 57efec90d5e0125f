import type { AuditEntry } from "@airtower/proto/ops/v1/audit";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { type AdminService, SERVICES } from "../access.ts";
import type { Call, Command } from "../command.ts";
import { CommandError } from "../errors.ts";
import { describeFailure } from "../failure.ts";
import { type Output, toRow } from "../output.ts";
import { LIMIT_OPTION, parseLimit, readPages } from "../pages.ts";
import { organizationIdFrom } from "../values.ts";

interface Entry {
	readonly service: AdminService;
	readonly entry: AuditEntry;
}

export const auditCommands: readonly Command[] = [
	{
		line: "audit list",
		summary: "Lists what admins did and which keys were made or removed",
		options: {
			"--organization <id-or-name>": "only what was about this organization",
			...LIMIT_OPTION,
		},
		run: listAudit,
	},
];

/** The entries of every service, newest first. A service that cannot be read is named, and the exit code is 1. */
async function listAudit(call: Call): Promise<Output> {
	const limit = parseLimit(call);
	const isOfAll = call.option("organization") === undefined;
	const organizationId = isOfAll ? "" : await organizationIdFrom(call);
	const unread: string[] = [];
	const lists = await Promise.all(
		SERVICES.map((service) =>
			listOf(call, service, organizationId, limit).catch((error: unknown) => {
				unread.push(`${service}: ${describeFailure(error).message}`);
				return [];
			}),
		),
	);
	if (unread.length === SERVICES.length)
		throw new CommandError(unread[0] ?? "");
	const found = lists.flat().sort((one, other) => timeOf(other) - timeOf(one));
	return {
		content: found.slice(0, limit).map(entryToRow),
		whenEmpty: "Nothing was done yet.",
		note: unread.length === 0 ? undefined : `Not read: ${unread.join(" ")}`,
		failed: unread.length > 0,
	};
}

async function listOf(
	{ clients }: Call,
	service: AdminService,
	organizationId: string,
	limit: number,
): Promise<Entry[]> {
	const { items } = await readPages(limit, async (page) => {
		const client = clients.auditOf(service);
		const { entries, next } = await client.listAuditEntries({
			organizationId,
			page,
		});
		return { items: entries, next };
	});
	return items.map((entry) => ({ service, entry }));
}

function timeOf({ entry }: Entry): number {
	return entry.createdAt === undefined ? 0 : timestampMs(entry.createdAt);
}

function entryToRow({ service, entry }: Entry) {
	return {
		...toRow(entry, "createdAt"),
		service,
		...toRow(entry, "actorKind", "actor", "address", "action"),
		...toRow(entry, "organizationId", "subject", "before", "after"),
	};
}
