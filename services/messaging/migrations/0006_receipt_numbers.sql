-- Ends of the numbers that a receipt names: what tells its message from another whose id can be read as the receipt's.
alter table receipts add column number_tails text[] not null default '{}';
