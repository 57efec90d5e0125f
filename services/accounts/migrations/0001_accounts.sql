create table plans (
	name text primary key check (name ~ '^[a-z][a-z0-9_-]{0,49}$'),
	requests_per_minute integer not null default 3000 check (requests_per_minute between 1 and 1000000),
	created_at timestamptz(3) not null default now(),
	-- All keys of an organization together have a limit of their own: more keys are no way around the one of a key.
	organization_requests_per_minute integer not null,
	check (organization_requests_per_minute between requests_per_minute and 4000000)
);

insert into plans (name, organization_requests_per_minute) values ('default', 12000);

create table organizations (
	id uuid primary key,
	name text not null constraint organizations_name_unique unique check (char_length(name) between 1 and 200),
	email text not null check (char_length(email) between 3 and 320),
	state text not null check (state in ('trial', 'active', 'past_due', 'suspended', 'closed')),
	default_country text check (default_country ~ '^[A-Z]{2}$'),
	created_at timestamptz(3) not null default now()
);

create index organizations_listed on organizations (created_at, id);

create table subscriptions (
	organization_id uuid primary key references organizations (id),
	plan text not null references plans (name),
	status text not null check (status in ('active', 'past_due', 'canceled')),
	started_at timestamptz(3) not null default now(),
	canceled_at timestamptz(3),
	check ((status = 'canceled') = (canceled_at is not null))
);

create table api_keys (
	id uuid primary key,
	organization_id uuid not null references organizations (id),
	name text not null check (char_length(name) between 1 and 100),
	prefix text not null,
	pepper_id text not null,
	digest bytea not null check (octet_length(digest) = 32),
	scopes text[] not null check (cardinality(scopes) > 0),
	state text not null check (state in ('active', 'expired', 'revoked')),
	created_at timestamptz(3) not null default now(),
	expires_at timestamptz(3),
	revoked_at timestamptz(3),
	last_used_at timestamptz(3),
	constraint api_keys_digest_unique unique (pepper_id, digest),
	check ((state = 'revoked') = (revoked_at is not null)),
	check (state <> 'expired' or expires_at is not null)
);

create unique index api_keys_active_name_unique on api_keys (organization_id, name)
where state = 'active';

-- Lists of keys show those that are not revoked, newest first.
create index api_keys_listed on api_keys (organization_id, created_at, id)
where state <> 'revoked';
