-- Pauses of a number, one after the other, in which the provider took nothing of it.
alter table pacing add column throttles smallint not null default 0;
