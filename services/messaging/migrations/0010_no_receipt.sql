-- How far a job has come that looks at every message once, in the order of ids.
create table walks (
	name text primary key,
	upto uuid not null
);

insert into walks values ('no_receipt', '00000000-0000-0000-0000-000000000000');
