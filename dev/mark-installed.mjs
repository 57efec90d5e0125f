import { markInstalled } from "./installed.mjs";

// Runs as the root's postinstall, which npm calls with these options too though it installs nothing.
const { npm_config_package_lock_only, npm_config_dry_run } = process.env;
if (!npm_config_package_lock_only && !npm_config_dry_run) markInstalled();
