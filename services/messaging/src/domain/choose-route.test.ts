import { expect, test } from "vitest";
import { chooseRoute } from "./choose-route.ts";

const first = { code: "first", state: "active" } as const;
const second = { code: "second", state: "active" } as const;

test("the preferred route takes new messages while it is active", () => {
	expect(chooseRoute([first, second], "second")).toBe(second);
});

test.each(["paused", "draining", "removed"] as const)(
	"while the preferred route is %s, the first active one takes them",
	(state) => {
		const preferred = { code: "preferred", state };
		expect(chooseRoute([preferred, first, second], "preferred")).toBe(first);
	},
);

test("none takes them while none is active", () => {
	expect(chooseRoute([], "first")).toBeUndefined();
	const paused = { ...first, state: "paused" } as const;
	expect(chooseRoute([paused], "first")).toBeUndefined();
});
