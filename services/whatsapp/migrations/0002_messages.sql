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
	constraint messages_direction check (direction in ('outbound', 'inbound')),
	constraint messages_type check (type in ('template', 'text')),
	constraint messages_status check (
		case direction
			when 'inbound' then status = 'received'
			else status in (
				'accepted', 'submitting', 'unknown', 'sent', 'delivered', 'read', 'failed'
			)
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
	constraint messages_provider_id unique (phone_number_id, provider_message_id)
);

create index messages_newest on messages (organization_id, created_at desc, id desc);
create index messages_by_status on messages (organization_id, status, created_at desc, id desc);
create index messages_by_billing on messages (organization_id, billing_category, created_at desc, id desc);
create index messages_by_recipient on messages (organization_id, recipient, created_at desc, id desc);
create index messages_by_template on messages (organization_id, template_name, created_at desc, id desc)
	where template_name is not null;

-- Due work only: a row leaves when the message has an answer or an end.
create table dispatch (
	message_id uuid primary key,
	phone_number_id uuid not null,
	recipient text not null,
	template_id uuid,
	-- Template parameters or the text. Kept here alone, and only until the submit.
	content jsonb,
	state text not null default 'queued',
	due_at timestamptz not null default now(),
	expires_at timestamptz not null,
	attempt integer not null default 0,
	refusals integer not null default 0,
	token uuid,
	lease_until timestamptz,
	constraint dispatch_state check (state in ('queued', 'claimed', 'submitting', 'unknown')),
	constraint dispatch_lease check (
		(state in ('claimed', 'submitting')) = (token is not null)
		and (token is null) = (lease_until is null)
	),
	constraint dispatch_content check ((state = 'unknown') = (content is null))
) with (
	autovacuum_vacuum_scale_factor = 0.05,
	autovacuum_vacuum_threshold = 2000
);

create index dispatch_due on dispatch (phone_number_id, due_at, message_id) where state = 'queued';
create index dispatch_by_recipient on dispatch (phone_number_id, recipient) where state = 'queued';
create index dispatch_leases on dispatch (lease_until) where lease_until is not null;
create index dispatch_expiring on dispatch (expires_at) where state = 'queued';
create index dispatch_unknown on dispatch (due_at) where state = 'unknown';
