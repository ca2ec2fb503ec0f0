ALTER TABLE "subscriptions" ADD COLUMN "previous_secrets" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
UPDATE "subscriptions" SET "previous_secrets" = jsonb_build_array(jsonb_build_object('sealed', "previous_secret_sealed", 'until', "previous_secret_until")) WHERE "previous_secret_sealed" IS NOT NULL AND "previous_secret_until" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" DROP COLUMN "previous_secret_sealed";--> statement-breakpoint
ALTER TABLE "subscriptions" DROP COLUMN "previous_secret_until";