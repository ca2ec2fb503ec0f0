ALTER TABLE "idempotency_keys" ADD COLUMN "done" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- To the release before, a request that had been seen was done.
UPDATE "idempotency_keys" SET "done" = true;--> statement-breakpoint
CREATE INDEX "accounts_by_owner" ON "accounts" USING btree ("owner_account_sid","position");--> statement-breakpoint
CREATE INDEX "accounts_by_position" ON "accounts" USING btree ("position");--> statement-breakpoint
CREATE INDEX "orders_by_position" ON "hosted_number_orders" USING btree ("position");--> statement-breakpoint
CREATE INDEX "orders_waiting" ON "hosted_number_orders" USING btree ("position") WHERE ("hosted_number_orders"."status" = 'action-required'
    or ("hosted_number_orders"."bill_under_review" and "hosted_number_orders"."status" in ('pending-verification', 'pending-loa')))
    and "hosted_number_orders"."canceled_at" is null;--> statement-breakpoint
CREATE INDEX "numbers_by_position" ON "incoming_phone_numbers" USING btree ("position");--> statement-breakpoint
CREATE INDEX "attempts_by_call" ON "verification_attempts" USING btree ("call_sid");--> statement-breakpoint
CREATE INDEX "attempts_open" ON "verification_attempts" USING btree ("order_sid") WHERE "verification_attempts"."outcome" is null;