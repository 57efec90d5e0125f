-- The text of a campaign is kept as long as the names of its recipients.
update campaigns set message_template = '' where kept <> 'names';
