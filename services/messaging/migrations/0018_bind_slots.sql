-- One row for each connection that an operator grants. Who holds the lease keeps it up; without a token it is free.
create table bind_slots (
	route text not null,
	slot smallint not null,
	token uuid references leases on delete set null,
	primary key (route, slot)
);
