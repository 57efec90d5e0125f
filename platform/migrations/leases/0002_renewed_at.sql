-- A lease is as long as the time between these two. Who waits for its end measures that by a clock of its own.
alter table leases add column renewed_at timestamptz not null default now();
