/** The path of a route with the parameters of one request filled in. */
export function routePath(route: string, params: unknown): string {
	return route.replace(/:(\w+)/g, (_, name: string) =>
		encodeURIComponent(String(Reflect.get(Object(params), name))),
	);
}
