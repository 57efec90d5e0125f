import type { Section } from "../bench-context.ts";
import { acceptSection } from "./accept.ts";
import { campaignSection } from "./campaign.ts";
import { floodSection } from "./flood.ts";
import { fullSection } from "./full.ts";
import { lifeSection } from "./life.ts";
import { steadySection } from "./steady.ts";
import { webhooksSection } from "./webhooks.ts";

/** By name, in the order of a whole run: the full store comes last, for it stays. */
export const sections: Readonly<Record<string, Section>> = {
	life: lifeSection,
	accept: acceptSection,
	flood: floodSection,
	steady: steadySection,
	webhooks: webhooksSection,
	campaign: campaignSection,
	full: fullSection,
};
