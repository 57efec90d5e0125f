create table idempotency_keys (
	organization_id uuid not null,
	key text not null,
	fingerprint bytea not null,
	response bytea not null,
	created_at timestamptz not null default now(),
	primary key (organization_id, key)
);

create index idempotency_keys_created_at on idempotency_keys (created_at);
