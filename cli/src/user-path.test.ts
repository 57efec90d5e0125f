import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { shellWord } from "./user-path.ts";

it.each(["/home/ada/my dir é", "it's", '$HOME "x" `y`', "a\\b", "-x*"])(
	"%s reaches a command as it was typed",
	(path) => {
		const pasted = `printf %s ${shellWord(path)}`;
		expect(execFileSync("sh", ["-c", pasted], { encoding: "utf8" })).toBe(path);
	},
);

it("a plain path needs no quotes", () => {
	expect(shellWord("../my-data/x.1")).toBe("../my-data/x.1");
});
