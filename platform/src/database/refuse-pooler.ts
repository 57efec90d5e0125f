import { ConfigError } from "../runtime/config.ts";
import { type Db, dedicatedConnection } from "./database.ts";

const SENTENCE =
	"DATABASE_URL leads to a pooler that gives a connection no session of its own with its settings: " +
	"name PostgreSQL itself, or a pool in session mode that passes settings on.";
/** Which of two clients asks: twice the same first, then not quite alternating. */
const ASKED = [0, 0, 1, 0, 1, 1, 0, 1] as const;
const TRIES = 2;

/** Throws ConfigError when two connections that are open together do not have a session each, which they keep. */
export async function refuseTransactionPooler(sql: Db): Promise<void> {
	for (let tries = 0; tries < TRIES; tries++)
		if (await haveOwnSessions(sql).catch(refuseRefusal)) return;
	throw new ConfigError(SENTENCE);
}

async function haveOwnSessions(sql: Db): Promise<boolean> {
	const clients = [dedicatedConnection(sql), dedicatedConnection(sql)] as const;
	try {
		const sessions = [new Set<number>(), new Set<number>()] as const;
		for (const nth of ASKED) sessions[nth].add(await sessionOf(clients[nth]));
		const both = sessions[0].union(sessions[1]);
		return both.size === 2 && sessions[0].size === 1;
	} finally {
		await Promise.all(clients.map((client) => client.end({ timeout: 1 })));
	}
}

/** 0 for a session without our settings. */
async function sessionOf(client: Db): Promise<number> {
	const [row] = await client.unsafe<{ id: number }[]>(`
		select case current_setting('plan_cache_mode')
			when 'force_custom_plan' then pg_backend_pid()
			else 0
		end as id
	`);
	return row?.id ?? 0;
}

/** Most poolers do not even take the settings with which a session begins. */
function refuseRefusal(error: unknown): never {
	const { message } = error as Error;
	if (message.startsWith("unsupported startup parameter"))
		throw new ConfigError(SENTENCE, { cause: error });
	throw error;
}
