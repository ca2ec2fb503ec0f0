/** Search attributes every workflow of the service is found by. The same names are in temporal.yaml. */
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

export const accountSidAttribute = defineSearchAttributeKey('AccountSid', SearchAttributeType.KEYWORD);
export const phoneNumberAttribute = defineSearchAttributeKey('PhoneNumber', SearchAttributeType.KEYWORD);
export const orderStatusAttribute = defineSearchAttributeKey('OrderStatus', SearchAttributeType.KEYWORD);
export const eventTypeAttribute = defineSearchAttributeKey('EventType', SearchAttributeType.KEYWORD);
export const endpointHostAttribute = defineSearchAttributeKey('EndpointHost', SearchAttributeType.KEYWORD);
