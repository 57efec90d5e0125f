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
	check ((status = 'disabled') = (disabled_reason is not null)),
	check ((status = 'deleted') = (deleted_at is not null))
);

create index endpoints_newest on endpoints (organization_id, created_at desc, id desc) where status <> 'deleted';
create index endpoints_failing on endpoints (failing_since) where failing_since is not null;
create index endpoints_deleted on endpoints (deleted_at) where deleted_at is not null;

-- The body is stored once, as the exact text that is signed and sent to every endpoint.
create table events (
	id uuid primary key,
	organization_id uuid not null,
	message_id uuid not null,
	type text not null,
	body text not null,
	occurred_at timestamptz(3) not null,
	created_at timestamptz(3) not null
);

create index events_message on events (message_id);
create index events_created on events (created_at);

-- No foreign keys: rows come and go in the same statements as their events, and a check per row
-- would lock the endpoint's row, which failure counts update.
create table deliveries (
	event_id uuid not null,
	endpoint_id uuid not null,
	organization_id uuid not null,
	state text not null default 'pending' check (state in ('pending', 'sending', 'delivered', 'dead')),
	attempt integer not null default 0,
	due_at timestamptz,
	lease_token uuid,
	lease_until timestamptz,
	last_http_status integer,
	last_error text,
	primary key (event_id, endpoint_id),
	check ((state = 'pending') = (due_at is not null)),
	check ((state = 'sending') = (lease_token is not null and lease_until is not null))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1);

-- One queue per endpoint: a claim reads the head of a queue, however long it is.
create index deliveries_due on deliveries (endpoint_id, due_at) where state = 'pending';
create index deliveries_leased on deliveries (lease_until) where state = 'sending';
create index deliveries_by_organization on deliveries (organization_id, state);

create table attempts (
	id bigint generated always as identity primary key,
	event_id uuid not null,
	endpoint_id uuid not null,
	attempt integer not null,
	http_status integer,
	error text,
	duration_ms integer not null,
	at timestamptz not null default now()
);

create index attempts_event on attempts (event_id);
