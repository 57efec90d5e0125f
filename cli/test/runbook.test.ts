import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cloudApiNumber } from "@airtower/dev/start/simulators";
import type { System } from "@airtower/dev/start/system";
import { eventually } from "@airtower/platform/testing/eventually";
import { expect, test } from "vitest";
import { ownSystem, useSystem } from "./support/admin-system.ts";
import { mendDeadLetters, publishUnreadable } from "./support/dead-letters.ts";

/** Values of the placeholders that a command may have. */
type Known = Record<string, string>;
type Row = Readonly<Record<string, unknown>>;

const RUNBOOK = new URL("../../deploy/k8s/RUNBOOK.md", import.meta.url);
const RULES = new URL(
	"../../deploy/k8s/components/monitoring/rules.yaml",
	import.meta.url,
);
/** A submit to it stays without a response. */
const SILENT = "+33612340006";
const TEMPLATE = {
	name: "order_update",
	language: "en_US",
	category: "utility",
	parameters: ["Ada", "1042"],
};

let system: System;
const use = useSystem(async () => {
	const started = await ownSystem();
	system = started.system;
	return started;
});

/** Brings about what an alert tells of; returns the labels of the alert that its commands need. */
const FAULTS: Readonly<Record<string, () => Promise<Known>>> = {
	AirtowerReceiptsLate: loseReceipts,
	AirtowerDeliveryRateFell: loseReceipts,
	AirtowerUnsentOld: killOperator,
	AirtowerRouteDown: killOperator,
	AirtowerRouteBindsMissing: killOperator,
	AirtowerUnknownOld: loseResponse,
	AirtowerUndeliveredOld: failCallbacks,
	AirtowerQuotaDrift: loseDebits,
	AirtowerWhatsAppNumberStopped: refuseNumber,
	AirtowerEventsParked: parkEvent,
};

const commandsOf = await readCommands();

test("every command of the runbook belongs to an alert whose fault is made here", () => {
	expect(new Set(Object.keys(FAULTS))).toEqual(new Set(commandsOf.keys()));
});

test("an annotation names no command that the runbook does not have", async () => {
	const annotations = (await readFile(RULES, "utf8")).match(/summary: .*/g);
	expect(annotations?.length).toBeGreaterThan(20);
	const known = [...commandsOf.values()].flat();
	for (const command of annotations?.flatMap(findCommands) ?? [])
		expect(known).toContain(command);
});

// Those that need the operator come before it is killed.
test.each(Object.entries(FAULTS).reverse())(
	"the commands for %s can be typed, and find the fault",
	async (alert, makeFault) => {
		let known = await makeFault();
		for (const command of commandsOf.get(alert) ?? []) {
			known = await eventually(async () => {
				const rows = await run(command, known);
				expect(rows, command).not.toEqual([]);
				return { ...toKnown(rows.at(-1)), ...known };
			});
		}
	},
);

async function run(command: string, known: Known): Promise<Row[]> {
	const words = command.split(" ").map((word) => {
		const [, name] = /^<(.+)>$/.exec(word) ?? [];
		if (name === undefined) return word;
		const value = known[name.replaceAll("-", "_")];
		if (value === undefined)
			throw new Error(
				`${command}: neither the alert nor a command before it tells ${word}.`,
			);
		return value;
	});
	return [await use.json<Row | Row[]>(...words)].flat();
}

function toKnown(row: Row | undefined): Known {
	return Object.fromEntries(
		Object.entries(row ?? {}).map(([name, value]) => [name, String(value)]),
	);
}

/** The admin's commands of each alert, in the order in which they stand. */
async function readCommands(): Promise<Map<string, string[]>> {
	const text = await readFile(RUNBOOK, "utf8");
	const rows = text.matchAll(/^\| `(Airtower\w+)` (.*)$/gm);
	const found = [...rows].map(
		([, alert = "", cells = ""]) => [alert, findCommands(cells)] as const,
	);
	return new Map(found.filter(([, commands]) => commands.length > 0));
}

function findCommands(text: string): string[] {
	return [...text.matchAll(/`(?:npm run admin --|admin) ([^`]+)`/g)].map(
		([, command = ""]) => command,
	);
}

async function organizationThatSends() {
	const { json, newOrganization, requestSender } = use;
	const { id, name } = await newOrganization();
	await json("quota", "grant", name, "10");
	await requestSender(id, "Runbook");
	await json("senders", "approve", name, "Runbook");
	const key = await json<{ secret: string }>("keys", "issue", name, "all");
	return { id, name, apiKey: key.secret };
}

async function killOperator(): Promise<Known> {
	if (system.pids().smsc !== undefined) await system.kill("smsc", "SIGKILL");
	await eventually(async () => {
		const [route] = await use.json<Row[]>("routes", "list");
		expect(route?.connections).toBe(0);
		expect(route?.last_error).not.toBe("");
	});
	return {};
}

async function loseReceipts(): Promise<Known> {
	const [first] = await use.json<Row[]>("routes", "list");
	const route = String(first?.code);
	await use.sql`
		insert into messaging.route_minutes (minute, route, submitted, delivered, failed, receipt_seconds)
		select now() - ago * interval '1 minute', ${route}, 100, case when ago > 10 then 95 else 0 end, 0, 0
		from generate_series(0, 60) as ago
	`;
	const traffic = await use.json<Row>("routes", "traffic", route);
	expect(traffic.receipts).toBe("missing");
	return { route };
}

async function loseResponse(): Promise<Known> {
	const { apiKey } = await organizationThatSends();
	const control = system.smsc?.controlUrl;
	const operator = (action: string) =>
		fetch(`${control}/${action}`, { method: "POST" });
	const countSubmits = async () => {
		const response = await fetch(`${control}/log`);
		return Number(((await response.json()) as { total: number }).total);
	};
	const before = await countSubmits();
	await operator("silence");
	await use.send(apiKey, SILENT);
	await eventually(async () =>
		expect(await countSubmits()).toBeGreaterThan(before),
	);
	await operator("drop");
	await operator("resume");
	return {};
}

async function failCallbacks(): Promise<Known> {
	const { apiKey } = await organizationThatSends();
	await use.post("/webhooks", apiKey, {
		url: "http://127.0.0.1:9/callbacks",
		subscribed_events: ["message.delivered"],
	});
	await use.send(apiKey);
	return {};
}

async function loseDebits(): Promise<Known> {
	const { id, apiKey } = await organizationThatSends();
	const message_id = await use.send(apiKey);
	// As the comparison of both finds it.
	await use.sql`
		insert into accounts.undebited_messages (message_id, organization_id, reason)
		values (${message_id}, ${id}, 'never_debited')
	`;
	return {};
}

async function refuseNumber(): Promise<Known> {
	const { json, post, system } = use;
	const { name, apiKey } = await organizationThatSends();
	const { phone, providerPhoneNumberId, providerAccountId } = cloudApiNumber;
	const token_file = join(system.dataDir, "token");
	const register = async (token: string) => {
		await writeFile(token_file, token);
		return json<{ id: string }>(
			...["numbers", "register", name, phone, "--token-file", token_file],
			...["--provider-number-id", providerPhoneNumberId],
			...["--provider-account-id", providerAccountId],
		);
	};
	const { id: phoneNumberId } = await register(system.cloudApiToken);
	await json("templates", "sync", name);
	await register("a-token-that-was-revoked");
	await post("/whatsapp/messages", apiKey, {
		type: "template",
		to: "+33612345678",
		phoneNumberId,
		template: TEMPLATE,
	});
	await writeFile(token_file, system.cloudApiToken);
	return { token_file };
}

async function parkEvent(): Promise<Known> {
	await publishUnreadable(use.sql);
	await eventually(async () => {
		const letters = await use.json<Row[]>("dead-letters", "list", "webhooks");
		expect(letters).not.toEqual([]);
	});
	await mendDeadLetters(use.sql);
	return { service: "webhooks" };
}
