import type { OutgoingMessage } from "../outgoing-message.ts";
import { groupOf } from "./http-request.ts";
import type { HttpRoute } from "./http-route.ts";

export interface BatchedJob {
	readonly message: OutgoingMessage;
	/** It shares no request. */
	readonly isAlone?: boolean;
	/** What its request has in common with those of others, by the settings that it was found for. */
	group?: { readonly route: HttpRoute; readonly key: string };
}

/** Messages of one request. */
export interface Batch<Job> {
	readonly route: HttpRoute;
	readonly group: string;
	readonly jobs: Job[];
}

/** Requests that are being filled with messages which may be written at the same moment. */
export class FillingBatches<Job extends BatchedJob> {
	readonly #filling = new Set<Batch<Job>>();

	/** Messages that they have place for, each of `size`. */
	room(size: number): number {
		const left = [...this.#filling].map(({ jobs }) => size - jobs.length);
		return left.reduce((sum, one) => sum + one, 0);
	}

	/** One that the message may join; else a new one where `mayOpen`. */
	placeFor(
		job: Job,
		route: HttpRoute,
		{ size, mayOpen }: { readonly size: number; readonly mayOpen: boolean },
	): Batch<Job> | undefined {
		const group = size === 1 ? "" : toGroup(job, route);
		const filling = [...this.#filling].find(
			(batch) =>
				batch.route === route &&
				batch.group === group &&
				batch.jobs.length < size &&
				hasNone(batch, job.message.to),
		);
		if (filling !== undefined) return filling;
		return mayOpen ? { route, group, jobs: [] } : undefined;
	}

	/** Lets others join until all that may be written now is. */
	fill(batch: Batch<Job>, leave: () => void): void {
		this.#filling.add(batch);
		setImmediate(() => {
			this.#filling.delete(batch);
			leave();
		});
	}
}

function toGroup(job: BatchedJob, route: HttpRoute): string {
	if (job.group?.route !== route)
		job.group = { route, key: groupOf(job.message, route) };
	return job.group.key;
}

/** A response that goes by recipients could not tell two messages to one of them apart. */
function hasNone({ jobs }: Batch<BatchedJob>, recipient: string): boolean {
	return jobs.every(({ message }) => message.to !== recipient);
}
