/** /v3/HostedNumbers/HostedNumberOrders: the preview's create request in camelCase, answer too. Source: domain.md §1.11. */
import { z } from 'zod';
import type { OrderRow } from '../db/reads/hosted-number-orders.ts';
import { createOrderForm, type CreateOrderForm } from './hosted-number-order-forms.ts';
import { orderByForm } from './hosted-number-orders.ts';
import { readFormOrJson } from './json-body.ts';
import { operation, type Operation } from './operation.ts';
import { orderJson, orderSchema } from './representations.ts';

const uncapitalized = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);
const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const camelCase = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function renamed<T>(
  values: Readonly<Record<string, T>>,
  rename: (name: string) => string,
): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [rename(name), value]));
}

/** The same schemas under other names: the two shapes cannot drift apart. */
const createForm = z.object(renamed<z.ZodType>(createOrderForm.shape, uncapitalized));
const orderV3Schema = z
  .object(renamed<z.ZodType>(orderSchema.shape, camelCase))
  .meta({ id: 'HostedNumberOrderV3' });

const createOperation = operation({
  id: 'createHostedNumberOrderV3',
  method: 'POST',
  path: '/v3/HostedNumbers/HostedNumberOrders',
  tag: 'Numbers v3',
  summary: 'Order hosting of a number you own',
  description: 'As a form or as a JSON object.',
  auth: 'account',
  readBody: readFormOrJson,
  form: createForm,
  responses: { 201: { description: 'The order', schema: orderV3Schema } },
  errors: [21406, 22103, 22110, 22119],
  handler: async ({ ctx, deps, account, form, newSid }) => {
    const given = renamed(form, capitalized) as CreateOrderForm;
    const order = await orderByForm(deps, account.sid, given, newSid('hostedNumberOrder'));
    return ctx.json(orderV3Json(order, deps.config.env.publicUrl), 201);
  },
});

export const ordersV3Operations: readonly Operation[] = [createOperation];

function orderV3Json(order: OrderRow, publicUrl: string): Record<string, unknown> {
  return renamed<unknown>(orderJson(order, publicUrl), camelCase);
}
