import { expect, test } from "vitest";
import { faultsIn, type LoadReport } from "./load-report.ts";

const good: LoadReport = {
	sent: 100,
	accepted: 100,
	failures: [],
	debited: 100,
	submitted: 100,
	repeated: 0,
	calledBack: 100,
};

test("a load of which nothing was refused, lost or sent twice is without fault", () => {
	expect(faultsIn(good)).toEqual([]);
});

test.each<[keyof LoadReport, Partial<LoadReport>]>([
	["accepted", { accepted: 99 }],
	["debited", { debited: 101 }],
	["submitted", { submitted: 99 }],
	["repeated", { repeated: 1 }],
	["calledBack", { calledBack: 99 }],
])("a load is at fault for its %s", (name, wrong) => {
	const faults = faultsIn({ ...good, ...wrong }).join();
	expect(faults).toContain(`"${name}":${wrong[name]}`);
});

test("a request that failed is shown", () => {
	const failures = ["503 unavailable"];
	expect(faultsIn({ ...good, accepted: 99, failures }).join()).toContain(
		"1 requests failed: 503 unavailable",
	);
});
