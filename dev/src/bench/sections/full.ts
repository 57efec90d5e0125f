import type { Section } from "../bench-context.ts";
import { storeMessages } from "../store-rows.ts";
import { measureMostAccepted } from "./accept.ts";

const CONNECTIONS = 256;

export const fullSection: Section = {
	title: "acceptance with 1,000,000 messages stored, to without",
	measure: async (context) => {
		const { bench, rows, say } = context;
		context.mostAccepted ??= await measureMostAccepted(context, CONNECTIONS);
		await bench.untilAtRest();
		await storeMessages(bench.system, bench.organizationId, rows);
		const after = await measureMostAccepted(context, CONNECTIONS);
		say(
			`  accepted ${Math.round(context.mostAccepted)}/s without, ${Math.round(after)}/s with`,
		);
		return [
			{
				name: `accepted with ${rows.toLocaleString("en-US")} messages stored`,
				...{ value: after / context.mostAccepted, unit: "ratio", floor: 0.8 },
			},
		];
	},
};
