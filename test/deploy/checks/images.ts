import type { Overlay } from "../manifest.ts";
import { programOf, workloads } from "../workload.ts";

const VERSIONED = /:(?!latest$)[\w.-]+$|@sha256:[0-9a-f]{64}$/;

/** Images without a version or digest, and programs of ours that run from different ones. */
export function imageFaults(overlay: Overlay, version: string): string[] {
	const containers = workloads(overlay).flatMap(({ pod }) => pod.containers);
	const own = new Set(containers.filter(programOf).map(({ image }) => image));
	return [
		...containers
			.filter(({ image }) => !VERSIONED.test(image))
			.map(({ image }) => `${image} has no version`),
		...(own.size === 1 ? [] : [`programs of ours run from ${[...own]}`]),
		...[...own]
			.filter((image) => !image.includes("@sha256:"))
			.filter((image) => !image.endsWith(`:${version}`))
			.map((image) => `${image} is not of version ${version}`),
	];
}
