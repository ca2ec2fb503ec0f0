/** What is known of a file that somebody wants verified. */
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashVersions, versionEnds } from '../../web/verify/files.ts';

describe('the hashes of a file that is verified', () => {
  const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
  const part = fc.oneof(fc.constantFrom('%%EOF', '\r', '\n', '\r\n', '%%EOF\r\n'), fc.string());

  it('are those of the file and of all that it holds up to the end of each version', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 200 }), (parts) => {
        const bytes = new TextEncoder().encode(parts.join(''));
        expect(hashVersions(bytes)).toEqual({
          sha256: sha256(bytes),
          versions: versionEnds(bytes).map((end) => sha256(bytes.subarray(0, end))),
        });
      }),
    );
  });
});
