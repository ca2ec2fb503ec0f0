import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ApiError, apiErrors, isErrorCode, type ErrorCode } from '../../domain/errors.ts';

const table = Object.entries(apiErrors).map(([code, error]) => [Number(code) as ErrorCode, error] as const);

/** What the specification's domain study says of single codes. Source: domain.md §2.6 and §6.2. */
const known: readonly (readonly [ErrorCode, number])[] = [
  [20003, 401],
  [20404, 404],
  [20409, 409],
  [20413, 413],
  [20429, 429],
  [20500, 500],
  [20503, 503],
  [22100, 400],
  [22102, 400],
  [22110, 400],
  [22112, 400],
];

describe('the table of errors (domain.md §2.6)', () => {
  it.each(known)('answers %i with status %i', (code, status) => {
    expect(new ApiError(code).status).toBe(status);
  });

  it('has all codes of hosted numbers and none that does not exist', () => {
    const hosted = table.map(([code]) => code).filter((code) => code >= 22100 && code < 22200);
    expect(hosted).toEqual(Array.from({ length: 24 }, (_, index) => 22100 + index));
  });

  it('has a sentence in plain words for every code, without a full stop', () => {
    for (const [code, { message }] of table) expect(message, String(code)).toMatch(/^[A-Z].{10,}[^.\s]$/);
  });

  it('uses statuses that clients know how to raise', () => {
    for (const [code, { status }] of table) {
      expect(status, String(code)).toBeGreaterThanOrEqual(400);
      expect(status, String(code)).toBeLessThan(600);
    }
  });

  it('knows its own codes and no other number, names of inherited properties included', () => {
    for (const [code] of table) expect(isErrorCode(code)).toBe(true);
    for (const other of [0, -1, 99999, Number.NaN, 22124]) expect(isErrorCode(other)).toBe(false);
  });

  it('holds no code that nobody answers with', () => {
    const folders = ['api', 'activities', 'workflows', 'web', 'domain'];
    const product = folders
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' })
          .filter((name) => /\.tsx?$/.test(name) && `${folder}/${name}` !== 'domain/errors.ts')
          .map((name) => readFileSync(`${folder}/${name}`, 'utf8')),
      )
      .join('\n');
    expect(table.map(([code]) => code).filter((code) => !product.includes(String(code)))).toEqual([]);
  });

  it('keeps detail and waiting time of a refusal', () => {
    const error = new ApiError(20429, 'slow down', 7);
    expect(error).toMatchObject({ code: 20429, status: 429, message: 'slow down', retryAfterSeconds: 7 });
  });
});
