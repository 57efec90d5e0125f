import { type Env, readConfig } from "@airtower/platform/runtime/config";
import { z } from "zod";

const schema = z.object({
	KUBECTL: z.string().default("kubectl"),
	/** A command line that builds an image: `-t <name> --target <stage> .` and the Dockerfile are added. */
	IMAGE_BUILD: z.string().default("docker build"),
	/** A command line that prints what an image is; by default that of the program that builds it. */
	IMAGE_INSPECT: z.string().optional(),
	/** A command line that brings an image into the cluster; its name is added. `none` when the cluster pulls them. */
	IMAGE_LOAD: z.string().default("kind load docker-image"),
	/** Put before the names of the images that are built: a registry, or `localhost/`. */
	IMAGE_PREFIX: z.string().default(""),
	POSTGRES_IMAGE: z.string().default("postgres:18"),
	KAFKA_IMAGE: z.string().default("apache/kafka:4.3.1"),
	/** How long messages are sent while pods come and go, seconds. */
	LOAD_S: z
		.string()
		.regex(/^\d{2,4}$/, "must be a whole number of seconds")
		.default("240"),
});

export type Settings = z.infer<typeof schema>;

/** Throws ConfigError naming every bad setting. */
export function readSettings(env: Env): Settings {
	return readConfig(schema, env);
}
