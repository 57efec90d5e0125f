create table plans (
	name text primary key check (name ~ '^[a-z][a-z0-9_-]{0,49}$'),
	requests_per_minute integer not null default 3000 check (requests_per_minute between 1 and 1000000),
	created_at timestamptz(3) not null default now()
);

insert into plans (name) values ('default');

create table organizations (
	id uuid primary key,
	name text not null constraint organizations_name_unique unique check (char_length(name) between 1 and 200),
	email text not null check (char_length(email) between 3 and 320),
	state text not null check (state in ('trial', 'active', 'past_due', 'suspended', 'closed')),
	default_country text check (default_country ~ '^[A-Z]{2}$'),
	created_at timestamptz(3) not null default now()
);

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
