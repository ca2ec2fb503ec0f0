import { describe, expect, it } from 'vitest';
import { webhooks } from '../../api/event-reference.ts';
import { openApiDocument } from '../../api/openapi.ts';
import { operations } from '../../api/operations.ts';
import { callbackHeaders, eventHeaders } from '../../domain/delivery-headers.ts';
import { deliveryKinds, eventTypes, type EventType } from '../../domain/events.ts';
import product from '../../package.json' with { type: 'json' };

const document = JSON.parse(
  JSON.stringify(openApiDocument({ publicUrl: 'http://api.test', operations, webhooks })),
) as {
  info: { version: string };
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
  components: { schemas: Record<string, unknown> };
  webhooks: Record<string, { post: { parameters: { name: string; in: string }[] } }>;
};

describe('the reference (issue 4, issue 5)', () => {
  it('is of the version of the package', () => {
    expect(document.info.version).toBe(product.version);
  });

  it('has an operation for every published route, each with a name of its own', () => {
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(operations.filter(({ published }) => published !== false).length);
  });

  it('refers only to schemas that it holds', () => {
    const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
    for (const [, name = ''] of references) expect(document.components.schemas).toHaveProperty(name);
  });

  it('tells the code of a wrong field beside the field', () => {
    expect(JSON.stringify(document.paths['/HostedNumbers/HostedNumberOrders'])).toContain(
      '"x-error-code":22102',
    );
  });

  it('shows every event and callback with the headers it carries', () => {
    const paths = deliveryKinds.map((kind) => `/${kind}`);
    expect(Object.keys(document.webhooks).toSorted()).toEqual(paths.toSorted());
    for (const kind of deliveryKinds) {
      const headers = eventTypes.includes(kind as EventType) ? eventHeaders : callbackHeaders;
      // Content-Type is said by the body.
      const names = Object.keys(headers).filter((name) => name !== 'content-type');
      expect(document.webhooks[`/${kind}`]?.post.parameters.map(({ name }) => name)).toEqual(names);
    }
  });

  it('answers deletions with 204 and nothing else that is good (domain.md §0.3)', () => {
    for (const operation of operations.filter(
      ({ method, auth }) => method === 'DELETE' && auth === 'account',
    ))
      expect(Object.keys(operation.responses)).toEqual(['204']);
  });
});
