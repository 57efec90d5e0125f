create table endpoints (
	id uuid primary key,
	organization_id uuid not null,
	url text not null,
	subscribed_events text[] not null,
	status text not null default 'active' check (status in ('active', 'disabled', 'deleted')),
	disabled_reason text,
	-- AES-256-GCM, sealed for this row's id; emptied when the endpoint is deleted.
	secret bytea not null,
	failures integer not null default 0,
	failing_since timestamptz,
	last_failed_at timestamptz,
	created_at timestamptz(3) not null default now(),
	deleted_at timestamptz,
	disabled_at timestamptz(3),
	check ((status = 'disabled') = (disabled_reason is not null)),
	check ((status = 'deleted') = (deleted_at is not null)),
	check ((status = 'disabled') = (disabled_at is not null))
);

create index endpoints_newest on endpoints (organization_id, created_at desc, id desc) where status <> 'deleted';
create index endpoints_failing on endpoints (failing_since) where failing_since is not null;
create index endpoints_deleted on endpoints (deleted_at) where deleted_at is not null;
create index endpoints_organization on endpoints (organization_id);

-- Secrets that a rotation replaced; they sign beside the new one for a while. Sealed as before, for the endpoint's id.
create table retired_secrets (
	endpoint_id uuid not null,
	secret bytea not null,
	signs_until timestamptz(3) not null
);

create index retired_secrets_endpoint on retired_secrets (endpoint_id, signs_until);
create index retired_secrets_over on retired_secrets (signs_until);
