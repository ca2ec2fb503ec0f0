/** What a process looks for in a server it has reached, before it says that it is ready: that this is the one it is set up for. */
import { isGrpcServiceError } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import { untilReachable } from './boot.ts';
import { ConfigError, type Config } from './config.ts';
import type { Queryable } from './db/client.ts';
import { findSealedToken } from './db/reads/health.ts';
import type { Vault } from './security/vault.ts';

/** Time the server has for its list. Milliseconds. */
const answerTimeoutMs = 10_000;
/** Temporal's number for the type Keyword. */
const keyword = 2;
/** gRPC: the server keeps its list from us, or has none. */
const unlistable: readonly number[] = [7, 12];
/** gRPC: not found. */
const unknownNamespace: readonly number[] = [5];

/** Without its search attributes every order and delivery fails when it is started. Throws a ConfigError. */
export async function checkSearchAttributes(
  connection: NativeConnection,
  { temporal }: Config,
  log: Logger,
): Promise<void> {
  const { namespace } = temporal;
  const types = await untilReachable('the search attributes of Temporal', log, () =>
    listTypes(connection, namespace),
  );
  if (types === null) {
    log.warn(
      { namespace },
      'Temporal does not list its search attributes here, so that they are not checked',
    );
    return;
  }
  const missing = temporal.searchAttributes.filter((name) => types[name] !== keyword);
  if (missing.length === 0) return;
  const create = `temporal operator search-attribute create --namespace ${namespace} --type Keyword --name`;
  const commands = missing.map((name) => `${create} ${name}`).join(' && ');
  throw new ConfigError(`Temporal lacks search attributes: ${missing.join(', ')}. Create them: ${commands}`);
}

type Types = Readonly<Record<string, number>>;

/** `null`: the server keeps the list from us. */
async function listTypes(connection: NativeConnection, namespace: string): Promise<Types | null> {
  try {
    const answer = await connection.withDeadline(Date.now() + answerTimeoutMs, () =>
      connection.operatorService.listSearchAttributes({ namespace }),
    );
    return answer.customAttributes;
  } catch (err) {
    if (!isGrpcServiceError(err)) throw err;
    if (unlistable.includes(err.code)) return null;
    if (unknownNamespace.includes(err.code))
      throw new ConfigError(`temporal.namespace: the Temporal server has no namespace ${namespace}`);
    throw err;
  }
}

/**
 * With another key no account can sign in and no webhook can be signed. Told by one account: where there is none, nothing
 * was sealed yet. Throws a ConfigError.
 */
export async function checkSecretKey(db: Queryable, vault: Vault): Promise<void> {
  const sealed = await findSealedToken(db);
  if (sealed === undefined) return;
  try {
    vault.open(sealed);
  } catch {
    throw new ConfigError('SECRET_KEY is not the one that the tokens in this database were sealed with');
  }
}
