create table outbox (
	position bigserial primary key,
	event_id uuid not null,
	topic text not null,
	type text not null,
	key text not null,
	organization_id text not null,
	payload bytea not null,
	traceparent text,
	created_at timestamptz not null default now()
) with (
	-- Every row is deleted soon: dead ones must go before they slow the relay's scan.
	autovacuum_vacuum_scale_factor = 0,
	autovacuum_vacuum_threshold = 5000,
	autovacuum_vacuum_insert_scale_factor = 0,
	autovacuum_vacuum_insert_threshold = 50000
);
