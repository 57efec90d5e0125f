import { createHash } from "node:crypto";
import { SendWhatsAppMessageSchema } from "@airtower/proto/whatsapp/v1/whatsapp";
import { create } from "@bufbuild/protobuf";
import { acceptMessages } from "../../../src/accepting/accept-messages.ts";
import type { Order, Process, World } from "./world.ts";

const MOST_KEYS = 5;

/** A message without a key, or with one that may be known; twins of it come to two processes at a time. */
export async function accept(world: World, { ctx }: Process): Promise<void> {
	const line = world.pick(world.lines);
	if (line?.owner === undefined) return;
	const { organizationId, id: numberId } = line.owner;
	const isText = world.random() < 0.5;
	const writers = [...world.windows].filter((key) => key.startsWith(numberId));
	const writer = isText ? world.pick(writers)?.split(" ")[1] : undefined;
	const user = writer ?? world.userOf(organizationId);
	const fresh = { line, organizationId, numberId, user, isText };
	const nth = Math.floor(world.random() * MOST_KEYS * 4);
	const key = nth < MOST_KEYS ? `key-${nth}` : undefined;
	const known = world.orders.get(`${organizationId} ${key}`);
	const order = known ?? fresh;
	const twin = key === undefined ? undefined : world.pick(world.running());
	const neverGivesUp = new AbortController().signal;
	const results = await Promise.all(
		[ctx, ...(twin ? [twin.ctx] : [])].map((ctx) =>
			acceptMessages(ctx, [toMessage(order, key)], neverGivesUp),
		),
	);
	for (const [one] of results) {
		const { result } = one ?? {};
		if (result?.case === "accepted")
			recordAccepted(world, order, key, result.value.messageId);
		else if (
			known !== undefined ||
			result?.value?.reason !== "service_window_closed"
		)
			world.violations.push(`refused: ${result?.value?.reason}`);
	}
}

function toMessage(order: Order, key: string | undefined) {
	const { organizationId, numberId, user, isText } = order;
	const template = { name: "notice", language: "en_US", category: "utility" };
	return create(SendWhatsAppMessageSchema, {
		organizationId,
		phoneNumberId: numberId,
		to: `+${user}`,
		clientReference: `lead ${user}`,
		content: isText
			? { case: "text", value: { body: `Dear ${user}` } }
			: { case: "template", value: template },
		...(key !== undefined && {
			idempotency: {
				key,
				fingerprint: createHash("sha256").update(user).digest(),
			},
		}),
	});
}

function recordAccepted(
	world: World,
	order: Order,
	key: string | undefined,
	id: string,
): void {
	const name = `${order.organizationId} ${key}`;
	const first = world.sent.get(id);
	if (first !== undefined) {
		if (world.orders.get(name) !== first)
			world.violations.push("an id was given twice");
		return;
	}
	if (world.orders.has(name))
		world.violations.push("one key made two messages");
	const { numberId, user, isText } = order;
	if (isText && !world.windows.has(`${numberId} ${user}`))
		world.violations.push("a text was accepted out of the window");
	const sent = { ...order, id };
	world.sent.set(id, sent);
	world.erased.delete(user);
	if (key !== undefined) world.orders.set(name, sent);
}
