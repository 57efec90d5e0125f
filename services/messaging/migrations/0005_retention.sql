-- Up to which message texts have been blanked: for one organization, or (the nil id) for all without a retention of
-- their own.
create table body_scans (
	organization_id uuid primary key,
	after_id uuid not null
);

-- Messages that the scan has passed before their texts were due.
create table late_bodies (
	message_id uuid primary key,
	due_at timestamptz not null
);

create index late_bodies_due on late_bodies (due_at);
