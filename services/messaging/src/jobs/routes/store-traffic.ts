import type { CommonContext } from "../../context.ts";
import { addTraffic } from "../../store/routes/route-traffic.ts";

/** Stores what this process has counted of its routes since the last time; where that fails it is counted again. */
export async function storeTraffic({
	sql,
	traffic,
}: Pick<CommonContext, "sql" | "traffic">): Promise<number> {
	const counts = traffic.take();
	if (counts.length === 0) return 0;
	try {
		await addTraffic(sql, counts);
	} catch (error) {
		traffic.putBack(counts);
		throw error;
	}
	return 0;
}
