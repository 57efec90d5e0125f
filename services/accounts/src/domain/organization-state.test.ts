import { expect, test } from "vitest";
import {
	mayMove,
	ORGANIZATION_STATES,
	SENDING_STATES,
} from "./organization-state.ts";

const MOVES = new Set([
	"trial active",
	"trial suspended",
	"trial closed",
	"active past_due",
	"active suspended",
	"active closed",
	"past_due active",
	"past_due suspended",
	"past_due closed",
	"suspended trial",
	"suspended active",
	"suspended past_due",
	"suspended closed",
]);

const pairs = ORGANIZATION_STATES.flatMap((from) =>
	ORGANIZATION_STATES.map((to) => [from, to] as const),
);

test.each(pairs)("%s to %s is allowed only as drawn", (from, to) => {
	expect(mayMove(from, to)).toBe(MOVES.has(`${from} ${to}`));
});

test("suspended and closed organizations send nothing", () => {
	expect(SENDING_STATES).toEqual(["trial", "active", "past_due"]);
});
