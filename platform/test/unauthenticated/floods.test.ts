import { expect, test } from "vitest";
import { withstand } from "./under-flood.ts";

test.each([
	"unfinished bodies over HTTP/2",
	"unfinished bodies over HTTP/1.1",
	"streams that are reset",
	"silent connections",
	"connections that send nothing",
])(
	"%s of unauthenticated peers neither stop a service nor fill its memory",
	async (flood) => {
		expect(await withstand(flood)).toMatchObject({ failed: 0 });
	},
);
