import { uuidv7 } from "@airtower/platform/runtime/ids";

export const HOOK = {
	url: "http://127.0.0.1:9/hook",
	subscribed_events: ["message.delivered", "message.failed"] as const,
};

let serial = 0;

/** A number nobody else has. */
export function freshPhone(): string {
	return `+336${String(10_000_000 + ++serial)}`;
}

export const contactBody = () => ({
	name: "Ada",
	phone: freshPhone(),
	email: "ada@example.com",
	tags: ["gold"],
});
export const optOutBody = () => ({ recipient: freshPhone() });
export const optOutListBody = () => ({ csv: `recipient\n${freshPhone()}` });
export const campaignBody = () => ({
	name: "Later",
	message_template: "Hello",
	audience_tags: ["gold"],
	scheduled_at: new Date(Date.now() + 86_400_000).toISOString(),
});
export const senderBody = () => ({ value: `S${++serial}x` });
export const keyBody = () => ({ name: uuidv7() });
