import manifest from "../package.json" with { type: "json" };

/** Version of the software. */
export const version: string = manifest.version;
