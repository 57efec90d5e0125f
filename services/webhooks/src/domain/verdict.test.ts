import { describe, expect, it } from "vitest";
import { judge } from "./verdict.ts";

const now = new Date("2026-01-02T03:04:05Z");
const DAY_MS = 24 * 3_600_000;
const verdictOn = (
	response: Parameters<typeof judge>[0],
	attempt = 1,
	ageMs = 0,
) => judge(response, attempt, now, 0.5, new Date(now.getTime() - ageMs));

describe("the verdict on an attempt", () => {
	it.each([200, 201, 202, 204, 299])("%i is success", (status) => {
		expect(verdictOn({ status })).toEqual({ state: "delivered" });
	});

	it.each([
		[301, "redirect"],
		[302, "redirect"],
		[307, "redirect"],
		[304, "redirect"],
		[400, "http_status"],
		[404, "http_status"],
		[429, "http_status"],
		[500, "http_status"],
	])("%i is tried again as %s", (status, error) => {
		expect(verdictOn({ status })).toEqual({
			state: "pending",
			error,
			delayMs: 5_000,
		});
	});

	it("410 ends the delivery at once", () => {
		expect(verdictOn({ status: 410 })).toEqual({
			state: "dead",
			error: "gone",
		});
	});

	it("no response is tried again", () => {
		expect(verdictOn({ error: "timeout" }, 2)).toEqual({
			state: "pending",
			error: "timeout",
			delayMs: 60_000,
		});
	});

	it.each(["egress_failed", "secret_unreadable"] as const)(
		"%s is a failure of our own: tried again after 10 s, at every attempt",
		(error) => {
			for (const attempt of [1, 9, 100])
				expect(verdictOn({ error }, attempt)).toEqual({
					state: "pending",
					error,
					delayMs: 10_000,
				});
		},
	);

	it.each(["egress_failed", "secret_unreadable"] as const)(
		"after %s a delivery is given up once it is a week old",
		(error) => {
			const before = verdictOn({ error }, 9, 7 * DAY_MS);
			expect(before.state).toBe("pending");
			expect(verdictOn({ error }, 9, 7 * DAY_MS + 1)).toEqual({
				state: "dead",
				error,
			});
		},
	);

	it("an endpoint that is no longer active gets nothing more", () => {
		expect(verdictOn({ error: "endpoint_inactive" }).state).toBe("dead");
	});

	it("the ninth failure is the last", () => {
		expect(verdictOn({ status: 500 }, 9)).toEqual({
			state: "dead",
			error: "http_status",
		});
	});

	it("a receiver may ask for a longer wait", () => {
		expect(verdictOn({ status: 503, retryAfter: "90" })).toMatchObject({
			delayMs: 90_000,
		});
	});
});
