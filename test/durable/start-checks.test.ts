/** What a process refuses to start with, on real servers: those of somebody else, or that nobody has set up. */
import { NativeConnection } from '@temporalio/worker';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Config, ConfigError, readConfig } from '../../config.ts';
import { type Database, openDatabase } from '../../db/client.ts';
import { isDatabaseUnavailable } from '../../db/errors.ts';
import { pingDatabase } from '../../db/reads/health.ts';
import { accounts } from '../../db/schema/accounts.ts';
import { createVault } from '../../security/vault.ts';
import { checkSearchAttributes, checkSecretKey } from '../../start-checks.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import '../support/quiet-runtime.ts';

const log = pino({ level: 'silent' });
const vault = createVault('a master key of enough characters');
let files: TestDatabase;
let database: Database;
let connection: NativeConnection;
beforeAll(async () => {
  files = await createDatabase();
  database = openDatabase(files.url, 1);
  connection = await NativeConnection.connect({ address: inject('temporalAddress') });
});
afterAll(async () => {
  await connection.close();
  await database.close();
  await files.drop();
});

describe('the search attributes', () => {
  const check = (env: Record<string, string> = {}): Promise<void> =>
    checkSearchAttributes(connection, readConfig(env) satisfies Config, log);

  it('are found where they were created', async () => {
    await expect(check()).resolves.toBeUndefined();
  });

  it('that are not there stop the start, with the commands that create them', async () => {
    const checking = check({ HOSTED_SMS_TEMPORAL__SEARCH_ATTRIBUTES: '[AccountSid, Shoe, Size]' });
    await expect(checking).rejects.toThrow(ConfigError);
    await expect(checking).rejects.toThrow(
      'search attributes: Shoe, Size. Create them: ' +
        'temporal operator search-attribute create --namespace default --type Keyword --name Shoe && ',
    );
  });

  it('of a namespace that is not there stop the start by its key', async () => {
    await expect(check({ HOSTED_SMS_TEMPORAL__NAMESPACE: 'elsewhere' })).rejects.toThrow(
      new ConfigError('temporal.namespace: the Temporal server has no namespace elsewhere'),
    );
  });
});

describe('the SECRET_KEY', () => {
  it('is any while nothing was sealed, and while there are no tables yet', async () => {
    await expect(checkSecretKey(database.db, vault)).resolves.toBeUndefined();
    const empty = openDatabase(inject('postgresUrl'), 1);
    await expect(checkSecretKey(empty.db, vault)).resolves.toBeUndefined();
    await empty.close();
  });

  it('has to be the one that the accounts’ tokens were sealed with', async () => {
    await database.db.insert(accounts).values({
      sid: 'AC1',
      ownerAccountSid: 'AC1',
      friendlyName: 'A customer',
      authTokenSealed: vault.seal('token'),
      dateCreated: new Date(),
      dateUpdated: new Date(),
    });
    await expect(checkSecretKey(database.db, vault)).resolves.toBeUndefined();
    const checking = checkSecretKey(database.db, createVault('another master key, as long as it has to be'));
    await expect(checking).rejects.toThrow(ConfigError);
    await expect(checking).rejects.toThrow(/^SECRET_KEY is not the one/);
  });
});

describe('the database', () => {
  it('gives a statement twenty seconds, and one that takes longer is an outage', async () => {
    const [row] = await database.db.execute(sql`show statement_timeout`);
    expect(row).toEqual({ statement_timeout: '20s' });
    const slow = database.db.transaction(async (tx) => {
      await tx.execute(sql`set local statement_timeout = 20`);
      await tx.execute(sql`select pg_sleep(5)`);
    });
    expect(isDatabaseUnavailable(await slow.catch((err: unknown) => err))).toBe(true);
  });

  it('that takes no changes, as a failover leaves one, is told from one that does', async () => {
    expect(await pingDatabase(database.db)).toBe('writable');
    const name = new URL(files.url).pathname.slice(1);
    await files.sql.unsafe(`alter database ${name} set default_transaction_read_only = on`);
    const standby = openDatabase(files.url, 1);
    expect(await pingDatabase(standby.db)).toBe('read-only');
    const changing = standby.db.update(accounts).set({ friendlyName: 'x' });
    expect(
      isDatabaseUnavailable(
        await changing.then(
          () => null,
          (err: unknown) => err,
        ),
      ),
    ).toBe(true);
    await standby.close();
  });
});
