-- The pause between two probes grows from `paused_since`, and the wait for last outcomes ends a time after `staged_at`.
alter table campaigns
	add column paused_since timestamptz,
	add column staged_at timestamptz;
