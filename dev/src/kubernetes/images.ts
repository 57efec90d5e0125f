import type { Settings } from "./settings.ts";
import { runLine } from "./shell.ts";

interface Image {
	readonly newName: string;
	readonly newTag: string;
}

/** By the names that the manifests give them. */
export type Images = Readonly<
	Record<"airtower" | "airtower-dev" | "postgres" | "apache/kafka", Image>
>;

const TAG = "0.1.0";
const STAGES = { airtower: "product", "airtower-dev": "dev" } as const;

/** Builds the product's images; PostgreSQL's and Kafka's are taken as they are named. */
export async function buildImages({
	IMAGE_BUILD,
	IMAGE_PREFIX,
	POSTGRES_IMAGE,
	KAFKA_IMAGE,
}: Settings): Promise<Images> {
	const own = (name: string): Image => ({
		newName: `${IMAGE_PREFIX}${name}`,
		newTag: TAG,
	});
	for (const [name, stage] of Object.entries(STAGES)) {
		const target = ["--target", stage, "-t", nameOf(own(name))];
		await runLine(IMAGE_BUILD, "-f", "deploy/Dockerfile", ...target, ".");
	}
	return {
		airtower: own("airtower"),
		"airtower-dev": own("airtower-dev"),
		postgres: imageFrom(POSTGRES_IMAGE),
		"apache/kafka": imageFrom(KAFKA_IMAGE),
	};
}

export async function loadImages(
	{ IMAGE_LOAD }: Settings,
	images: Images,
): Promise<void> {
	if (IMAGE_LOAD === "none") return;
	for (const image of Object.values(images))
		await runLine(IMAGE_LOAD, nameOf(image));
}

/** As `docker` takes it. */
export function nameOf({ newName, newTag }: Image): string {
	return `${newName}:${newTag}`;
}

function imageFrom(name: string): Image {
	const colon = name.lastIndexOf(":");
	return { newName: name.slice(0, colon), newTag: name.slice(colon + 1) };
}
