-- One row for each process that works on the queues; the rows that it has claimed carry its token.
create table leases (
	token uuid primary key,
	lease_until timestamptz not null
);
