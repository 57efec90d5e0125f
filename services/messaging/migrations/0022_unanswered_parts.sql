-- How many parts of the message the operator was known to have when the submit was noted: with more of them, a receipt
-- without a known id may be of one that came since. Null for submits that a release before this one noted.
alter table unanswered add column known_parts smallint;
