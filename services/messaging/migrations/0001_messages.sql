create table messages (
	id uuid primary key,
	organization_id uuid not null,
	recipient text not null,
	body text not null,
	sender_id uuid not null,
	sender_value text not null,
	client_reference text,
	campaign_id uuid,
	segments smallint not null,
	concat_reference smallint not null,
	route text not null,
	status text not null default 'accepted',
	reason text,
	attempts integer not null default 0,
	part_count smallint,
	possible_duplicate boolean not null default false,
	accepted_at timestamptz not null default now(),
	submitted_at timestamptz,
	finished_at timestamptz,
	constraint messages_status check (
		status in ('accepted', 'submitting', 'unknown', 'submitted', 'delivered', 'failed')
	),
	constraint messages_reason check ((status = 'failed') = (reason is not null)),
	constraint messages_finished check (
		(status in ('delivered', 'failed')) = (finished_at is not null)
	)
) partition by range (id);

create index messages_by_organization on messages (organization_id, id);

-- Catches ids outside every weekly partition, so that an insert never fails for want of one.
create table messages_default partition of messages default;

create table sender_ids (
	id uuid primary key,
	organization_id uuid not null,
	value text not null,
	status text not null default 'pending',
	is_default boolean not null default false,
	rejection_reason text,
	created_at timestamptz not null default now(),
	decided_at timestamptz,
	constraint sender_ids_status check (
		status in ('pending', 'approved', 'rejected', 'suspended')
	),
	constraint sender_ids_value unique (organization_id, value)
);

create unique index sender_ids_default on sender_ids (organization_id) where is_default;
