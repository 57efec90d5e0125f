-- A removed number keeps its messages and conversations; the number itself may be registered again, by anybody.
create table phone_numbers (
	id uuid primary key,
	organization_id uuid not null,
	phone text not null,
	provider_phone_number_id text not null,
	provider_account_id text not null,
	-- AES-256-GCM, see platform/src/sealing/sealed-secret.ts; bound to the row's id.
	access_token bytea not null,
	status text not null default 'active',
	stopped_reason text,
	created_at timestamptz(3) not null default now(),
	constraint phone_numbers_status check (status in ('active', 'stopped', 'removed')),
	constraint phone_numbers_stopped check ((status = 'stopped') = (stopped_reason is not null))
);

create unique index phone_numbers_phone on phone_numbers (phone) where status <> 'removed';
create unique index phone_numbers_provider_id on phone_numbers (provider_phone_number_id)
	where status <> 'removed';
create index phone_numbers_by_provider_id on phone_numbers (provider_phone_number_id);
create index phone_numbers_by_organization on phone_numbers (organization_id, created_at, id);
create index phone_numbers_by_account on phone_numbers (provider_account_id);

-- How fast a number sends, over all processes: the rows are locked while work is claimed.
create table pacing (
	phone_number_id uuid primary key references phone_numbers (id),
	-- All send times before this one are taken.
	free_at timestamptz not null default now(),
	paused_until timestamptz not null default '-infinity'
);

-- The business accounts whose templates are read, with the time of the next reading.
create table accounts (
	organization_id uuid not null,
	provider_account_id text not null,
	due_at timestamptz not null default now(),
	primary key (organization_id, provider_account_id)
);

create table templates (
	id uuid primary key,
	organization_id uuid not null,
	provider_account_id text not null,
	provider_template_id text not null,
	name text not null,
	language text not null,
	category text not null,
	status text not null,
	body text not null,
	parameter_count integer not null,
	-- Names of the body's parameters in order; null when they are numbered.
	parameter_names text[],
	-- True when the body's parameters are all that a send must give.
	body_only boolean not null,
	locally_disabled boolean not null default false,
	-- The provider's word on status and category is as of this time.
	observed_at timestamptz not null,
	created_at timestamptz(3) not null default now(),
	updated_at timestamptz(3) not null default now(),
	constraint templates_category check (category in ('utility', 'authentication', 'marketing')),
	constraint templates_status check (
		status in ('pending', 'approved', 'rejected', 'paused', 'disabled')
	),
	constraint templates_name unique (organization_id, provider_account_id, name, language)
);

create index templates_newest on templates (organization_id, created_at desc, id desc);
create index templates_by_account on templates (provider_account_id, name, language);
