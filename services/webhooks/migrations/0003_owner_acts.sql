alter table endpoints add column disabled_at timestamptz(3);

update endpoints
set disabled_at = now()
where status = 'disabled';

alter table endpoints add check ((status = 'disabled') = (disabled_at is not null));

-- Secrets that a rotation replaced; they sign beside the new one for a while. Sealed as before, for the endpoint's id.
create table retired_secrets (
	endpoint_id uuid not null,
	secret bytea not null,
	signs_until timestamptz(3) not null
);

create index retired_secrets_endpoint on retired_secrets (endpoint_id, signs_until);
create index retired_secrets_over on retired_secrets (signs_until);

-- An event need not be about a message.
alter table events alter column message_id drop not null;

-- Deliveries are listed by the ids of their events, which follow time.
create index events_organization on events (organization_id, id) include (endpoint_count);
drop index events_counted;
create index dead_deliveries_listed on dead_deliveries (endpoint_id, event_id);
drop index dead_deliveries_endpoint;

-- The log of a delivery that was queued again tells of every attempt from then on.
alter table delivery_queue add column is_repeated boolean not null default false;
