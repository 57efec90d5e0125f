import type { System } from "@airtower/dev/start/system";
import { eventually } from "@airtower/platform/testing/eventually";
import { expect } from "vitest";
import { apiClient } from "../support/api.ts";
import type { TestOrganization } from "../support/organization.ts";

interface Scrape {
	/** Names of all metrics. */
	readonly types: ReadonlySet<string>;
	/** Sum of the series of a name, those with a label as given. */
	sumOf(name: string, label?: string): number;
}

/** What the processes of a system export now, all together. */
export async function scrape(system: System): Promise<Scrape> {
	const services = Object.values(system.addresses).map(({ opsUrl }) => opsUrl);
	const texts = await Promise.all(
		[...services, system.deliveryOpsUrl].map(async (url) =>
			(await fetch(`${url}/metrics`)).text(),
		),
	);
	const lines = texts.join("\n").split("\n");
	const types = lines.flatMap((line) =>
		line.startsWith("# TYPE ") ? [line.split(" ")[2] ?? ""] : [],
	);
	return {
		types: new Set(types),
		sumOf: (name, label = "") =>
			lines
				.filter((line) => line.startsWith(`${name}{`) && line.includes(label))
				.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0),
	};
}

export async function sendUntilDelivered(
	system: System,
	{ apiKey }: TestOrganization,
): Promise<string> {
	const client = apiClient(system.baseUrl, apiKey);
	const sent = await client.post("/sms/send", {
		to: "+33612345678",
		message: "Hello",
	});
	expect(sent.status).toBe(202);
	const { messageId } = sent.body.provider as { messageId: string };
	await eventually(async () => {
		const { body } = await client.get(`/sms/messages/${messageId}`);
		expect(body).toMatchObject({ message: { status: "delivered" } });
	});
	await client.close();
	return messageId;
}
