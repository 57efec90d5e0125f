import type { Overlay } from "../manifest.ts";
import { programOf, workloads } from "../workload.ts";

/** Images without a version, and programs of ours that run from different ones. */
export function imageFaults(overlay: Overlay, version: string): string[] {
	const containers = workloads(overlay).flatMap(({ pod }) => pod.containers);
	const own = new Set(containers.filter(programOf).map(({ image }) => image));
	return [
		...containers
			.filter(({ image }) => !/:(?!latest$)[\w.-]+$/.test(image))
			.map(({ image }) => `${image} has no version`),
		...(own.size === 1 ? [] : [`programs of ours run from ${[...own]}`]),
		...[...own]
			.filter((image) => !image.endsWith(`:${version}`))
			.map((image) => `${image} is not of version ${version}`),
	];
}
