-- One row for each process that works on the queues; the rows that it has claimed carry its token.
create table leases (
	token uuid primary key,
	lease_until timestamptz not null,
	-- A lease is as long as the time between these two. Who waits for its end measures that by a clock of its own.
	renewed_at timestamptz not null default now()
);
