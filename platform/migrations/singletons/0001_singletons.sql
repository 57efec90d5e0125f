-- Who does what one process does at a time; another may take over once the lease has run out.
create table singletons (
	name text primary key,
	token uuid not null,
	lease_until timestamptz not null
);
