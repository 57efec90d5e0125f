-- A removed number keeps its messages and conversations; the number itself may be registered again, by anybody.
alter table phone_numbers
	drop constraint phone_numbers_status,
	add constraint phone_numbers_status check (status in ('active', 'stopped', 'removed')),
	drop constraint phone_numbers_phone,
	drop constraint phone_numbers_provider_id;

create unique index phone_numbers_phone on phone_numbers (phone) where status <> 'removed';
create unique index phone_numbers_provider_id on phone_numbers (provider_phone_number_id)
	where status <> 'removed';
create index phone_numbers_by_provider_id on phone_numbers (provider_phone_number_id);

-- Organizations whose accepted messages an admin holds back.
create table held_organizations (
	organization_id uuid primary key,
	held_at timestamptz not null default now()
);
