import type { AddressInfo } from "node:net";
import { createControlServer } from "../control-server.ts";
import {
	type BusinessAccount,
	createBusinessAccount,
} from "./business-account.ts";
import type { CloudApiOptions } from "./cloud-api-options.ts";
import { controlRoutes } from "./control.ts";
import { graphRoutes } from "./graph-routes.ts";

export interface CloudApi {
	/** `http://host:port`: the base URL, without the version. */
	readonly url: string;
	readonly account: BusinessAccount;
	close(): Promise<void>;
}

export async function startCloudApi(
	options: CloudApiOptions,
): Promise<CloudApi> {
	const { host = "127.0.0.1", port = 0 } = options;
	const account = createBusinessAccount(options);
	const app = createControlServer();
	await app.register(controlRoutes(account), { prefix: "/control" });
	await app.register(graphRoutes(account, options));
	await app.listen({ host, port });
	const { port: bound } = app.server.address() as AddressInfo;
	return {
		url: `http://${host}:${bound}`,
		account,
		close: async () => {
			await app.close();
			account.close();
		},
	};
}
