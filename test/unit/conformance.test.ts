/** The conformance table: complete, and made from the code. That the file is up to date: reference-files.test.ts. */
import { describe, expect, it } from 'vitest';
import { webhooks } from '../../api/event-reference.ts';
import { openApiDocument } from '../../api/openapi.ts';
import { operations } from '../../api/operations.ts';
import { conformanceSections, UnexplainedDifference } from '../../docs/conformance.ts';

const publicUrl = 'http://localhost:3000';

describe('the conformance table', () => {
  it('has a row for every name of the specifications, served or refused with a reason', async () => {
    const sections = await conformanceSections(openApiDocument({ publicUrl, operations, webhooks }));
    const rows = sections.flatMap(({ rows }) => rows);
    expect(rows.length).toBeGreaterThan(1000);
    expect(rows.filter(({ refusal }) => refusal === '')).toEqual([]);
  });

  it('cannot be made when an operation is gone that no reason refuses', async () => {
    const fewer = operations.filter(({ id }) => id !== 'fetchHostedNumberOrder');
    const openapi = openApiDocument({ publicUrl, operations: fewer, webhooks });
    await expect(conformanceSections(openapi)).rejects.toThrow(UnexplainedDifference);
  });
});
