create table idempotency_keys (
	organization_id uuid not null,
	key text not null,
	fingerprint bytea not null,
	response bytea not null,
	created_at timestamptz not null default now(),
	-- A key is kept as long as a caller may repeat its request: some are repeated for longer than a day.
	expires_at timestamptz not null default now() + interval '24 hours',
	primary key (organization_id, key)
);

create index idempotency_keys_expiring on idempotency_keys (expires_at);
