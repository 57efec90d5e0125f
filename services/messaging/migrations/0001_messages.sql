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
	-- What the operator responded to the last submit that it refused, as received.
	operator_error text,
	-- What the receipt said that ended a message of one part, whose row in `parts` does not change.
	receipt_error text,
	-- Where the trace of a message that is traced goes on; null costs a bit of the row.
	traceparent text,
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

-- Parts that an operator has taken; receipts are matched to them.
create table parts (
	message_id uuid not null,
	number smallint not null,
	part_count smallint not null,
	operator_account text not null,
	operator_message_id text not null,
	operator_key text not null,
	state text not null default 'submitted',
	operator_error text,
	-- The number of the last receipt that was stored before the message was claimed, see `dispatch`.
	receipts_before bigint not null default 0,
	primary key (message_id, number),
	constraint parts_state check (state in ('submitted', 'delivered', 'failed'))
) partition by range (message_id);

create index parts_by_operator_key on parts (operator_account, operator_key, message_id);

create table parts_default partition of parts default;

-- Partitions are created with the owner's rights, so that the service's role need not own its tables.
-- The caller holds the locks and moves the default partition's rows: see src/store/partitions.ts.
create function create_partition(parent regclass, name text, fill int) returns void
language plpgsql
security definer
set search_path from current
as $$
begin
	if parent not in ('messages'::regclass, 'parts'::regclass) then
		raise exception '% has no partitions', parent;
	end if;
	execute format('create table %I (like %s including all) with (fillfactor = %s)', name, parent, fill);
end
$$;

create function attach_partition(parent regclass, name text, first uuid, last uuid) returns void
language plpgsql
security definer
set search_path from current
as $$
begin
	execute format('alter table %s attach partition %I for values from (%L) to (%L)', parent, name, first, last);
end
$$;

-- Weeks that are past their retention are dropped with the owner's rights, as they are created. False when it is gone.
create function drop_partition(parent regclass, name text) returns boolean
language plpgsql
security definer
set search_path from current
as $$
begin
	if parent not in ('messages'::regclass, 'parts'::regclass) or name !~ '^(messages|parts)_[0-9]{8}$' then
		raise exception '% is no week of %', name, parent;
	end if;
	if not exists (select from pg_inherits where inhparent = parent and inhrelid = to_regclass(name)) then
		return false;
	end if;
	execute format('drop table %I', name);
	return true;
end
$$;
