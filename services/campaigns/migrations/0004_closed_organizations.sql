-- Organizations that are closed for good: their campaigns end, also those that start later.
create table closed_organizations (
	organization_id uuid primary key,
	noted_at timestamptz not null default now()
);
