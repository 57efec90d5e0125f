import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import { unknownRoute } from "../../errors.ts";
import { createReceiptJudge } from "../../receipts/receipt-judge.ts";
import {
	AGES,
	type Outcomes,
	readPrefixFigures,
	readRouteFigures,
} from "../../store/routes/route-figures.ts";
import type { Handler } from "../handler.ts";

export const getRouteTraffic: Handler<
	typeof MessagingAdminService.method.getRouteTraffic
> = async ({ sql, routes }, { code }, context) => {
	assertOrganization(context, "*");
	await routes.refresh();
	if (!routes.current().some((route) => route.code === code))
		throw unknownRoute("There is no route of this code.");
	const verdicts = await createReceiptJudge()(sql);
	const figures = await readRouteFigures(sql);
	const outstanding = figures.find(({ route }) => route === code)?.outstanding;
	const prefixes = await readPrefixFigures(sql, code);
	return {
		receipts: verdicts.get(code) ?? "undecided",
		outstanding: AGES.map((age) => ({
			age,
			messages: BigInt(outstanding?.[age] ?? 0),
		})),
		prefixes: prefixes.map(({ prefix, hour, week }) => ({
			prefix,
			hour: toProto(hour),
			week: toProto(week),
		})),
	};
};

function toProto({ submitted, delivered, failed }: Outcomes) {
	return {
		submitted: BigInt(submitted),
		delivered: BigInt(delivered),
		failed: BigInt(failed),
	};
}
