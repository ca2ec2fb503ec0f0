-- Sessions that are open stay so: those of the console for what is left of their 12 hours, those of lines as if used now.
ALTER TABLE "sessions" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
UPDATE "sessions" SET "expires_at" = CASE WHEN "line" = 'console'
	THEN "date_created" + interval '12 hours'
	ELSE now() + interval '90 days' END;--> statement-breakpoint
ALTER TABLE "sessions" ALTER COLUMN "expires_at" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "sessions_by_end" ON "sessions" USING btree ("expires_at");
