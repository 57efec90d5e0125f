-- How many messages an organization sent, and what became of them: a row for each value of a dimension and each currency. Hours
-- are kept for all messages together; every other dimension is kept by day, so that a report reads few rows.
create table report_counts (
	organization_id uuid not null,
	dimension text not null check (
		dimension in ('hour', 'country', 'prefix', 'route', 'sender', 'campaign', 'template')
	),
	-- Beginning of the hour or day of UTC in which the messages were accepted, by the times in their ids.
	begins_at timestamptz(0) not null,
	-- Empty for messages without one.
	value text not null,
	channel text not null check (channel in ('sms', 'whatsapp')),
	-- Of the cost, empty where none is known: so for all that were accepted.
	currency text not null,
	-- Each message once, and once more when it ends.
	accepted bigint not null,
	delivered bigint not null,
	canceled bigint not null,
	-- How many failed for which reason, and how many of the delivered ones needed which time to their receipt. The counts of all reasons,
	-- and of all times, are one number, so that they are added up at once; see src/domain/packed-counts.ts.
	failures numeric not null,
	receipt_times numeric not null,
	segments bigint not null,
	cost_micros bigint not null,
	primary key (organization_id, dimension, begins_at, value, channel, currency)
) with (fillfactor = 70);

-- The slot of each reason in `failures`.
create table report_reasons (
	slot integer generated always as identity primary key,
	reason text not null unique
);

-- What is in the counts: the acceptances by their event, the ends by their message.
create table report_marks (
	id uuid primary key
);
