import { writeFile } from "node:fs/promises";
import { openApiText } from "./openapi/standalone.ts";

await writeFile(
	new URL("../openapi.json", import.meta.url),
	await openApiText(),
);
