import { randomBytes } from "node:crypto";

/** An id of the length and look of Meta's. */
export function newMessageId(): string {
	return `wamid.HBgL${randomBytes(30).toString("base64")}`;
}
