import { expect, test } from "vitest";
import { sharedSystem, useSystem } from "./support/admin-system.ts";

const use = useSystem(sharedSystem);

test("an admin sets, shows and ends an organization's quiet hours", async () => {
	const { json, newOrganization } = use;
	const { name } = await newOrganization();
	const quietHours = (act: string, ...options: string[]) =>
		json("quiet-hours", act, name, ...options);
	expect(await quietHours("show")).toEqual([]);
	const night = [{ from: "21:00", until: "08:00" }];
	expect(
		await quietHours("set", "--from", "21:00", "--until", "08:00"),
	).toEqual(night);
	expect(await quietHours("show")).toEqual(night);
	expect(await quietHours("clear")).toEqual([]);
	expect(await quietHours("show")).toEqual([]);
});
