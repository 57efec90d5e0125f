import type { ErasedTable } from "@airtower/proto/ops/v1/privacy";
import {
	normalizePhoneNumber,
	toPresentPlan,
} from "@airtower/proto/rules/phone-number";
import type { AdminService } from "../access.ts";
import type { Call, Command } from "../command.ts";
import { UsageError } from "../errors.ts";
import { type Row, toRow } from "../output.ts";
import {
	findOrganization,
	organizationIdFrom,
	parseInteger,
} from "../values.ts";

/** What brings messages about comes before what tells of them; accounts knows who an organization is. */
const SERVICES = [
	...(["campaigns", "messaging", "whatsapp", "webhooks"] as const),
	"accounts",
] as const;
/** Services that keep texts by a retention. */
const KEEPERS = ["messaging", "whatsapp", "campaigns", "webhooks"] as const;
const UNDER_WAY =
	"Messages and campaigns under way keep their number or text; repeat once they have ended:";
const PUBLISHED =
	"Outcomes of the last minutes may still be on the bus and bring the number back; repeat in a few minutes:";
const DEFAULT = "default";
const MAX_DAYS = 3_650;

interface Subject {
	readonly phone: string;
	readonly organizationId: string;
}

export const privacyCommands: readonly Command[] = [
	{
		line: "privacy erase",
		summary:
			"Erases a number and its texts everywhere; or of an organization all numbers and texts, its name and e-mail " +
			"address, and the names of its keys and campaigns. What is counted stays, and so do webhook URLs, sender " +
			"IDs, WhatsApp templates and numbers, and the audit. Fails while messages or campaigns under way keep a number " +
			"or a text",
		options: {
			"--phone <number>": "in international form, for example +33612345678",
			"--as-written":
				"the number is one that no numbering plan of today has, such as one of before a change of its country's",
			"--organization <organization>":
				"by id or by name (with --phone: the number within it alone)",
		},
		run: async (call) => {
			const subject = await subjectFrom(call);
			const rows: Row[] = [];
			for (const service of SERVICES)
				rows.push(...(await eraseIn(call, service, subject)));
			const isPending = rows.some(({ pending }) => pending !== 0n);
			return {
				content: rows,
				note: `${isPending ? UNDER_WAY : PUBLISHED} ${repetitionOf(subject)}`,
				failed: isPending,
			};
		},
	},
	{
		line: "privacy erasures",
		summary: "Lists what was erased, newest first in each service",
		run: async ({ clients }) => {
			const rows: Row[] = [];
			for (const service of SERVICES) {
				const { erasures } = await clients.privacyOf(service).listErasures({});
				for (const erasure of erasures) {
					const { tables } = erasure;
					rows.push({
						service,
						...toRow(erasure, "phone", "organizationId", "requestedBy"),
						erased: sum(tables, "erased"),
						pending: sum(tables, "pending"),
						...toRow(erasure, "startedAt", "finishedAt"),
					});
				}
			}
			return { content: rows, whenEmpty: "Nothing was erased yet." };
		},
	},
	{
		line: "privacy retention <organization>",
		summary: "Sets how long an organization's message texts are kept",
		required: {
			"--body-days <days>": `days after a message's outcome, or ${DEFAULT} for the deployment's`,
		},
		run: async (call) => {
			const organizationId = (await findOrganization(call)).id;
			const bodyDays = parseDays(call.text("body-days"));
			for (const service of KEEPERS)
				await call.clients.privacyOf(service).setRetention({
					organizationId,
					...(bodyDays !== undefined && { bodyDays }),
				});
			return {
				content: {
					organization_id: organizationId,
					body_days: bodyDays ?? DEFAULT,
				},
			};
		},
	},
	{
		line: "privacy retentions",
		summary:
			"Lists the organizations whose texts are kept for a time of their own",
		run: async ({ clients }) => {
			const messaging = clients.privacyOf("messaging");
			const { retentions } = await messaging.listRetentions({});
			return {
				content: retentions.map((one) =>
					toRow(one, "organizationId", "bodyDays"),
				),
				whenEmpty: "Every organization has the deployment's retention.",
			};
		},
	},
];

async function subjectFrom(call: Call): Promise<Subject> {
	const given = call.option("phone");
	const organization = call.option("organization");
	if (given === undefined && organization === undefined)
		throw new UsageError(
			'"privacy erase" needs --phone, --organization or both.',
		);
	const phone =
		given && phoneFrom(given, call.option("as-written") !== undefined);
	if (given !== undefined && phone === undefined)
		throw new UsageError(
			`--phone must be a number in international form like +33612345678, not "${given}"; one that no numbering plan of today has goes with --as-written.`,
		);
	const organizationId =
		organization === undefined
			? ""
			: await organizationIdFrom(call, organization);
	return { phone: phone ?? "", organizationId };
}

/** With the organization's id, for its name may be erased. */
function repetitionOf({ phone, organizationId }: Subject): string {
	const isKnown = normalizePhoneNumber(phone, "") !== undefined;
	const options = [
		...(phone === "" ? [] : ["--phone", phone]),
		...(phone === "" || isKnown ? [] : ["--as-written"]),
		...(organizationId === "" ? [] : ["--organization", organizationId]),
	];
	return ["admin privacy erase", ...options].join(" ");
}

/** What is stored under a number goes by the plan of the day on which it came. */
function phoneFrom(given: string, isAsWritten: boolean): string | undefined {
	const plain = given.replace(/[ \u00a0\u202f().\-/]/g, "");
	const known = normalizePhoneNumber(toPresentPlan(plain), "");
	if (known !== undefined || !isAsWritten) return known;
	return /^\+[1-9][0-9]{6,14}$/.test(plain) ? plain : undefined;
}

/** Repeats the service's steps until it has no further one. */
async function eraseIn(
	{ clients }: Call,
	service: AdminService,
	subject: Subject,
): Promise<Row[]> {
	const client = clients.privacyOf(service);
	const tables = new Map<string, { erased: bigint; pending: bigint }>();
	let cursor = "";
	let erasureId = "";
	do {
		const step = await client.erase({ ...subject, cursor, erasureId });
		for (const { table, erased, pending } of step.tables) {
			const before = tables.get(table) ?? { erased: 0n, pending: 0n };
			tables.set(table, {
				erased: before.erased + erased,
				pending: before.pending + pending,
			});
		}
		cursor = step.nextCursor;
		erasureId = step.erasureId;
	} while (cursor !== "");
	return [...tables].map(([table, rows]) => ({ service, table, ...rows }));
}

function sum(tables: readonly ErasedTable[], of: "erased" | "pending"): bigint {
	return tables.reduce((total, table) => total + table[of], 0n);
}

function parseDays(text: string): number | undefined {
	if (text === DEFAULT) return undefined;
	const days = parseInteger("--body-days", text, MAX_DAYS);
	if (days >= 0) return days;
	throw new UsageError("--body-days must be 0 or more.");
}
