import { eventually } from "@airtower/platform/testing/eventually";
import { expect, test } from "vitest";
import { createRouteWatch } from "../../src/dispatching/route-watch.ts";
import type { PartOutcome } from "../../src/domain/submit-result.ts";
import { parseHttpRoute } from "../../src/operators/http/http-route.ts";
import { noResponse } from "../support/scripted-operator.ts";
import { settingsOf, startHttpRoute } from "./http-operators.ts";

const NOWHERE = "http://127.0.0.1:9/receipts";

test("an operator that refuses the account is down; once it may be tried, three messages show that it is up", async () => {
	const { operator, lookAlike, route, submit } =
		await startHttpRoute("infobip");
	const watch = createRouteWatch(operator);
	const sendWatched = async () => {
		const ended = watch.began();
		ended({ total: 1, parts: await submit() });
	};
	const endWith = (outcome: PartOutcome) => ({
		total: 1,
		parts: [{ part: 1, ...outcome }],
	});
	const judged = () => {
		watch.judge("undecided");
		const { health, reason } = watch.opinion;
		return [health, reason];
	};
	await sendWatched();
	expect(judged()).toEqual(["up", null]);

	const earlier = Array.from({ length: 20 }, watch.began);
	const settings = settingsOf("infobip", lookAlike.url, NOWHERE);
	operator.change(parseHttpRoute("infobip", { ...settings, apiKey: "other" }));
	await sendWatched();
	await eventually(() => expect(judged()).toEqual(["down", "not_connected"]));

	operator.change(route);
	expect(judged()).toEqual(["trial", "not_connected"]);
	// What was submitted before the trial says nothing of it.
	for (const ended of earlier) ended(endWith(noResponse));
	expect(judged()).toEqual(["trial", "not_connected"]);
	for (let sent = 0; sent < 3; sent++) await sendWatched();
	expect(judged()).toEqual(["up", null]);
});
