-- A key is kept as long as a caller may repeat its request: some are repeated for longer than a day.
alter table idempotency_keys
	add column expires_at timestamptz not null default now() + interval '24 hours';

create index idempotency_keys_expiring on idempotency_keys (expires_at);
drop index idempotency_keys_created_at;
