-- Whose turn it is when a route cannot take all that waits: 0 one-time passwords, 1 normal, 2 bulk, see src/domain/lanes.ts.
alter table messages add column lane smallint not null default 1;
alter table dispatch add column lane smallint not null default 1;
