/** Environment of a Java program: outside a UTF-8 locale it cannot open a path with a letter beyond ASCII. */
export function javaEnv(): NodeJS.ProcessEnv {
	return { ...process.env, LC_ALL: "C.UTF-8" };
}
