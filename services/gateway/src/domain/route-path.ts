/** Below which the operations of version 1 are, and to which the paths of the OpenAPI document are relative. */
export const BASE_PATH = "/api/v1";

/** The path of a route with the parameters of one request filled in. */
export function routePath(route: string, params: unknown): string {
	return route.replace(/:(\w+)/g, (_, name: string) =>
		encodeURIComponent(String(Reflect.get(Object(params), name))),
	);
}

/** A route as the OpenAPI document writes it. */
export function documentedPath(route: string): string {
	return withoutBase(route).replace(/:(\w+)/g, "{$1}");
}

export function withoutBase(path: string): string {
	return path.startsWith(`${BASE_PATH}/`) ? path.slice(BASE_PATH.length) : path;
}
