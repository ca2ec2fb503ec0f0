/** What a signer gives on the signing page. */
import type { Signature } from '../../domain/ports.ts';

export const signature: Signature = {
  signerName: 'Ada Owner',
  signerTitle: 'Owner',
  signerPhone: '+14158675310',
  address: {
    customerName: 'Springfield Bakery LLC',
    street: '742 Evergreen Terrace',
    streetSecondary: null,
    city: 'Springfield',
    region: 'IL',
    postalCode: '62704',
    isoCountry: 'US',
  },
  consentedAt: '2026-01-01T00:00:00.000Z',
  ipAddress: '127.0.0.1',
  userAgent: 'a browser',
};
