DROP INDEX "inbound_message_once";--> statement-breakpoint
CREATE UNIQUE INDEX "inbound_message_once" ON "messages" USING btree ("line","carrier_id") WHERE "messages"."direction" = 'inbound';