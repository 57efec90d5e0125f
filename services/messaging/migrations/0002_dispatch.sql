-- One row per dispatcher process; the rows it has claimed carry its token.
create table dispatchers (
	token uuid primary key,
	lease_until timestamptz not null
);

-- Due work only: a row leaves when the operator has taken or refused the message.
create table dispatch (
	message_id uuid primary key,
	organization_id uuid not null,
	route text not null,
	state text not null default 'queued',
	due_at timestamptz not null default now(),
	expires_at timestamptz not null,
	attempt integer not null default 0,
	refusals integer not null default 0,
	doubtful boolean not null default false,
	resent boolean not null default false,
	token uuid,
	constraint dispatch_state check (state in ('queued', 'claimed', 'submitting', 'unknown')),
	constraint dispatch_token check ((state in ('claimed', 'submitting')) = (token is not null))
) with (
	fillfactor = 50,
	autovacuum_vacuum_scale_factor = 0.05,
	autovacuum_vacuum_threshold = 2000
);

-- Neither state nor token is indexed: claiming and marking are heap-only updates.
create index dispatch_due on dispatch (route, organization_id, due_at, message_id);
