-- How the text was split into these parts: those of another split do not fit together. Null for a message of one part, and
-- for parts of a release that did not tell.
alter table parts add column split integer;
