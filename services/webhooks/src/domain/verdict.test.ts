import { describe, expect, it } from "vitest";
import { judge } from "./verdict.ts";

const now = new Date("2026-01-02T03:04:05Z");
const verdictOn = (response: Parameters<typeof judge>[0], attempt = 1) =>
	judge(response, attempt, now, 0.5);

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
		"%s is ours: tried again soon, at every attempt",
		(error) => {
			for (const attempt of [1, 9, 100])
				expect(verdictOn({ error }, attempt)).toEqual({
					...{ state: "pending", error, delayMs: 10_000 },
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
