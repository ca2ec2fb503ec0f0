/** What the routes of the console share. */
import type { Context } from 'hono';
import type { AccountWithOwner } from '../../db/reads/accounts.ts';
import type { ApiFetch, WebDeps } from '../deps.ts';
import { readPageForm, textFields } from '../page-form.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import { OtherDeskError } from './other-desk.tsx';
import type { ConsoleEnv } from './session.ts';

export interface Desk {
  readonly deps: WebDeps;
  readonly api: ApiFetch;
}

export type ConsoleContext = Context<ConsoleEnv>;

/** The API with the credentials of the session. */
export function apiOf({ deps, api }: Desk, ctx: ConsoleContext): ApiClient {
  return createApiClient(deps, api, ctx.get('session'));
}

/** The account that is signed in. Throws for an administrator, whose pages are others. */
export function accountOf(ctx: ConsoleContext): AccountWithOwner {
  const session = ctx.get('session');
  if (session.kind !== 'account') throw new OtherDeskError(session);
  return session.account;
}

/** Throws for anyone but an administrator. */
export function requireAdmin(ctx: ConsoleContext): void {
  const session = ctx.get('session');
  if (session.kind !== 'admin') throw new OtherDeskError(session);
}

/** The text fields of the posted form. */
export async function readFields(ctx: ConsoleContext): Promise<Readonly<Record<string, string>>> {
  return textFields(await readPageForm(ctx));
}

/** Those of the named fields that have a value: what is left empty in a form is not sent. */
export function given(
  fields: Readonly<Record<string, string>>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.map((name) => [name, fields[name] ?? ''] as const).filter(([, value]) => value !== ''),
  );
}

/** Addresses in one field, separated by commas, spaces or lines. */
export function listOf(field: string | undefined): string[] {
  return (field ?? '').split(/[\s,;]+/).filter((word) => word !== '');
}

/** Address of the namespace in Temporal's Web UI; `null` where none is configured. */
export function webUiOf({ config }: WebDeps): string | null {
  const { webUiUrl, namespace } = config.temporal;
  return webUiUrl === ''
    ? null
    : `${webUiUrl.replace(/\/+$/, '')}/namespaces/${encodeURIComponent(namespace)}`;
}
