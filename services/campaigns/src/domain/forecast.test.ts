import { expect, test } from "vitest";
import { createTally, standingOf, type Tally } from "./forecast.ts";

const NO_SHARE = undefined;

const standing = (fields: Partial<Tally>, share: number | undefined) => {
	const { status, statusReason, accepted } = standingOf(
		{ ...createTally(), ...fields },
		share,
	);
	return `${status} ${statusReason} ${accepted}`;
};

test.each([
	[{}, NO_SHARE, "failed no_audience 0"],
	[{ messages: 3, payable: 3, quota: 3 }, NO_SHARE, "sending  3"],
	[{ messages: 3, payable: 3, quota: 2 }, NO_SHARE, "paused quota_exhausted 2"],
	[{ messages: 3, payable: 3, quota: 0 }, NO_SHARE, "paused quota_exhausted 0"],
	[{ messages: 3, payable: 3, quota: 9 }, 3, "sending  3"],
	[{ messages: 3, payable: 3, quota: 9 }, 2, "paused quota_share_used 2"],
	[{ messages: 3, payable: 3, quota: 2 }, 2, "paused quota_share_used 2"],
	[{ messages: 3, payable: 3, quota: 1 }, 2, "paused quota_exhausted 1"],
	[{ messages: 3, payable: 2, quota: 2 }, NO_SHARE, "sending  2"],
	[{ messages: 3, payable: 0 }, NO_SHARE, "sending  0"],
	[
		{ messages: 3, payable: 0, quota: 9, obstacle: "organization_suspended" },
		NO_SHARE,
		"paused organization_suspended 0",
	],
	[
		{ messages: 3, payable: 0, quota: 9, obstacle: "organization_suspended" },
		0,
		"paused quota_share_used 0",
	],
])("%j with a share of %j: %s", (fields, share, expected) => {
	expect(standing(fields, share)).toBe(expected);
});
