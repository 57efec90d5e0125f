import { z } from "zod";
import type { Settings } from "./settings.ts";
import { runLine } from "./shell.ts";

const MAX_BYTES = 250_000_000;

const inspected = z.tuple([
	z.object({
		Size: z.number().max(MAX_BYTES),
		Config: z.object({
			User: z
				.string()
				.regex(/^[1-9]\d*(:[1-9]\d*)?$/, "must be a number, and not root's"),
			Entrypoint: z.tuple([z.literal("/usr/local/bin/node")]),
			StopSignal: z.literal("SIGTERM"),
			Labels: z.object({
				"org.opencontainers.image.title": z.string(),
				"org.opencontainers.image.version": z.string(),
				"org.opencontainers.image.description": z.string(),
			}),
		}),
	}),
]);

/** Throws a ZodError when the product's image is too large, runs as root, or does not say what it is. */
export async function checkImage(
	{ IMAGE_BUILD, IMAGE_INSPECT }: Settings,
	name: string,
): Promise<void> {
	const [program] = IMAGE_BUILD.split(" ");
	const line = IMAGE_INSPECT ?? `${program} image inspect`;
	inspected.parse(JSON.parse(await runLine(line, name)));
}
