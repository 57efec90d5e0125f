-- What the provider sent, as it came: stored before it is acknowledged, read afterwards.
create table callbacks (
	id uuid primary key,
	body bytea not null,
	state text not null default 'stored',
	tries integer not null default 0,
	due_at timestamptz not null default now(),
	-- What of it could not be used, empty when all was.
	note text not null default '',
	received_at timestamptz not null default now(),
	constraint callbacks_state check (state in ('stored', 'processed', 'kept'))
);

create index callbacks_due on callbacks (due_at) where state = 'stored';
create index callbacks_ended on callbacks (state, received_at) where state <> 'stored';
