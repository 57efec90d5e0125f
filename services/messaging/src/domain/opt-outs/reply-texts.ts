import type { WordFamily } from "./opt-out-words.ts";

/** What is responded to a word where the organization has set nothing else. Each is one part of the GSM alphabet. */
export const REPLY_TEXTS: Readonly<Record<WordFamily, string>> = {
	stop: "You have opted out and get no more messages from us. Reply START to get them again.",
	start: "You get messages from us again. Reply STOP to opt out.",
	help: "Reply STOP to get no more messages from us, or START to get them again.",
};
