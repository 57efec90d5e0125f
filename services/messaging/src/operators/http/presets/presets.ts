import { type Description, description } from "../description.ts";
import { infobip } from "./infobip.ts";
import { twilio } from "./twilio.ts";
import { vonage } from "./vonage.ts";

/** Descriptions that are here, by the value of a route's setting `preset`. */
export const presets: Readonly<Record<string, Description>> = {
	twilio: description.parse(twilio),
	vonage: description.parse(vonage),
	infobip: description.parse(infobip),
};
