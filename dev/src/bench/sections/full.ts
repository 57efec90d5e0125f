import type { Section } from "../bench-context.ts";
import { storeMessages } from "../store-rows.ts";
import { measureMostAccepted } from "./accept.ts";

const CONNECTIONS = 256;

export const fullSection: Section = {
	title: "acceptance with 1,000,000 messages stored, to without",
	measure: async (context) => {
		const { bench, rows, say } = context;
		// The first load warms up: run alone, the section would flatter the full store.
		await measureMostAccepted(context, CONNECTIONS);
		await bench.untilAtRest();
		const without = await measureMostAccepted(context, CONNECTIONS);
		await bench.untilAtRest();
		await storeMessages(bench.system, bench.organizationId, rows);
		const stored = await measureMostAccepted(context, CONNECTIONS);
		say(
			`  accepted ${Math.round(without)}/s without, ${Math.round(stored)}/s with`,
		);
		return [
			{
				name: `accepted with ${rows.toLocaleString("en-US")} messages stored`,
				...{ value: stored / without, unit: "ratio", floor: 0.8 },
			},
		];
	},
};
