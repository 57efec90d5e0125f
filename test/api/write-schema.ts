import { writeFile } from "node:fs/promises";
import { generatedSchema } from "./generated-schema.ts";

await writeFile(
	new URL("./schema.gen.ts", import.meta.url),
	await generatedSchema(),
);
