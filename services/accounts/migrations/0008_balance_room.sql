-- What a message took is given back also where its organization was granted the most that can be granted meanwhile: one
-- that could not be given back would keep back those of all others.
alter table balances
drop constraint balances_in_range,
add constraint balances_in_range check (balance between 0 and 2000000000000000) not valid;
