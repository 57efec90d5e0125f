create table conversations (
	id uuid primary key,
	organization_id uuid not null,
	phone_number_id uuid not null references phone_numbers (id),
	-- E.164 with "+"; null when the user hides the number.
	recipient text,
	-- The provider's two names for the user; the first may differ from the number that was dialled.
	wa_id text,
	user_id text,
	window_opened_at timestamptz(3),
	window_expires_at timestamptz(3),
	-- True while the window may be open: set by messages, cleared a little after the end.
	maybe_open boolean not null default false,
	created_at timestamptz(3) not null default now(),
	last_message_at timestamptz(3) not null default now(),
	-- The week of the last message: an index on its time itself would make each message's update of its conversation write
	-- all indexes, one on the week does so once a week.
	last_message_week date
		generated always as (date_trunc('week', last_message_at at time zone 'UTC')::date) stored,
	constraint conversations_user check (num_nonnulls(recipient, wa_id, user_id) > 0),
	constraint conversations_window check (
		(window_opened_at is null) = (window_expires_at is null)
	),
	constraint conversations_recipient unique (phone_number_id, recipient),
	constraint conversations_wa_id unique (phone_number_id, wa_id),
	constraint conversations_user_id unique (phone_number_id, user_id)
);

create index conversations_newest on conversations (organization_id, created_at desc, id desc);
create index conversations_open on conversations (organization_id, created_at desc, id desc)
	where maybe_open;
create index conversations_closed on conversations (organization_id, created_at desc, id desc)
	where not maybe_open;
create index conversations_expiring on conversations (window_expires_at) where maybe_open;
create index conversations_by_recipient on conversations (organization_id, recipient, created_at desc, id desc);
create index conversations_by_week on conversations (last_message_week);

-- A table that was counted while it held one row would make these columns look unique, and any index that begins with
-- one of them as good as the right one. Without statistics the planner takes the index that names most columns.
alter table conversations alter column phone_number_id set statistics 0;
alter table conversations alter column organization_id set statistics 0;

-- A message in the queue is accepted; whether it was claimed before, the queue alone knows.
create table messages (
	id uuid primary key,
	organization_id uuid not null,
	phone_number_id uuid not null references phone_numbers (id),
	direction text not null,
	type text not null,
	-- E.164 with "+"; null when the user hides the number.
	recipient text,
	status text not null,
	billing_category text not null,
	template_name text,
	template_language text,
	error_code text,
	client_reference text,
	provider_message_id text,
	-- The provider's error as received: for support cases, never for clients.
	provider_error text,
	attempts integer not null default 0,
	created_at timestamptz(3) not null default now(),
	sent_at timestamptz(3),
	delivered_at timestamptz(3),
	read_at timestamptz(3),
	finished_at timestamptz(3),
	-- Until when a message without a response waits for a status.
	unknown_until timestamptz(3),
	-- Where the trace of a message that is traced goes on; null costs a bit of the row.
	traceparent text,
	constraint messages_direction check (direction in ('outbound', 'inbound')),
	constraint messages_type check (type in ('template', 'text')),
	constraint messages_status check (
		case direction
			when 'inbound' then status = 'received'
			else status in ('accepted', 'unknown', 'sent', 'delivered', 'read', 'failed')
		end
	),
	constraint messages_billing check (
		billing_category in ('utility', 'authentication', 'service')
	),
	constraint messages_template check ((type = 'template') = (template_name is not null)),
	constraint messages_error check ((status = 'failed') = (error_code is not null)),
	constraint messages_finished check (
		direction = 'inbound'
		or (status in ('delivered', 'read', 'failed')) = (finished_at is not null)
	),
	constraint messages_unknown check (status <> 'unknown' or unknown_until is not null),
	constraint messages_provider_id unique (phone_number_id, provider_message_id)
);

create index messages_newest on messages (organization_id, created_at desc, id desc);
create index messages_by_status on messages (organization_id, status, created_at desc, id desc);
create index messages_by_billing on messages (organization_id, billing_category, created_at desc, id desc);
create index messages_by_recipient on messages (organization_id, recipient, created_at desc, id desc);
create index messages_by_template on messages (organization_id, template_name, created_at desc, id desc)
	where template_name is not null;
create index messages_unknown on messages (unknown_until) where status = 'unknown';

-- As with conversations.
alter table messages alter column phone_number_id set statistics 0;
alter table messages alter column organization_id set statistics 0;
