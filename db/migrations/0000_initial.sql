CREATE TABLE "accounts" (
	"sid" text PRIMARY KEY NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "accounts_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_account_sid" text NOT NULL,
	"friendly_name" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"auth_token_sealed" text NOT NULL,
	"secondary_auth_token_sealed" text,
	"email" text,
	"date_created" timestamp with time zone NOT NULL,
	"date_updated" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "addresses" (
	"sid" text PRIMARY KEY NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "addresses_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_sid" text NOT NULL,
	"customer_name" text NOT NULL,
	"friendly_name" text DEFAULT '' NOT NULL,
	"street" text NOT NULL,
	"street_secondary" text,
	"city" text NOT NULL,
	"region" text NOT NULL,
	"postal_code" text NOT NULL,
	"iso_country" text NOT NULL,
	"emergency_enabled" boolean DEFAULT false NOT NULL,
	"date_created" timestamp with time zone NOT NULL,
	"date_updated" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "authorization_documents" (
	"sid" text PRIMARY KEY NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "authorization_documents_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_sid" text NOT NULL,
	"address_sid" text,
	"status" text NOT NULL,
	"email" text NOT NULL,
	"cc_emails" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"contact_title" text,
	"contact_phone_number" text,
	"failure_reason" text,
	"mailing" integer DEFAULT 1 NOT NULL,
	"expires_at" timestamp with time zone,
	"signed_at" timestamp with time zone,
	"signer_name" text,
	"revision" integer NOT NULL,
	"date_created" timestamp with time zone NOT NULL,
	"date_updated" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "document_files" (
	"document_sid" text NOT NULL,
	"kind" text NOT NULL,
	"mailing" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	"byte_length" integer NOT NULL,
	"sha256" text NOT NULL,
	"date_created" timestamp with time zone NOT NULL,
	CONSTRAINT "document_files_document_sid_kind_mailing_pk" PRIMARY KEY("document_sid","kind","mailing")
);
--> statement-breakpoint
CREATE TABLE "document_orders" (
	"document_sid" text NOT NULL,
	"order_sid" text NOT NULL,
	"active" boolean NOT NULL,
	CONSTRAINT "document_orders_document_sid_order_sid_pk" PRIMARY KEY("document_sid","order_sid")
);
--> statement-breakpoint
CREATE TABLE "verification_documents" (
	"sid" text PRIMARY KEY NOT NULL,
	"account_sid" text NOT NULL,
	"file_name" text NOT NULL,
	"mime_type" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	"sha256" text NOT NULL,
	"date_created" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bulk_items" (
	"request_sid" text NOT NULL,
	"number" integer NOT NULL,
	"account_sid" text NOT NULL,
	"phone_number" text NOT NULL,
	"details" jsonb,
	"order_sid" text,
	"outcome" jsonb,
	CONSTRAINT "bulk_items_request_sid_number_pk" PRIMARY KEY("request_sid","number")
);
--> statement-breakpoint
CREATE TABLE "bulk_requests" (
	"sid" text PRIMARY KEY NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "bulk_requests_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_sid" text NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"friendly_name" text,
	"notification_email" text,
	"total_count" integer NOT NULL,
	"date_completed" timestamp with time zone,
	"date_created" timestamp with time zone NOT NULL,
	"date_updated" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"sid" text PRIMARY KEY NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "deliveries_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_sid" text NOT NULL,
	"event_sid" text NOT NULL,
	"kind" text NOT NULL,
	"subscription_sid" text,
	"url" text,
	"method" text NOT NULL,
	"order_key" text NOT NULL,
	"sequence" integer NOT NULL,
	"line_sequence" bigint,
	"state" text NOT NULL,
	"attempt_count" integer DEFAULT 0 NOT NULL,
	"last_http_status" integer,
	"last_error" text,
	"first_attempt_at" timestamp with time zone,
	"next_attempt_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"replay_of" text,
	"date_created" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "delivery_attempts" (
	"delivery_sid" text NOT NULL,
	"number" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"url" text NOT NULL,
	"http_status" integer,
	"error" text,
	"response_head" text,
	CONSTRAINT "delivery_attempts_delivery_sid_number_pk" PRIMARY KEY("delivery_sid","number")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"sid" text PRIMARY KEY NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "events_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_sid" text NOT NULL,
	"kind" text NOT NULL,
	"resource_sid" text NOT NULL,
	"sequence" integer NOT NULL,
	"line" text NOT NULL,
	"payload" text NOT NULL,
	"date_created" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"account_sid" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"status" integer,
	"body" text,
	"date_created" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "line_sequences" (
	"account_sid" text NOT NULL,
	"line" text NOT NULL,
	"last" bigint NOT NULL,
	CONSTRAINT "line_sequences_account_sid_line_pk" PRIMARY KEY("account_sid","line")
);
--> statement-breakpoint
CREATE TABLE "hosted_number_orders" (
	"sid" text PRIMARY KEY NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "hosted_number_orders_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_sid" text NOT NULL,
	"incoming_phone_number_sid" text NOT NULL,
	"address_sid" text,
	"signing_document_sid" text,
	"phone_number" text NOT NULL,
	"friendly_name" text,
	"unique_name" text,
	"status" text NOT NULL,
	"failure_reason" text,
	"verification_attempts" integer DEFAULT 0 NOT NULL,
	"email" text,
	"cc_emails" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"verification_type" text NOT NULL,
	"verification_document_sid" text,
	"extension" text,
	"call_delay" integer DEFAULT 0 NOT NULL,
	"verification_call_sids" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"ownership_verified" boolean DEFAULT false NOT NULL,
	"document_signed" boolean DEFAULT false NOT NULL,
	"status_callback_url" text,
	"status_callback_method" text DEFAULT 'POST' NOT NULL,
	"revision" integer NOT NULL,
	"holds_number" boolean NOT NULL,
	"canceled_at" timestamp with time zone,
	"date_created" timestamp with time zone NOT NULL,
	"date_updated" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "incoming_phone_numbers" (
	"sid" text PRIMARY KEY NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "incoming_phone_numbers_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_sid" text NOT NULL,
	"order_sid" text NOT NULL,
	"phone_number" text NOT NULL,
	"friendly_name" text NOT NULL,
	"state" text NOT NULL,
	"sms_url" text,
	"sms_method" text DEFAULT 'POST' NOT NULL,
	"sms_fallback_url" text,
	"sms_fallback_method" text DEFAULT 'POST' NOT NULL,
	"sms_application_sid" text,
	"status_callback" text,
	"status_callback_method" text DEFAULT 'POST' NOT NULL,
	"address_sid" text,
	"other_settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"released_at" timestamp with time zone,
	"date_created" timestamp with time zone NOT NULL,
	"date_updated" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "media" (
	"sid" text PRIMARY KEY NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "media_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_sid" text NOT NULL,
	"message_sid" text NOT NULL,
	"file_name" text NOT NULL,
	"content_type" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	"url" text,
	"is_body" boolean DEFAULT false NOT NULL,
	"date_created" timestamp with time zone NOT NULL,
	"date_updated" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"sid" text PRIMARY KEY NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1000000000000 CACHE 1),
	"account_sid" text NOT NULL,
	"direction" text NOT NULL,
	"line" text NOT NULL,
	"contact" text NOT NULL,
	"body" text NOT NULL,
	"num_segments" integer NOT NULL,
	"status" text NOT NULL,
	"status_code" integer,
	"error_code" integer,
	"carrier_id" text,
	"status_callback" text,
	"in_reply_to" text,
	"send_at" timestamp with time zone,
	"validity_period" integer,
	"revision" integer DEFAULT 0 NOT NULL,
	"date_sent" timestamp with time zone,
	"date_delivered" timestamp with time zone,
	"date_read" timestamp with time zone,
	"date_deleted" timestamp with time zone,
	"date_created" timestamp with time zone NOT NULL,
	"date_updated" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "opt_outs" (
	"line" text NOT NULL,
	"contact" text NOT NULL,
	"opted_out" boolean NOT NULL,
	"message_sid" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "opt_outs_line_contact_pk" PRIMARY KEY("line","contact")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"key_hash" text PRIMARY KEY NOT NULL,
	"account_sid" text NOT NULL,
	"line" text NOT NULL,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"date_created" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"sid" text PRIMARY KEY NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "subscriptions_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_sid" text NOT NULL,
	"url" text NOT NULL,
	"method" text DEFAULT 'POST' NOT NULL,
	"events" jsonb NOT NULL,
	"phone_number" text,
	"enabled" boolean DEFAULT true NOT NULL,
	"disabled_reason" text,
	"disabled_by" text,
	"friendly_name" text,
	"secret_sealed" text NOT NULL,
	"previous_secret_sealed" text,
	"previous_secret_until" timestamp with time zone,
	"headers" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"max_per_second" integer,
	"failing_since" timestamp with time zone,
	"date_deleted" timestamp with time zone,
	"date_created" timestamp with time zone NOT NULL,
	"date_updated" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "timeline_entries" (
	"resource_sid" text NOT NULL,
	"sequence" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"actor" text NOT NULL,
	"what" text NOT NULL,
	"why" text,
	"status" text NOT NULL,
	CONSTRAINT "timeline_entries_resource_sid_sequence_pk" PRIMARY KEY("resource_sid","sequence")
);
--> statement-breakpoint
CREATE TABLE "verification_attempts" (
	"order_sid" text NOT NULL,
	"call_number" integer NOT NULL,
	"code" text,
	"call_sid" text,
	"outcome" text,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "verification_attempts_order_sid_call_number_pk" PRIMARY KEY("order_sid","call_number")
);
--> statement-breakpoint
CREATE INDEX "addresses_by_account" ON "addresses" USING btree ("account_sid","position");--> statement-breakpoint
CREATE INDEX "documents_by_account" ON "authorization_documents" USING btree ("account_sid","position");--> statement-breakpoint
CREATE INDEX "document_files_by_hash" ON "document_files" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "document_orders_by_order" ON "document_orders" USING btree ("order_sid");--> statement-breakpoint
CREATE INDEX "bulk_items_waiting" ON "bulk_items" USING btree ("request_sid","number") WHERE "bulk_items"."outcome" is null;--> statement-breakpoint
CREATE INDEX "bulk_requests_by_account" ON "bulk_requests" USING btree ("account_sid","position");--> statement-breakpoint
CREATE INDEX "deliveries_by_subscription" ON "deliveries" USING btree ("subscription_sid","position");--> statement-breakpoint
CREATE INDEX "deliveries_by_event" ON "deliveries" USING btree ("event_sid");--> statement-breakpoint
CREATE INDEX "deliveries_by_order_key" ON "deliveries" USING btree ("order_key","sequence");--> statement-breakpoint
CREATE INDEX "deliveries_by_account" ON "deliveries" USING btree ("account_sid","position");--> statement-breakpoint
CREATE INDEX "deliveries_by_replay" ON "deliveries" USING btree ("replay_of");--> statement-breakpoint
CREATE INDEX "events_by_resource" ON "events" USING btree ("resource_sid","sequence");--> statement-breakpoint
CREATE UNIQUE INDEX "idempotency_key" ON "idempotency_keys" USING btree ("account_sid","key");--> statement-breakpoint
CREATE UNIQUE INDEX "one_live_order_per_number" ON "hosted_number_orders" USING btree ("phone_number") WHERE "hosted_number_orders"."holds_number";--> statement-breakpoint
CREATE UNIQUE INDEX "order_unique_name" ON "hosted_number_orders" USING btree ("account_sid","unique_name") WHERE "hosted_number_orders"."canceled_at" is null;--> statement-breakpoint
CREATE INDEX "orders_by_account" ON "hosted_number_orders" USING btree ("account_sid","position");--> statement-breakpoint
CREATE INDEX "orders_by_account_status" ON "hosted_number_orders" USING btree ("account_sid","status","position");--> statement-breakpoint
CREATE INDEX "orders_by_account_number" ON "hosted_number_orders" USING btree ("account_sid","phone_number");--> statement-breakpoint
CREATE INDEX "numbers_by_account" ON "incoming_phone_numbers" USING btree ("account_sid","position");--> statement-breakpoint
CREATE INDEX "numbers_by_number" ON "incoming_phone_numbers" USING btree ("phone_number");--> statement-breakpoint
CREATE INDEX "numbers_by_order" ON "incoming_phone_numbers" USING btree ("order_sid");--> statement-breakpoint
CREATE INDEX "media_by_message" ON "media" USING btree ("message_sid");--> statement-breakpoint
CREATE UNIQUE INDEX "messages_by_id" ON "messages" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "inbound_message_once" ON "messages" USING btree ("line","carrier_id");--> statement-breakpoint
CREATE INDEX "messages_by_account" ON "messages" USING btree ("account_sid","id");--> statement-breakpoint
CREATE INDEX "messages_by_line" ON "messages" USING btree ("line","id");--> statement-breakpoint
CREATE INDEX "messages_by_carrier_id" ON "messages" USING btree ("carrier_id");--> statement-breakpoint
CREATE INDEX "subscriptions_by_account" ON "subscriptions" USING btree ("account_sid","position");