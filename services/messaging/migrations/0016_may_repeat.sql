-- An unknown message is claimed once the parked receipts to its number have been looked at after it was due.
alter table dispatch add column may_repeat boolean not null default false;
