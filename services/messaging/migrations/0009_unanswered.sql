-- Submits that ended without a response: what a receipt without a known id may be of. Kept until the receipt or the
-- response has come, and as long as one may.
create table unanswered (
	message_id uuid not null,
	attempt integer not null,
	route text not null,
	recipient_tail text not null,
	sent_at timestamptz not null,
	primary key (message_id, attempt)
);

create index unanswered_by_recipient on unanswered (recipient_tail, sent_at);
create index unanswered_by_age on unanswered (sent_at);

-- When the row was claimed last.
alter table dispatch add column sent_at timestamptz;

-- Few at any time. A claim changes the column only of a row that goes once more.
create index dispatch_unknown on dispatch (message_id) where unknown;

insert into unanswered
select message_id, attempt, dispatch.route, right(recipient, 7), accepted_at
from dispatch
join messages on messages.id = message_id
where unknown;

-- The two addresses that a receipt names, without plus and in small letters.
alter table receipts add column addresses text[] not null default '{}';
