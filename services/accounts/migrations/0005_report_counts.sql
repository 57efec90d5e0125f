-- How many messages an organization sent, and what became of them: a row for each value of a dimension and each result. Hours
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
	result text not null check (result in ('accepted', 'delivered', 'failed', 'canceled')),
	-- Why they failed, empty otherwise.
	reason text not null check ((result = 'failed') = (reason <> '')),
	-- Of the cost, empty where none is known.
	currency text not null,
	messages bigint not null,
	segments bigint not null,
	cost_micros bigint not null,
	-- Of delivered messages: how many needed which time to their receipt. The counts of all buckets are one number, so that they are
	-- added up at once; see src/domain/receipt-times.ts.
	receipt_times numeric check ((result = 'delivered') = (receipt_times is not null)),
	primary key (organization_id, dimension, begins_at, value, channel, result, reason, currency)
) with (fillfactor = 70);

-- What is in the counts: the acceptances by their event, the ends by their message.
create table report_marks (
	id uuid primary key
);
