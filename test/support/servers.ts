import { migrateDatabase } from '../../db/client.ts';
import postgres from 'postgres';
export async function testServers() {
  const name = `t${Date.now()}`;
  const admin = postgres('postgres://app:secret@127.0.0.1:55439/postgres', { max: 1 });
  await admin.unsafe(`create database ${name}`);
  await admin.end();
  const databaseUrl = `postgres://app:secret@127.0.0.1:55439/${name}`;
  await migrateDatabase(databaseUrl);
  return { databaseUrl, temporalAddress: '127.0.0.1:57233' };
}
