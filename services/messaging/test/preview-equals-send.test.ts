import { expect, onTestFinished, test } from "vitest";
import { comparePreviews, startPreviewWorld } from "./support/preview-world.ts";

/** Of 100 messages each. */
const ROUNDS = 200;
const TIMEOUT_MS = 900_000;

test(
	"of 20,000 messages each is previewed as it is sent or refused, to the unit of quota and the millionth of cost",
	async () => {
		const world = await startPreviewWorld();
		onTestFinished(() => world.service.close());
		const seen = await comparePreviews(world, ROUNDS);
		expect([...seen.keys()].toSorted()).toEqual([
			"accepted",
			"campaign_expired",
			"invalid_characters",
			"invalid_format",
			"invalid_phone_number",
			"message_too_long",
			"no_route",
			"organization_suspended",
			"quota_exhausted",
			"recipient_opted_out",
			"required",
			"sender_not_approved",
			"sender_required",
			"service_unavailable",
			"too_long",
			"unknown_organization",
			"unknown_sender",
		]);
	},
	TIMEOUT_MS,
);
