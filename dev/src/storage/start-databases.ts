import { join } from "node:path";
import { onOwnPorts } from "../ports/on-own-ports.ts";
import { StartError } from "../processes/start-error.ts";
import { createPostgres } from "../servers/postgres.ts";
import {
	type Assembly,
	reportReady,
	supervisionFor,
} from "../start/assembly.ts";
import { type Databases, ensureDatabase, ensureRoles } from "./databases.ts";

export async function startDatabases(assembly: Assembly): Promise<Databases> {
	const { databaseUrl } = assembly.options;
	const { adminUrl, socketDir } =
		databaseUrl === undefined
			? await startEmbeddedPostgres(assembly)
			: { adminUrl: checkDatabaseUrl(databaseUrl), socketDir: undefined };
	const databases = await ensureRoles(adminUrl, assembly.secrets, socketDir);
	reportReady(assembly, "PostgreSQL");
	return databases;
}

async function startEmbeddedPostgres(assembly: Assembly) {
	const server = await onOwnPorts(async () => {
		const server = await createPostgres({
			dataDir: join(assembly.dataDir, "postgres"),
			password: assembly.secrets.postgresPassword,
			supervision: supervisionFor(assembly, "postgres"),
		});
		assembly.processes.set("postgres", server.process);
		return { ...server, start: () => server.process.start() };
	}, assembly.callOff.signal);
	const adminUrl = await ensureDatabase(server.url);
	return { adminUrl, socketDir: server.socketDir };
}

function checkDatabaseUrl(text: string): string {
	const url = URL.parse(text);
	const known = url !== null && /^postgres(ql)?:$/.test(url.protocol);
	if (known && url.hostname !== "") return text;
	throw new StartError(
		"DATABASE_URL must be an address like postgres://user:password@host:5432/database.",
	);
}
