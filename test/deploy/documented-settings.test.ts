import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { serviceSettings } from "./settings.ts";

const VARIABLE = /^\| (`[A-Z][^|]*)/gm;
const NAME = /`([A-Z][A-Z0-9_]+)`/g;
const root = new URL("../../", import.meta.url);

const common = tableIn(textOf("docs/settings.md"));

test.each(Object.entries(serviceSettings))(
	"the README of %s, with what all have, names exactly the settings that it reads",
	(service, { names }) => {
		const [, section = ""] = textOf(`services/${service}/README.md`).split(
			"\n## Settings, beside ",
		);
		const own = tableIn(section.split("\n## ")[0] ?? "");
		expect(own.length).toBeGreaterThan(0);
		expect(names).toEqual(expect.arrayContaining(own));
		expect([...own, ...common]).toEqual(expect.arrayContaining([...names]));
	},
);

test("what all services are said to read, all but the gateway read", () => {
	for (const [service, { names }] of Object.entries(serviceSettings)) {
		const without = common.filter((name) => !names.includes(name));
		const none = service === "gateway" ? ["RPC_HOST", "RPC_PORT"] : [];
		expect(without).toEqual(none);
	}
});

/** The variables in the first column of a table. */
function tableIn(text: string): string[] {
	return [...text.matchAll(VARIABLE)].flatMap(([, cell = ""]) =>
		[...cell.matchAll(NAME)].map(([, name = ""]) => name),
	);
}

function textOf(path: string): string {
	return readFileSync(new URL(path, root), "utf8");
}
