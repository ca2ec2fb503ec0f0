/** A hosted number on the wire. Fields: spec/twilio-2010-subset.json; what hosting makes of them: domain.md §2.1. */
import { z } from 'zod';
import type { NumberRow } from '../db/reads/incoming-phone-numbers.ts';
import { lineKind } from '../domain/line-kind.ts';
import { rfc2822Date } from './dates.ts';

export const numbersPath = '/2010-04-01/Accounts/{AccountSid}/IncomingPhoneNumbers';

const capabilities = z.object({ voice: z.boolean(), sms: z.boolean(), mms: z.boolean(), fax: z.boolean() });
const text = z.string().nullable();

export const numberSchema = z
  .object({
    sid: z.string().meta({ examples: ['PN0123456789abcdef0123456789abcdef'] }),
    account_sid: z.string(),
    phone_number: z.string().meta({ description: 'E.164' }),
    friendly_name: z.string(),
    origin: z.literal('hosted'),
    status: z.string().meta({ description: 'in-use; pending while its order is not completed' }),
    type: z.enum(['local', 'toll-free']),
    capabilities,
    sms_url: text,
    sms_method: z.string(),
    sms_fallback_url: text,
    sms_fallback_method: z.string(),
    sms_application_sid: text,
    status_callback: text,
    status_callback_method: z.string(),
    address_sid: text,
    address_requirements: z.literal('none'),
    voice_url: text,
    voice_method: z.string(),
    voice_fallback_url: text,
    voice_fallback_method: z.string(),
    voice_application_sid: text,
    voice_caller_id_lookup: z.boolean(),
    voice_receive_mode: z.string(),
    trunk_sid: text,
    identity_sid: text,
    bundle_sid: text,
    emergency_status: z.string(),
    emergency_address_sid: text,
    emergency_address_status: z.string(),
    beta: z.boolean(),
    api_version: z.string(),
    date_created: z.string(),
    date_updated: z.string(),
    uri: z.string(),
  })
  .meta({ id: 'IncomingPhoneNumber', description: 'A hosted number and its settings' });

/** Voice fields are kept and returned as given: voice stays with the old carrier, so its capability is false. */
export function numberJson(row: NumberRow): z.infer<typeof numberSchema> {
  const other = (name: string): string | null => row.otherSettings[name] || null;
  return {
    sid: row.sid,
    account_sid: row.accountSid,
    phone_number: row.phoneNumber,
    friendly_name: row.friendlyName,
    origin: 'hosted',
    status: row.state,
    type: lineKind(row.phoneNumber),
    capabilities: { voice: false, sms: row.state === 'in-use', mms: row.state === 'in-use', fax: false },
    sms_url: row.smsUrl,
    sms_method: row.smsMethod,
    sms_fallback_url: row.smsFallbackUrl,
    sms_fallback_method: row.smsFallbackMethod,
    sms_application_sid: row.smsApplicationSid,
    status_callback: row.statusCallback,
    status_callback_method: row.statusCallbackMethod,
    address_sid: row.addressSid,
    address_requirements: 'none',
    voice_url: other('VoiceUrl'),
    voice_method: other('VoiceMethod') ?? 'POST',
    voice_fallback_url: other('VoiceFallbackUrl'),
    voice_fallback_method: other('VoiceFallbackMethod') ?? 'POST',
    voice_application_sid: other('VoiceApplicationSid'),
    voice_caller_id_lookup: other('VoiceCallerIdLookup') === 'true',
    voice_receive_mode: other('VoiceReceiveMode') ?? 'voice',
    trunk_sid: other('TrunkSid'),
    identity_sid: other('IdentitySid'),
    bundle_sid: other('BundleSid'),
    emergency_status: other('EmergencyStatus') ?? 'Inactive',
    emergency_address_sid: other('EmergencyAddressSid'),
    emergency_address_status: 'unregistered',
    beta: false,
    api_version: '2010-04-01',
    date_created: rfc2822Date(row.dateCreated),
    date_updated: rfc2822Date(row.dateUpdated),
    uri: `${numbersPath.replace('{AccountSid}', row.accountSid)}/${row.sid}.json`,
  };
}
