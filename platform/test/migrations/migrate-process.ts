import { runMigrations } from "../../src/database/migration/migration-job.ts";

/** Applies the files of a folder, as a service's job does; the test may kill it. */
const [dir = ""] = process.argv.slice(2);
await runMigrations("notes", [{ name: "sample", dir: new URL(dir) }]);
