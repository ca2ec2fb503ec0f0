ALTER TABLE "hosted_number_orders" ADD COLUMN "bill_under_review" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "hosted_number_orders" SET "bill_under_review" = true
WHERE "status" IN ('pending-verification', 'pending-loa') AND "verification_type" = 'phone-bill'
  AND "verification_document_sid" IS NOT NULL AND NOT "ownership_verified" AND "canceled_at" IS NULL;
