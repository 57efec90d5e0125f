import type { CommonContext } from "../common-context.ts";
import {
	createPartitions,
	MissingPartitionsError,
} from "./create-partitions.ts";

/** Logs what cannot be created; returns 0, for nothing waits for it until the next regular try. */
export async function keepPartitions({
	sql,
	log,
	clock,
}: Pick<CommonContext, "sql" | "log" | "clock">): Promise<number> {
	try {
		await createPartitions(sql, clock());
	} catch (err) {
		if (!(err instanceof MissingPartitionsError)) throw err;
		log.error({ err }, "partitions are missing");
	}
	return 0;
}
