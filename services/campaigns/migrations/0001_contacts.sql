create table contacts (
	id bigint generated always as identity primary key,
	organization_id uuid not null,
	name text not null check (char_length(name) between 1 and 200),
	phone text not null check (phone ~ '^\+[1-9][0-9]{6,14}$'),
	email text,
	tags text[] not null default '{}',
	-- Milliseconds, as lists show them: a page's last row must compare equal to the row itself.
	created_at timestamptz(3) not null default now(),
	constraint contacts_phone_unique unique (organization_id, phone)
);

create index contacts_newest on contacts (organization_id, created_at desc, id desc);

-- One row per tag, in list order: a page of a tag and an audience are index scans however many contacts there are.
create table contact_tags (
	organization_id uuid not null,
	tag text not null,
	created_at timestamptz(3) not null,
	contact_id bigint not null references contacts (id) on delete cascade,
	primary key (organization_id, tag, contact_id)
);

create index contact_tags_newest on contact_tags (organization_id, tag, created_at desc, contact_id desc);
create index contact_tags_contact on contact_tags (contact_id);

-- How many contacts an organization has: counting them at each new one would read them all.
create table contact_counts (
	organization_id uuid primary key,
	contacts integer not null check (contacts >= 0)
) with (fillfactor = 50);
