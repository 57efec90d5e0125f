-- No other index begins with the recipient, so the choice does not hang on how long the queue seems.
drop index dispatch_by_recipient;
create index dispatch_by_recipient on dispatch (recipient);
