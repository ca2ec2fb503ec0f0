-- Messages that were redacted or removed before their webhooks forgot the text too: db/writes/events.ts does it from now on.
-- A message without text may have been sent so, with media; where they are gone as well there is nothing left to be fetched.
CREATE TEMPORARY TABLE "forgotten" ON COMMIT DROP AS
	SELECT "sid" FROM "messages" WHERE "body" = ''
		AND ("date_deleted" IS NOT NULL OR NOT EXISTS (SELECT 1 FROM "media" WHERE "message_sid" = "messages"."sid"));--> statement-breakpoint
UPDATE "events" SET "payload" = replace(
		regexp_replace("payload", '^\{"body":"([^"\\]|\\.)*","bodySize":\d+', '{"body":"","bodySize":0'),
		'"hasAttachment":true', '"hasAttachment":false')
	FROM "forgotten" WHERE "resource_sid" = "forgotten"."sid" AND "payload" LIKE '{"body":%';--> statement-breakpoint
UPDATE "events" SET "payload" = regexp_replace("payload", '^\{"messageBody":"([^"\\]|\\.)*"', '{"messageBody":""')
	FROM "forgotten" WHERE "resource_sid" = "forgotten"."sid" AND "kind" = 'optout/change';--> statement-breakpoint
UPDATE "delivery_attempts" SET "response_head" = NULL
	FROM "deliveries" JOIN "events" ON "events"."sid" = "deliveries"."event_sid"
		JOIN "forgotten" ON "forgotten"."sid" = "events"."resource_sid"
	WHERE "delivery_attempts"."delivery_sid" = "deliveries"."sid" AND "events"."kind" <> 'message/status';--> statement-breakpoint
-- Attempts by GET kept the event's fields in their address, of every message: they begin with its text.
UPDATE "delivery_attempts" SET "url" = regexp_replace("url", '[?&](body=[^&]*&bodySize=|messageBody=).*$', '')
	WHERE "url" ~ '[?&](body=[^&]*&bodySize=|messageBody=)';
