ALTER TABLE "deliveries" ADD COLUMN "replay_sid" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "last_failure_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "deliveries_of_replay" ON "deliveries" USING btree ("replay_sid","position") WHERE replay_sid is not null;--> statement-breakpoint
UPDATE "deliveries" SET "order_key" = regexp_replace("order_key", '^RP[0-9a-f]+/', '') WHERE "order_key" LIKE 'RP%/%';--> statement-breakpoint
UPDATE "subscriptions" SET "last_failure_at" = now() WHERE "failing_since" IS NOT NULL;
